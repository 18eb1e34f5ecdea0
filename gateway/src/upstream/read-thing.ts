/**
 * Reads a resource or a prompt of a server. It changes nothing, so that an error of the protocol is its answer; what is
 * lost stays unknown like any other, and may be asked for again.
 */
import { ProtocolError } from '@modelcontextprotocol/client'
import { isObject, type JsonObject, type JsonValue, type McpReadExecutor } from 'rubicon-kernel'
import { createNotSentError, type ManifestAnswer, type ManifestCall } from 'rubicon-runtime/tools'
import { exchange, type GivenBounds, type ServerQuestion } from './exchange.ts'
import type { Upstream } from './upstream.ts'
import { findUriProblem } from './uri-problem.ts'

export async function readThing(
  server: Upstream,
  { method, timeout_ms, max_bytes }: McpReadExecutor,
  { params }: ManifestCall,
  given: GivenBounds,
): Promise<ManifestAnswer> {
  const problem = method === 'resources/read' ? findUriProblem(String(params.uri)) : null
  if (problem !== null) throw createNotSentError('URI_INVALID', `the URI ${problem}`)
  const isWhole = method === 'resources/read' ? isContents : isMessages
  const question: ServerQuestion = {
    timeout_ms,
    max_bytes,
    send: (bounds) => server.read(method, params, bounds),
    findProblem: (result) => (isWhole(result) ? null : 'it is not what the protocol says'),
    withhold: (code, why) => ({ error: { code, why } }),
    isAnswer: (cause) => cause instanceof ProtocolError,
  }
  return exchange(server, question, given)
}

function isContents({ contents }: JsonObject): boolean {
  return isListOf(contents, ({ uri, text, blob }) => {
    const isHeld = typeof text === 'string' || typeof blob === 'string'
    return typeof uri === 'string' && isHeld
  })
}

function isMessages({ messages }: JsonObject): boolean {
  return isListOf(messages, ({ role, content }) => {
    return (role === 'user' || role === 'assistant') && content !== undefined && isObject(content)
  })
}

function isListOf(value: JsonValue | undefined, isFit: (one: JsonObject) => boolean): boolean {
  return Array.isArray(value) && value.every((one: JsonValue) => isObject(one) && isFit(one))
}
