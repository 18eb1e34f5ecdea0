/**
 * One question to a server, and its answer taken apart: for calls of tools and for what is read, by the same rules.
 *
 * 1. Until it is written, failure says that nothing happened (`NotApplied`). After it, only an answer says anything; all
 *    else is thrown, and the effect is UNKNOWN. That goes for every code of an error, unless whoever asks says what it means.
 * 2. An answer that is too large, does not fit or cannot be recorded is withheld. That there was one is recorded.
 * 3. What is told of an answer has neither the server's `_meta` nor its secrets.
 */
import { type JsonObject, LIMITS, toCanonicalText } from 'rubicon-kernel'
import type { ManifestAnswer } from 'rubicon-runtime/tools'
import { ANSWERED, ANSWERED_WITH_ERROR } from './answered.ts'
import { isNotSent } from './send-pinned.ts'
import { stripMeta } from './strip-meta.ts'
import { toAbsent } from './to-absent.ts'
import { toJson } from './to-json.ts'
import type { CallBounds, Upstream } from './upstream.ts'

export type GivenBounds = Pick<CallBounds, 'io' | 'onProgress'>

export type ServerQuestion = {
  readonly timeout_ms?: number | undefined
  readonly max_bytes?: number | undefined
  send(bounds: CallBounds): Promise<object>
  /** Why an answer is not what was asked for, or null. */
  findProblem(result: JsonObject): string | null
  /** Whether it is an error of the tool, which need not fit. Absent: there are none. */
  isError?(result: JsonObject): boolean
  /** What is recorded in place of an answer. */
  withhold(code: string, why: string): JsonObject
  /** Whether an error after it was sent is an answer. Absent: none is. */
  isAnswer?(cause: unknown): boolean
}

export async function exchange(
  server: Upstream,
  question: ServerQuestion,
  given: GivenBounds,
): Promise<ManifestAnswer> {
  let isSent = false
  const markSent = (): void => {
    isSent = true
  }
  try {
    const timeoutMs = chooseTimeout(question)
    return readAnswer(server, question, await question.send({ ...given, timeoutMs, markSent }))
  } catch (cause) {
    if (!isSent || isNotSent(cause)) throw toAbsent(server, cause)
    if (question.isAnswer?.(cause) === true)
      return buildWithheld(question, 'SERVER_REFUSED', server.describe(cause))
    throw new Error(server.describe(cause))
  }
}

export function chooseTimeout({ timeout_ms }: Pick<ServerQuestion, 'timeout_ms'>): number {
  return Math.min(timeout_ms ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs)
}

function readAnswer(
  { redaction }: Upstream,
  question: ServerQuestion,
  said: object,
): ManifestAnswer {
  const json = toJson(said)
  if (json === undefined)
    return buildWithheld(question, 'OBSERVATION_INVALID', 'it cannot be recorded')
  const result = stripMeta(redaction.redactJson(json) as JsonObject)
  const size = Buffer.byteLength(toCanonicalText(result))
  const most = question.max_bytes ?? LIMITS.resultBytes
  if (size > most) {
    const why = `the answer has ${size} bytes, at most ${most}`
    return buildWithheld(question, 'RESULT_TOO_LARGE', why)
  }
  if (question.isError?.(result) === true) return { status: ANSWERED_WITH_ERROR, result }
  const problem = question.findProblem(result)
  return problem === null
    ? { status: ANSWERED, result }
    : buildWithheld(question, 'OBSERVATION_INVALID', problem)
}

function buildWithheld(question: ServerQuestion, code: string, why: string): ManifestAnswer {
  return { status: ANSWERED_WITH_ERROR, result: question.withhold(code, why) }
}
