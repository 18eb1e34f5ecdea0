/** What an HTTP status of a provider means here. */
import { isObject, parseJson, shorten } from 'rubicon-kernel'
import { ModelFailure, type ModelFailureCode } from '../../ports/model.ts'

export type ErrorAnswer = {
  readonly status: number
  /** The body, as it came. */
  readonly said: string
  /** Takes the key out of what is told. */
  readonly hideSecrets: (text: string) => string
  /** The headers, as they came: seconds or a date; and milliseconds, which some providers send beside it. */
  readonly retryAfter: string | null
  readonly retryAfterMs: string | null
  /** UTC, epoch milliseconds. */
  readonly now: number
}

const SAID_LENGTH = 512

export function buildStatusFailure(answer: ErrorAnswer): ModelFailure {
  const { status } = answer
  const { code, charged } = judgeStatus(status)
  const wait = parseRetryAfter(answer)
  return new ModelFailure(code, `the provider answered ${status}`, {
    charged,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    // Read first: what JSON escapes is no key to whoever looks for one.
    details: { status, said: shorten(answer.hideSecrets(findMessage(answer.said)), SAID_LENGTH) },
  })
}

/** A server that broke, or a gateway that waited in vain, may have let a model work before. */
function judgeStatus(status: number): { readonly code: ModelFailureCode; charged: boolean } {
  if (status === 429) return { code: 'MODEL_RATE_LIMITED', charged: false }
  // Too busy (529 is Anthropic's and Cloudflare's): turned away before anything was done.
  if (status === 408 || status === 503 || status === 529)
    return { code: 'MODEL_UNAVAILABLE', charged: false }
  if (status >= 500) return { code: 'MODEL_UNAVAILABLE', charged: true }
  return { code: 'MODEL_REFUSED', charged: false }
}

function parseRetryAfter({ retryAfter, retryAfterMs, now }: ErrorAnswer): number | undefined {
  const exact = parseCount(retryAfterMs)
  if (exact !== undefined) return exact
  const seconds = parseCount(retryAfter)
  if (seconds !== undefined) return seconds * 1000
  const at = retryAfter === null ? Number.NaN : Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Not negative, and nothing that a double makes a surprise of. */
function parseCount(text: string | null): number | undefined {
  if (text === null || !/^\d{1,9}(\.\d{1,6})?$/.test(text)) return undefined
  return Number(text)
}

/** All three have `error.message`, and Google may have it in a list; of anything else the beginning. */
function findMessage(said: string): string {
  const parsed = parseJson(said)
  const value =
    parsed.ok && Array.isArray(parsed.value) ? parsed.value[0] : parsed.ok && parsed.value
  const error = isObject(value) ? value.error : undefined
  const message = isObject(error) ? error.message : error
  return typeof message === 'string' ? message : said
}
