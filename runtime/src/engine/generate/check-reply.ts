/** What a provider returned: it is code of whoever configured it, and what it passes on was written by strangers. */
import { checkJson, isObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import { ModelFailure, type ModelReply, type ModelRequest } from '../../ports/model.ts'

const STOPS: readonly unknown[] = ['end', 'tools', 'length', 'filtered', 'other']

/** The reply, if it is one; throws a ModelFailure else. */
export function checkReply(reply: ModelReply, request: ModelRequest): ModelReply {
  if (typeof reply?.raw === 'string' && isLong(reply.raw))
    throw new ModelFailure('MODEL_REPLY_TOO_LONG', 'the reply is too long', { charged: true })
  const { raw, ...said } = reply ?? {}
  const read = checkJson(said)
  const isRaw = typeof raw === 'string' && raw.isWellFormed()
  if (!isRaw || !read.ok || !isSaid(read.value))
    throw new ModelFailure('MODEL_REPLY_INVALID', 'the provider returned no reply', {
      charged: true,
      ...(isRaw ? { raw } : {}),
    })
  const parsed = parseSaid(read.value)
  const isCounted = isUsage(parsed.usage) && isPossible(parsed, request)
  return { ...parsed, usage: isCounted ? parsed.usage : null, raw }
}

/** Of no table of tokens has one so many characters. */
const LONGEST_TOKEN = 1_024

/** Whether so few tokens can be what was asked and said: whoever says less gives a budget away. */
function isPossible(
  { usage, text, calls }: Omit<ModelReply, 'raw'>,
  { system = '', messages }: ModelRequest,
): boolean {
  if (usage === null) return false
  const asked = messages.reduce((sum, message) => sum + message.text.length, system.length)
  const said = calls.reduce((sum, call) => sum + call.arguments.length + 1, text.length)
  return (
    usage.input_tokens > 0 &&
    usage.input_tokens * LONGEST_TOKEN >= asked &&
    usage.output_tokens * LONGEST_TOKEN >= said
  )
}

function parseSaid(value: JsonValue): Omit<ModelReply, 'raw'> {
  return value as unknown as Omit<ModelReply, 'raw'>
}

function isLong(raw: string): boolean {
  return raw.length > LIMITS.modelReplyBytes
}

function isSaid(value: JsonValue): boolean {
  if (!isObject(value)) return false
  const { model, text, calls, stop } = value
  if (typeof model !== 'string' || model.length > LIMITS.modelNameLength) return false
  if (typeof text !== 'string' || !STOPS.includes(stop) || !Array.isArray(calls)) return false
  return calls.length <= LIMITS.modelCalls && calls.every(isCall)
}

function isCall(value: JsonValue): boolean {
  if (!isObject(value)) return false
  return [value.id, value.name, value.arguments].every((part) => typeof part === 'string')
}

/** What cannot be true counts as none. */
function isUsage(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false
  const { input_tokens: input, output_tokens: output, cached_tokens: cached = 0 } = value
  return isCount(input) && isCount(output) && isCount(cached) && cached <= input
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST
}

/** Nobody generates so many at once; whoever says so has not counted. */
const MOST = 100_000_000
