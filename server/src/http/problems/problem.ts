/**
 * Errors on the wire: RFC 9457 documents with a code. What the kernel and the engine refuse keeps its
 * own code and the texts of the reason table; what only a server refuses has those of `http-reason.ts`.
 */
import { type Failure, isReasonCode, REASON_CODES, REASONS } from 'rubicon-kernel'
import { KeyMissing } from 'rubicon-runtime/engine/rows'
import { SignerUnavailable, StoreError, type StoreErrorCode } from 'rubicon-runtime/ports'
import type { Reply } from '../schemas/route.ts'
import { DraftEnded } from './draft-ended.ts'
import { HTTP_REASONS, type HttpCode, type HttpReason } from './http-reason.ts'

export type { HttpCode }

export type ProblemReply = Omit<Reply, 'body'> & { readonly body: Problem }

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly fix?: string
  readonly meta?: Failure['meta']
}

/** Failures of the engine that are no reasons for a verdict. */
const OTHER_STATUS: ReadonlyMap<string, number> = new Map([
  ['STORE_CONTENTION', 503],
  ['LEDGER_CORRUPT', 503],
  ['NOTES_FULL', 409],
  ['EXPLANATIONS_FULL', 409],
  ['GENERATIONS_FULL', 409],
  ['GENERATION_UNKNOWN', 404],
  ['MODEL_UNKNOWN', 404],
  ['MODEL_UNPRICED', 409],
  // What a provider answered is its own: here it is a gateway that could not get an answer.
  ['MODEL_RATE_LIMITED', 503],
  ['MODEL_UNAVAILABLE', 502],
  ['MODEL_REFUSED', 502],
  ['MODEL_REPLY_INVALID', 502],
  ['MODEL_REPLY_TOO_LONG', 502],
  ['DECODE_FAILED', 502],
  ['GRAMMAR_TOO_LARGE', 422],
  ['GRAMMAR_UNSATISFIABLE', 409],
  ['MODEL_TIMEOUT', 504],
  ['REFRESHES_FULL', 409],
  ['EXECUTION_UNKNOWN', 404],
  ['ENTRY_UNKNOWN', 404],
  ['TRAJECTORY_UNKNOWN', 404],
  ['TRAJECTORY_EXISTS', 409],
  ['CHECKPOINT_MISSING', 409],
  ['CHECKPOINT_UNKNOWN', 409],
  ['QUERY_UNREADABLE', 400],
  ['EXECUTION_NOT_IN_REVIEW', 409],
  ['REVIEW_NOT_NEEDED', 409],
  ['REVIEW_UNSETTLED', 409],
  ['REVIEW_STALE', 409],
  ['ESCALATION_CLAIMED', 409],
  ['ENTRY_NO_DECISION', 404],
  ['DECISION_NOT_AGAIN', 422],
  ['DRAFT_TOO_COSTLY', 422],
  ['PAST_TOO_LONG', 422],
  ['FLOW_ERASED', 409],
  ['ERASURE_WAITS', 409],
  ['ERASURE_UNFINISHED', 503],
  ['FLOW_ARCHIVED', 409],
  ['PROOF_MISSING', 409],
  ['TOPOLOGY_UNSERVED', 406],
  ['MCP_NOT_CONFIGURED', 409],
  ['MCP_TOOL_UNKNOWN', 404],
  ['MCP_TOOL_CHANGED', 409],
  ['MCP_LOCK_BUSY', 409],
  ['MCP_LOCK_INVALID', 409],
  ['MCP_LOCK_UNWRITABLE', 409],
  ['MONITOR_UNKNOWN', 404],
  ['MONITORS_FULL', 409],
  ['CONTRACT_REPLACED', 409],
  ['MONITOR_REPLACED', 409],
  ['SOURCE_UNKNOWN', 404],
  ['SOURCE_CLAIMED', 409],
  ['SOURCES_FULL', 409],
  ['TOKEN_UNKNOWN', 404],
  ['TOKEN_LAST', 409],
  ['SESSION_UNKNOWN', 404],
  ['CHANNEL_UNKNOWN', 404],
  ['CHANNEL_EXISTS', 409],
  ['CHANNEL_CHANGED', 409],
  ['CHANNEL_BUSY', 409],
  ['CHANNEL_INVALID', 422],
  ['CHANNELS_FULL', 409],
  ['CHANNELS_NOT_CONFIGURED', 409],
  ['SESSIONS_FULL', 409],
  ['DOCUMENTS_FULL', 409],
  ['SOURCE_DIFFERS', 409],
  ['RESOLUTION_INVALID', 422],
  ['COMMENT_INVALID', 422],
  ['COMMENTS_FULL', 409],
  ['ARTIFACT_UNKNOWN', 404],
  ['ARTIFACTS_NOT_CONFIGURED', 409],
  ['ARTIFACT_TOO_LARGE', 422],
  ['ARTIFACT_UNREADABLE', 422],
  ['BLOB_MISSING', 410],
  ['BLOB_CORRUPT', 503],
  ['BLOB_UNREADABLE', 503],
  ['PATH_INVALID', 422],
  ['TARGET_MISSING', 404],
  ['TARGET_AMBIGUOUS', 422],
  ['DESK_TIMEOUT', 503],
  ['DESK_BUSY', 503],
  ['DESK_CLOSED', 503],
  ['KEY_EXISTS', 409],
  ['KEY_UNKNOWN', 404],
  ['KEY_CHANGE_UNFIT', 409],
  ['TIMER_INVALID', 422],
  ['TIMER_UNKNOWN', 404],
  ['TIMERS_FULL', 409],
  ['FLOW_CLAIMED', 409],
  ['CLAIM_UNKNOWN', 404],
  ['LETTER_UNKNOWN', 404],
  ['EVENT_UNKNOWN', 404],
  ['SUBSCRIPTION_DENIED', 403],
  ['BUS_MISSING', 409],
  ['KEY_OF_RUNTIME', 403],
  ['NOTHING_TO_ACCEPT', 409],
  ['PATHS_FULL', 409],
  ['POLICY_INVALID', 422],
  ['KEY_MISSING', 409],
  ['KEY_UNREGISTERED', 409],
  ['KEY_OWN', 409],
  ['SIGNER_UNAVAILABLE', 503],
  ['PERSON_NAME', 422],
  ['PERSON_MISSING', 404],
  ['PERSON_UNSIGNED', 409],
  ['PERSON_UNLINKED', 409],
  ['IDENTITY_OWN', 403],
  ['IDENTITY_TAKEN', 409],
  ['IDENTITY_UNKNOWN', 404],
  ['IDENTITY_LIMIT', 409],
])

const STORE_STATUS: Readonly<Record<StoreErrorCode, number>> = {
  STORE_FULL: 503,
  STORE_CORRUPT: 503,
  HEAD_MISMATCH: 503,
  STORE_DIVERGED: 503,
  STORE_READ_ONLY: 503,
  STORE_LOCKED: 503,
  STORE_NEWER: 503,
  STORE_MISSING: 503,
  STORE_CLOSED: 503,
  STORE_ERROR: 503,
  CLOCK_SKEW: 503,
}

/** Every code that a problem can have, once: the store and the law share some. */
export const PROBLEM_CODES: readonly string[] = [
  ...new Set([
    ...Object.keys(HTTP_REASONS),
    ...OTHER_STATUS.keys(),
    ...Object.keys(STORE_STATUS),
    ...REASON_CODES,
  ]),
]

export function buildHttpProblem(
  code: HttpCode,
  detail?: string,
  meta?: Failure['meta'],
): ProblemReply {
  const { means, why, fix } = HTTP_REASONS[code]
  return toProblemReply({
    code,
    summary: detail ?? means,
    why,
    fix,
    ...(meta === undefined ? {} : { meta }),
  })
}

/** A failure as a reply. `status`: where this door answers otherwise than the table says. */
export function toProblemReply(
  failure: Failure,
  status: number = getStatus(failure.code),
): ProblemReply {
  const { code, summary, why, meta } = failure
  const known = findReasonTexts(code)
  const fix = failure.fix ?? known?.fix
  const detail = why === undefined ? summary : `${summary}: ${why}`
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 503 || status === 429 ? { 'retry-after': '1' } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(code === 'STOPPING' ? { connection: 'close' } : {}),
    },
    body: {
      type: `urn:rubicon:reason:${code}`,
      title: known?.means ?? summary,
      status,
      code,
      detail,
      ...(fix === undefined ? {} : { fix }),
      ...(meta === undefined ? {} : { meta }),
    },
  }
}

/** There is no room for one more of these. */
export function refuseOverload(summary: string, why?: string): ProblemReply {
  const fix = 'ask again in a moment'
  return toProblemReply({ code: 'OVERLOADED', summary, fix, ...(why === undefined ? {} : { why }) })
}

/** Whatever was thrown. What nobody foresaw is told to the log, not to whoever asked. */
export function convertThrown(error: unknown): Reply {
  if (error instanceof StoreError) {
    const { code, message: summary, fix } = error
    return toProblemReply({ code, summary, fix }, STORE_STATUS[code])
  }
  if (error instanceof SignerUnavailable || error instanceof KeyMissing)
    return toProblemReply(error.failure)
  if (error instanceof DraftEnded) return toProblemReply(error.failure)
  if (error instanceof Error && error.name === 'LedgerCorrupt')
    return toProblemReply({
      code: 'LEDGER_CORRUPT',
      summary: `the ledger is damaged: ${error.message}`,
    })
  return buildHttpProblem('BUG')
}

function getStatus(code: string): number {
  return findReasonTexts(code)?.http ?? OTHER_STATUS.get(code) ?? 422
}

function findReasonTexts(code: string): HttpReason | undefined {
  if (isReasonCode(code)) return REASONS[code]
  return Object.hasOwn(HTTP_REASONS, code) ? HTTP_REASONS[code as HttpCode] : undefined
}
