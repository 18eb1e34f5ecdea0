/**
 * Reads a resource or a prompt of a server. It changes nothing, so that an error of the protocol is its answer; what is
 * lost stays unknown like any other, and may be asked for again.
 */
import { ProtocolError } from '@modelcontextprotocol/client'
import {
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type McpReadExecutor,
  toCanonicalText,
} from 'rubicon-kernel'
import { createNotSentError, type ManifestAnswer, type ManifestCall } from 'rubicon-runtime/tools'
import { ANSWERED, ANSWERED_WITH_ERROR } from './answered.ts'
import { stripMeta } from './strip-meta.ts'
import { toAbsent } from './to-absent.ts'
import { toJson } from './to-json.ts'
import type { CallBounds, Upstream } from './upstream.ts'
import { findUriProblem } from './uri-problem.ts'

export async function readThing(
  server: Upstream,
  { method, timeout_ms, max_bytes }: McpReadExecutor,
  { params }: ManifestCall,
  given: Pick<CallBounds, 'io' | 'onProgress'>,
): Promise<ManifestAnswer> {
  const problem = method === 'resources/read' ? findUriProblem(String(params.uri)) : null
  if (problem !== null) throw createNotSentError('URI_INVALID', `the URI ${problem}`)
  const timeoutMs = Math.min(timeout_ms ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs)
  let isSent = false
  const markSent = (): void => {
    isSent = true
  }
  try {
    const said = await server.read(method, params, { ...given, timeoutMs, markSent })
    return readAnswer(server, method, said, max_bytes ?? LIMITS.resultBytes)
  } catch (cause) {
    if (!isSent) throw toAbsent(server, cause)
    if (cause instanceof ProtocolError) return buildError('SERVER_REFUSED', server.describe(cause))
    throw new Error(server.describe(cause))
  }
}

function readAnswer(
  { redaction }: Upstream,
  method: McpReadExecutor['method'],
  said: object,
  mostBytes: number,
): ManifestAnswer {
  const json = toJson(said)
  if (json === undefined) return buildError('OBSERVATION_INVALID', 'it cannot be recorded')
  const result = stripMeta(redaction.redactJson(json) as JsonObject)
  const size = Buffer.byteLength(toCanonicalText(result))
  if (size > mostBytes)
    return buildError('RESULT_TOO_LARGE', `the answer has ${size} bytes, at most ${mostBytes}`)
  const isWhole = method === 'resources/read' ? isContents(result) : isMessages(result)
  return isWhole
    ? { status: ANSWERED, result }
    : buildError('OBSERVATION_INVALID', 'it is not what the protocol says')
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

function buildError(code: string, why: string): ManifestAnswer {
  return { status: ANSWERED_WITH_ERROR, result: { error: { code, why } } }
}
