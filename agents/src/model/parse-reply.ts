/** What a model returned, read as what anybody could have sent. */
import { err, ok, type Result } from 'rubicon-kernel/result'
import type { ModelCall, ModelReply, ModelTokens } from './agent-model.ts'
import { MODEL_LIMITS } from './model-limits.ts'

export type ReplyProblem = {
  readonly code: 'MODEL_REPLY_INVALID' | 'MODEL_REPLY_TOO_LONG'
  readonly summary: string
}

export function parseReply(reply: unknown): Result<ModelReply, ReplyProblem> {
  const { text = '', calls = [], stop = 'other', usage = null } = toMembers(reply)
  if (typeof text !== 'string') return err(buildInvalidReply('`text` is no text'))
  if (!Array.isArray(calls)) return err(buildInvalidReply('`calls` is no list'))
  let length = text.length
  const heard: ModelCall[] = []
  for (const call of calls.slice(0, MODEL_LIMITS.callsPerReply)) {
    const { id, name, arguments: given, signature } = toMembers(call)
    if (!isName(id) || !isName(name) || typeof given !== 'string')
      return err(buildInvalidReply('a call has no id, no name or no arguments'))
    const signed = { ...parseSignature(signature) }
    length += given.length + (signed.signature?.length ?? 0)
    heard.push({ id, name, arguments: given, ...signed })
  }
  if (length > MODEL_LIMITS.replyLength)
    return err({
      code: 'MODEL_REPLY_TOO_LONG',
      summary: `the reply has more than ${MODEL_LIMITS.replyLength} characters`,
    })
  if (new Set(heard.map(({ id }) => id)).size < heard.length)
    return err(buildInvalidReply('two calls have the same id'))
  return ok({ text, calls: heard, stop: parseStop(stop), usage: parseTokens(usage) })
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MODEL_LIMITS.nameLength
}

function parseSignature(signature: unknown): Pick<ModelCall, 'signature'> {
  return typeof signature === 'string' ? { signature } : {}
}

const STOPS: readonly string[] = ['end', 'tools', 'length', 'filtered', 'other']

function parseStop(stop: unknown): ModelReply['stop'] {
  return STOPS.includes(String(stop)) ? (stop as ModelReply['stop']) : 'other'
}

/** Null: it was not counted, or so that nobody can believe it. */
function parseTokens(usage: unknown): ModelTokens | null {
  const { input_tokens, output_tokens } = toMembers(usage)
  return isCount(input_tokens) && isCount(output_tokens) ? { input_tokens, output_tokens } : null
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MODEL_LIMITS.countMost
}

function buildInvalidReply(summary: string): ReplyProblem {
  return { code: 'MODEL_REPLY_INVALID', summary }
}
