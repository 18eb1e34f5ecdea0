/**
 * What in a flow is for a person to look at, and who looked: from its entries. A flag is reviewed by the reviews
 * that stand after it; one that comes later is not.
 */
import type { DecisionRecord, OpinionPayload, ReviewPayload } from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'

export type ReviewFlag = {
  readonly at: string
  readonly seq: number
  /** A guess about meaning, or a limit that would have asked. */
  readonly kind: 'soft_guard' | 'limit'
  /** The name of the guard, or of the limit. */
  readonly by: string
  readonly why: string
  /** A person has looked at it since. */
  readonly reviewed: boolean
}

export type FlowReview = {
  readonly at: string
  readonly seq: number
  readonly by: string
  readonly justification: string
  /** How many flags there were. */
  readonly flags: number
}

export type FlowReviews = {
  readonly flags: readonly ReviewFlag[]
  readonly reviews: readonly FlowReview[]
}

/** Where flags and reviews stand. */
export const FLAGGING_KINDS = ['evidence', 'dispatch', 'accepted'] as const

export function listFlowReviews(entries: readonly StoredEntry[]): FlowReviews {
  const flags = entries.flatMap(toFlags).map((flag) => ({ ...flag, reviewed: false }))
  return joinFlowReviews([{ flags, reviews: entries.flatMap(toReviews) }])
}

/** Of the parts of a flow, the oldest first. */
export function joinFlowReviews(parts: readonly FlowReviews[]): FlowReviews {
  const reviews = parts.flatMap((one) => one.reviews)
  const last = reviews.at(-1)?.seq ?? -1
  const flags = parts.flatMap((one) => one.flags)
  return { flags: flags.map((flag) => ({ ...flag, reviewed: flag.seq < last })), reviews }
}

export function listOpenFlags({ flags }: FlowReviews): readonly ReviewFlag[] {
  return flags.filter(({ reviewed }) => !reviewed)
}

function toReviews({ envelope: { kind, at, seq }, payload }: StoredEntry): readonly FlowReview[] {
  if (kind !== 'evidence' || payload === null || !payload.includes('"source":"review"')) return []
  const { source, finding, details } = parseAs<ReviewPayload>(payload)
  // A context that an agent was shown has facts in it, and a fact may say anything of itself.
  return source === 'review' && finding === 'reviewed' ? [{ at, seq, ...details }] : []
}

type FoundFlag = Omit<ReviewFlag, 'reviewed'>

function toFlags({ envelope: { kind, at, seq }, payload }: StoredEntry): readonly FoundFlag[] {
  if (payload === null) return []
  if (kind === 'evidence') return toGuardFlags(payload).map((flag) => ({ at, seq, ...flag }))
  if (kind !== 'dispatch' && kind !== 'accepted') return []
  // Payloads are canonical: most need not be read for it.
  if (!payload.includes('"flagged":[')) return []
  const { trace = [] } = parseAs<Partial<DecisionRecord>>(payload)
  return trace.flatMap(({ flagged = [] }) =>
    flagged.map(({ id, code }) => ({ at, seq, kind: 'limit' as const, by: id, why: code })),
  )
}

/** In strict mode whoever objects stops the flow: there is nothing left to look at. */
function toGuardFlags(payload: string): readonly Pick<ReviewFlag, 'kind' | 'by' | 'why'>[] {
  if (!payload.includes('"source":"soft_guard"')) return []
  const { source, finding, by, details, ...said } = parseAs<OpinionPayload>(payload)
  const isFlag = source === 'soft_guard' && finding === 'mismatch'
  if (!isFlag || !('strict' in said) || said.strict) return []
  return [{ kind: 'soft_guard', by, why: details.why }]
}

/** Entries in our own store are what we wrote there. */
function parseAs<T>(payload: string): T {
  return JSON.parse(payload) as T
}
