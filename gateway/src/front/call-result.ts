/**
 * What a client is told of a call. A call that happened is answered with what the tool said; everything else is an error
 * of the tool with a code, a reason and the flow, for a model to read and a person to look up.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AgentAnswer } from 'rubicon-agents'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

const NOTHING_HAPPENED: readonly string[] = ['FAILED', 'NOT_APPLIED', 'ABANDONED']

export type ShowFlow = (dfid: string) => string

export function toCallResult(answer: AgentAnswer, showFlow: ShowFlow): CallToolResult {
  const { dfid } = answer
  if (answer.outcome === 'ESCALATED')
    return describeError('PENDING_APPROVAL', dfid, [
      'A person has to decide on this call.',
      `It is shown at ${showFlow(dfid)}.`,
      `Ask rubicon_result with {"dfid":"${dfid}"} what became of it; do not call the tool again.`,
    ])
  if (answer.outcome === 'REJECTED' || answer.outcome === 'EXHAUSTED') {
    const { summary, why, fix } = answer.feedback
    return describeError(answer.reason_code, dfid, [summary, why, fix])
  }
  const { status, result, reason_code, details } = answer.execution
  if (status === 'SUCCESS') return toToolResult(dfid, result)
  if (NOTHING_HAPPENED.includes(status))
    return describeError(reason_code ?? status, dfid, ['Nothing happened.', toWords(details)])
  return describeError(status, dfid, [
    'It is not known yet whether this happened.',
    `Ask rubicon_result with {"dfid":"${dfid}"}; do not call the tool again.`,
  ])
}

function toToolResult(dfid: string, result: JsonValue | undefined): CallToolResult {
  const { withheld: _, ...said } = isObject(result) ? result : {}
  return { ...(said as JsonObject & CallToolResult), _meta: { 'rubicon/dfid': dfid } }
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
