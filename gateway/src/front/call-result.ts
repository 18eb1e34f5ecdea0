/**
 * What a client is told of a call. A call that happened is answered with what the tool said; everything else is an error
 * of the tool with a code, a reason and the flow, for a model to read and a person to look up.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AgentAnswer } from 'rubicon-agents'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import {
  describeArguments,
  describeOutside,
  describeProblem,
  toDataPieces,
} from '../artifacts/show-data.ts'

const NOTHING_HAPPENED: readonly string[] = ['FAILED', 'NOT_APPLIED', 'ABANDONED']

/** Where a person finds the flow; with the attempt, the request in it that waits for them. */
export type ShowFlow = (dfid: string, attempt?: number) => string

export type ToldAnswer =
  | { readonly kind: 'error'; readonly code: string; readonly words: readonly string[] }
  | { readonly kind: 'result'; readonly result: JsonValue | undefined }

export function toCallResult(answer: AgentAnswer, showFlow: ShowFlow): CallToolResult {
  const told = describeAnswer(answer, showFlow)
  if (told.kind === 'error') return describeError(told.code, answer.dfid, told.words)
  return toToolResult(answer.dfid, told.result)
}

export function describeAnswer(answer: AgentAnswer, showFlow: ShowFlow): ToldAnswer {
  const { dfid } = answer
  const ask = `Ask rubicon_result with {"dfid":"${dfid}"}`
  if (answer.outcome === 'ESCALATED')
    return toError('PENDING_APPROVAL', [
      'A person has to decide on this call.',
      `It is shown at ${showFlow(dfid, answer.attempt)}.`,
      `${ask} what became of it; do not call the tool again.`,
    ])
  if (answer.outcome === 'REJECTED' || answer.outcome === 'EXHAUSTED') {
    const { summary, why, fix, details } = answer.feedback
    // What a capability misses is said in its own words alone.
    const missing = typeof details.missing === 'string' ? details.missing : ''
    const where = [describeOutside(details), describeArguments(details)]
    return toError(answer.reason_code, [summary, ...where, why, missing, fix])
  }
  const { status, result, reason_code, details } = answer.execution
  if (status === 'SUCCESS') return { kind: 'result', result }
  if (NOTHING_HAPPENED.includes(status))
    return toError(reason_code ?? status, [
      'Nothing happened.',
      toWords(details),
      ...describeProblem(details ?? {}),
    ])
  return toError(status, [
    'It is not known yet whether this happened.',
    `${ask}; do not call the tool again.`,
  ])
}

function toError(code: string, words: readonly string[]): ToldAnswer {
  return { kind: 'error', code, words }
}

function toToolResult(dfid: string, result: JsonValue | undefined): CallToolResult {
  const { withheld: _, ...said } = isObject(result) ? result : {}
  const _meta = { 'rubicon/dfid': dfid }
  if (Array.isArray(said.content)) return { ...(said as JsonObject & CallToolResult), _meta }
  const pieces = toDataPieces(said)
  if (pieces !== null) return { content: pieces, _meta }
  // What was read and not called: whoever asks what became of it gets it as it is.
  return { content: [{ type: 'text', text: JSON.stringify(said) }], _meta }
}

function toWords(details: JsonObject | undefined): string {
  const { code, why, error } = details ?? {}
  return [code, why, error].filter((text) => typeof text === 'string').join(': ')
}

export function describeError(
  code: string,
  dfid: string | null,
  words: readonly string[],
): CallToolResult {
  const text = [code, ...words.filter((word) => word !== '')].join('\n')
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'rubicon/code': code, ...(dfid === null ? {} : { 'rubicon/dfid': dfid }) },
  }
}
