/**
 * What all wire formats come to: a reply before it is checked.
 *
 * D1 two calls of one id cannot be told apart when their results come back: such a reply is refused.
 * D2 usage that cannot be true is no usage: the largest possible is charged in its place.
 * D3 a call without an id gets one by its place, marked as ours.
 */
import { isObject, type JsonValue, LIMITS, shorten, toCanonicalText } from 'rubicon-kernel'
import { ModelFailure, type ModelReply, type ModelUsage } from '../../ports/model.ts'

export type ReplyDraft = {
  model: string
  text: string
  readonly calls: CallDraft[]
  stop: ModelReply['stop']
  usage: ModelUsage | null
}

export type CallDraft = { id: string; name: string; arguments: string; signature?: string }

/** Before the place of a call whose provider gave it no id. */
export const OWN_CALL_ID = 'rubicon_call_'

export function createDraft(): ReplyDraft {
  return { model: '', text: '', calls: [], stop: 'other', usage: null }
}

export function addCall(draft: ReplyDraft, call: CallDraft): void {
  if (draft.calls.length >= LIMITS.modelCalls)
    throw buildInvalidReply(`it has more than ${LIMITS.modelCalls} tool calls`)
  draft.calls.push(call)
}

export function finishReply(draft: ReplyDraft, raw: string): ModelReply {
  const { text } = draft
  const calls = draft.calls.map((call, place) => ({
    ...call,
    id: call.id === '' ? `${OWN_CALL_ID}${place}` : call.id,
  }))
  for (const name of [draft.model, ...calls.flatMap((call) => [call.id, call.name])]) {
    if (name.length > LIMITS.modelNameLength)
      throw buildInvalidReply('it has a name that is too long')
  }
  if (calls.some(({ name }) => name === '')) throw buildInvalidReply('a tool call has no name')
  if (new Set(calls.map(({ id }) => id)).size < calls.length)
    throw buildInvalidReply('two tool calls have one id')
  // Some servers say that they stopped where they called a tool.
  const stop = draft.stop === 'end' && calls.length > 0 ? 'tools' : draft.stop
  const saidSomething = text !== '' || calls.length > 0
  const isUsageTrue = !(saidSomething && draft.usage?.output_tokens === 0)
  return { model: draft.model, text, calls, stop, usage: isUsageTrue ? draft.usage : null, raw }
}

/** Null where a count is missing or no natural number, or more was kept than was sent. */
export function readUsage(
  input: JsonValue | undefined,
  output: JsonValue | undefined,
  cached: JsonValue | undefined,
): ModelUsage | null {
  if (!isCount(input) || !isCount(output)) return null
  if (cached === undefined || cached === null) return { input_tokens: input, output_tokens: output }
  if (!isCount(cached) || cached > input) return null
  return { input_tokens: input, output_tokens: output, cached_tokens: cached }
}

/** Two counts of one thing; what the provider leaves out is nothing. */
export function addCounts(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): JsonValue | undefined {
  if (b === undefined || b === null) return a
  return isCount(a) && isCount(b) ? a + b : null
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Some providers send what a tool is called with as JSON, others as text. */
export function toArguments(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '{}' : toCanonicalText(value)
}

/** The text of a field; empty where it is missing or null. */
export function readText(value: JsonValue | undefined, field: string): string {
  const found = isObject(value) ? value[field] : undefined
  if (found === undefined || found === null) return ''
  if (typeof found !== 'string') throw buildInvalidReply(`\`${field}\` is no text`)
  return found
}

/** The elements of a field; none where it is missing or null. */
export function readList(value: JsonValue | undefined, field: string): readonly JsonValue[] {
  const found = isObject(value) ? value[field] : undefined
  if (found === undefined || found === null) return []
  if (!Array.isArray(found)) throw buildInvalidReply(`\`${field}\` is no list`)
  return found
}

export function readField(value: JsonValue | undefined, field: string): JsonValue | undefined {
  return isObject(value) ? value[field] : undefined
}

export function buildInvalidReply(why: string): ModelFailure {
  return new ModelFailure('MODEL_REPLY_INVALID', `the reply cannot be read: ${why}`, {
    charged: true,
    details: { why },
  })
}

const SAID_LENGTH = 512

/** An error that comes in the middle of a stream, after the status said that all is well. */
export function buildStreamError(type: string, message: string): ModelFailure {
  const isBusy = type === 'rate_limit_error' || type === 'RESOURCE_EXHAUSTED'
  const code = isBusy ? 'MODEL_RATE_LIMITED' : 'MODEL_UNAVAILABLE'
  return new ModelFailure(code, 'the provider ended its stream with an error', {
    charged: true,
    details: { type: shorten(type, SAID_LENGTH), said: shorten(message, SAID_LENGTH) },
  })
}
