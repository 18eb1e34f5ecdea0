/**
 * What an answer says of the effect, by its status alone: `applied` it happened, `not_applied` it did not, and
 * any other, a redirect too, says nothing. The body is foreign and is read as strictly as anything else.
 */
import {
  decodeUtf8,
  type HttpExecutor,
  isObject,
  type JsonValue,
  LIMITS,
  parseJson,
  shorten,
} from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'
import type { ManifestAnswer } from '../hands.ts'
import { readParam } from '../read-param.ts'
import type { Redaction } from '../redaction.ts'
import type { HttpAnswer } from './exchange.ts'

type Statuses = Pick<HttpExecutor, 'applied' | 'not_applied' | 'transient' | 'result'>

export function readOutcome(
  { applied, not_applied = [], transient = [], result }: Statuses,
  answer: HttpAnswer,
  redaction: Redaction,
): ManifestAnswer {
  const { status, requestId } = answer
  if (not_applied.includes(status))
    throw new NotApplied(`the provider answered ${status}`, {
      transient: transient.includes(status),
      details: { status, answer: readRefusal(answer, redaction) },
    })
  if (!applied.includes(status)) throw new Error(`the provider answered ${status}`)
  const said = readBody(answer)
  // Objects and lists end by themselves; of anything else half may be missing.
  if (!answer.isBounded && (typeof said !== 'object' || said === null))
    throw new Error('RESPONSE_UNBOUNDED: nothing says that the answer is whole')
  const body = redaction.redactJson(said)
  return {
    status,
    result: result === undefined ? body : readAt(body, result),
    ...(requestId === null ? {} : { receipt: redaction.redactJson({ request_id: requestId }) }),
  }
}

function readBody({ body, contentType }: HttpAnswer): JsonValue {
  if (body.length === 0) return null
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === 'text/plain') {
    const text = decodeUtf8(body)
    if (text === undefined) throw new Error('RESPONSE_INVALID: the answer is not UTF-8')
    return text
  }
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json'))
    throw new Error('RESPONSE_INVALID: the answer is neither JSON nor plain text')
  const parsed = parseJson(body)
  if (!parsed.ok) throw new Error(`RESPONSE_INVALID: ${parsed.error.code} in the answer`)
  return parsed.value
}

/** For whoever looks into it: the beginning, without secrets. Cut afterwards, so that no half of one is left. */
function readRefusal({ body }: HttpAnswer, redaction: Redaction): string {
  const parsed = parseJson(body)
  const text = parsed.ok
    ? JSON.stringify(redaction.redactJson(parsed.value))
    : redaction.redactText(decodeUtf8(body) ?? 'is not text')
  return shorten(text, LIMITS.toolRefusalLength)
}

function readAt(body: JsonValue, pointer: string): JsonValue {
  if (!isObject(body) && !Array.isArray(body)) return null
  return readParam({ body }, `/body${pointer}`) ?? null
}
