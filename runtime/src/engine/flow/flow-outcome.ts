/** Where a flow goes when one of its effects is settled. */
import {
  assertUnreachable,
  type ExecutionStatus,
  type FlowState,
  type FlowTag,
  type SignedIntent,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Settlement } from '../effect/settlement.ts'
import type { Context } from '../engine-context.ts'
import type { AskedAbout } from '../escalate/ask-flow.ts'
import { addTag, moveFlow, removeTag } from '../rows/flow-row.ts'
import { computeReviewedTags } from '../rows/reviewed-tags.ts'
import { hasSucceeded, isDirtyBy, isEffect } from '../saga/effects.ts'

type Settled = {
  readonly status: ExecutionStatus
  readonly now: string
  /** A person is asked about the flow in the same unit. */
  readonly asked: AskedAbout | null
}

type Course = { readonly path: readonly FlowState[]; readonly tags: readonly FlowTag[] }

export async function moveSettledFlow(
  context: Context,
  flow: FlowRow,
  intent: SignedIntent,
  settlement: Settlement,
  { status, now, asked }: Settled,
): Promise<FlowRow> {
  // Taking back moves no flow: the one it stands in has ended, or goes on by itself.
  if (intent.compensation !== undefined)
    return moveFlow(flow, [], now, {
      tags: await computeUndoTags(context, flow, intent, status, settlement),
    })
  const { path, tags } = await chooseCourse(context, flow, intent, settlement, status)
  return moveFlow(flow, asked === null ? path : [asked.to], now, { tags })
}

async function chooseCourse(
  context: Context,
  flow: FlowRow,
  intent: SignedIntent,
  settlement: Settlement,
  status: ExecutionStatus,
): Promise<Course> {
  const tags = await computeSettledTags(context, flow, intent, settlement)
  switch (status) {
    case 'SUCCESS':
      return { path: [flow.steps === 'one' ? 'CLOSED' : 'ACTIVE'], tags }
    case 'FAILED':
      return chooseFailureCourse(context, flow, intent, tags)
    case 'MANUAL_REVIEW': {
      const dirty = settlement.kind === 'dirty' ? addTag(tags, 'DIRTY') : tags
      const path: readonly FlowState[] = flow.state === 'ESCALATED' ? [] : ['ESCALATED']
      return { path, tags: addTag(dirty, 'NEEDS_REVIEW') }
    }
    case 'UNKNOWN':
      return { path: [], tags: addTag(flow.tags, 'UNKNOWN') }
    case 'ABANDONED':
      return { path: ['ABORTED'], tags }
    case 'NOT_APPLIED':
    case 'ACCEPTED':
    case 'DISPATCHED':
      return { path: [], tags }
    default:
      return assertUnreachable(status)
  }
}

/** What a person has settled is not dirty by itself any more. */
async function computeSettledTags(
  context: Context,
  flow: FlowRow,
  { step_id }: SignedIntent,
  settlement: Settlement,
): Promise<readonly FlowTag[]> {
  const known = removeTag(flow.tags, 'UNKNOWN')
  if (!isByPerson(settlement)) return known
  const lifts = known.includes('DIRTY') && (await isDirtyBy(context, flow, step_id))
  return computeReviewedTags(context, flow, lifts ? removeTag(known, 'DIRTY') : known, step_id)
}

async function computeUndoTags(
  context: Context,
  flow: FlowRow,
  { step_id }: SignedIntent,
  status: ExecutionStatus,
  settlement: Settlement,
): Promise<readonly FlowTag[]> {
  if (status === 'UNKNOWN') return addTag(flow.tags, 'UNKNOWN')
  const known = removeTag(flow.tags, 'UNKNOWN')
  if (status === 'MANUAL_REVIEW') return addTag(known, 'NEEDS_REVIEW')
  return isByPerson(settlement) ? computeReviewedTags(context, flow, known, step_id) : known
}

/** Somebody says so, of what the runtime could not find out. */
export function isByPerson(settlement: Settlement): boolean {
  return 'evidence' in settlement && settlement.evidence?.source === 'person'
}

/** A failure after a success leaves half a job done: the flow is dirty. */
async function chooseFailureCourse(
  context: Context,
  flow: FlowRow,
  intent: SignedIntent,
  tags: readonly FlowTag[],
): Promise<Course> {
  // A read or a reserved kind that could not be done has left nothing undone outside.
  const partial = (await isEffect(context, intent)) && (await hasSucceeded(context, flow))
  if (partial) return { path: ['ABORTED'], tags: computeHalfDoneTags(tags, intent) }
  // Whoever proved it is not asked to think again: the flow ends here.
  if (intent.on_failure !== undefined) return { path: ['ABORTED'], tags }
  return { path: [flow.steps === 'one' ? 'ABORTED' : 'ACTIVE'], tags }
}

/** Where the intent says so, a person has it at once. */
function computeHalfDoneTags(
  tags: readonly FlowTag[],
  { on_failure }: SignedIntent,
): readonly FlowTag[] {
  const dirty = addTag(tags, 'DIRTY')
  return on_failure === 'ALERT_HUMAN' ? addTag(dirty, 'NEEDS_REVIEW') : dirty
}
