/**
 * A person has looked at what was flagged in a flow, and leaves it as it is.
 *
 * R1 it is recorded with who, why and how many flags there were; nothing but the tag changes.
 * R2 what has to be settled (an effect under review, a flow that did half of its job) is not reviewed away.
 * R3 said once more, it is the same review. A flag that comes after it opens the flow again.
 */
import {
  err,
  type Failure,
  isBlank,
  LIMITS,
  ok,
  type Result,
  type ReviewPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { buildFlowErasedFailure, isErased } from '../rows/erased-flow.ts'
import { moveFlow, removeTag } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import {
  FLAGGING_KINDS,
  type FlowReview,
  listFlowReviews,
  listOpenFlags,
} from '../rows/review-flags.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'

export type ReviewWord = {
  readonly by: string
  readonly justification: string
  /** The last flag that the person was shown, by its `seq`; left out: whatever there is now. */
  readonly last_flag?: number
}

export type ReviewedFlow = Omit<FlowReview, 'seq'> & {
  readonly dfid: string
  /** It was reviewed before, and nothing was flagged since. */
  readonly repeated: boolean
}

export async function reviewFlow(
  context: Context,
  dfid: string,
  word: ReviewWord,
): Promise<Result<ReviewedFlow, Failure>> {
  const problem = checkReviewWord(word)
  if (problem !== null) return err(problem)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return err(buildFlowUnknownFailure(dfid))
    if (isErased(flow)) return err(buildFlowErasedFailure(dfid))
    const reviewed = await reviewOnce(context, flow, word)
    if (reviewed !== null) return reviewed
  }
  return err(buildContentionFailure('the flow'))
}

/** Null: the flow moved meanwhile. */
async function reviewOnce(
  context: Context,
  flow: FlowRow,
  { by, justification, last_flag: shown }: ReviewWord,
): Promise<Result<ReviewedFlow, Failure> | null> {
  const { store } = context
  const { dfid } = flow
  const reviews = listFlowReviews(await store.listFlowEntries(dfid, FLAGGING_KINDS))
  const last = reviews.reviews.at(-1)
  if (!flow.tags.includes('NEEDS_REVIEW'))
    return last === undefined
      ? err(buildNotFlaggedFailure(dfid))
      : ok({ ...toReviewed(dfid, last), repeated: true })
  if (await hasToBeSettled(context, flow)) return err(buildUnsettledFailure(dfid))
  const open = listOpenFlags(reviews)
  const flags = open.length
  const newest = open.at(-1)?.seq ?? null
  // Not their number: as many others may have come since somebody else cleared these.
  if (shown !== undefined && shown !== newest) return err(buildStaleFailure(dfid, newest))
  const { now } = await store.readNow(flow.trajectory)
  const payload: ReviewPayload = {
    ...{ salt: mintSalt(context), source: 'review', finding: 'reviewed' },
    details: { by, justification, flags },
  }
  const after = moveFlow(flow, [], now, { tags: removeTag(flow.tags, 'NEEDS_REVIEW') })
  const entry = { kind: 'append', trajectory: flow.trajectory, entry: 'evidence', dfid } as const
  const outcome = await store.commit({
    guards: [{ kind: 'flow_version', dfid, version: flow.version }],
    writes: [
      { ...entry, payload: toCanonicalText(payload) },
      { kind: 'put_flow', flow: after },
    ],
  })
  if (!outcome.ok) return null
  // As it stands there: the time of an entry is the store's.
  const written = listFlowReviews(await store.listFlowEntries(dfid, FLAGGING_KINDS)).reviews
  const own = written.find(({ seq }) => seq > (last?.seq ?? -1))
  return ok({ ...toReviewed(dfid, own ?? { at: now, by, justification, flags }), repeated: false })
}

async function hasToBeSettled({ store }: Context, { dfid, tags }: FlowRow): Promise<boolean> {
  if (tags.includes('DIRTY')) return true
  const waiting = await store.listExecutions({ dfid, status: ['MANUAL_REVIEW'], limit: 1 })
  return waiting.length > 0
}

type Reviewed = Omit<FlowReview, 'seq'>

function toReviewed(
  dfid: string,
  { at, by, justification, flags }: Reviewed,
): Omit<ReviewedFlow, 'repeated'> {
  return { dfid, at, by, justification, flags }
}

function checkReviewWord({ by, justification }: ReviewWord): Failure | null {
  if (isBlank(justification) || isBlank(by))
    return {
      code: 'JUSTIFICATION_REQUIRED',
      summary: 'nobody says who reviews this, and why it can stay',
      why: 'the record must show on whose word a flag is cleared',
      fix: 'name the person and give the reason',
    }
  const isLong = justification.length > LIMITS.justificationLength
  if (!isLong && justification.isWellFormed() && by.isWellFormed()) return null
  return {
    code: 'RESOLUTION_INVALID',
    summary: 'the review cannot be recorded',
    why: 'the justification is too long, or is no text',
    fix: 'give a reason in a few words',
  }
}

function buildNotFlaggedFailure(dfid: string): Failure {
  return {
    code: 'REVIEW_NOT_NEEDED',
    summary: `nothing in flow \`${dfid}\` needs a review`,
    fix: 'see `rubicon flows show`',
  }
}

function buildUnsettledFailure(dfid: string): Failure {
  return {
    code: 'REVIEW_UNSETTLED',
    summary: `flow \`${dfid}\` has to be settled, not only reviewed`,
    why: 'an effect of it is under manual review, or it was only partly carried out',
    fix: 'settle it with `rubicon executions resolve DFID [STEP]`',
  }
}

function buildStaleFailure(dfid: string, last_flag: number | null): Failure {
  return {
    code: 'REVIEW_STALE',
    summary: `the last flag of flow \`${dfid}\` is another one than the review is of`,
    why: 'a flag that nobody was shown would be cleared with the others',
    fix: 'look at the flow again',
    meta: { last_flag },
  }
}
