/**
 * What the ledger says of one flow: the rows that guard it, made again from its entries.
 *
 * F1 every entry of the flow is folded, in the order of its trajectory, by the rules by which the engine
 *    moved the rows when it wrote the entry.
 * F2 where an entry leaves open which way the rows went, both are kept: a row that fits one of them is
 *    not said to diverge.
 * F3 a flow of which payloads were erased, or lie in an archive, cannot be folded, and is not.
 */
import {
  type AcceptedPayload,
  type ApprovalPayload,
  type CarryOutPayload,
  type CommitPayload,
  type DelegationPayload,
  type DispatchPayload,
  type EntryKind,
  isReasonCode,
  type PendingApprovalPayload,
  type Position,
  type RefreshPayload,
  type RejectionPayload,
  type ResendPayload,
  type SagaPayload,
  type SettlePayload,
  type UsagePayload,
  type WritPayload,
} from 'rubicon-kernel'
import type { StoredEntry } from '../../../ports/store.ts'
import { BudgetFold } from './budget-fold.ts'
import {
  addApproval,
  addRequest,
  endDoubtful,
  endReleased,
  type RequestFold,
} from './request-fold.ts'
import { countRefusal, type FlowStanding, hasEnded, move, moveTo } from './standing.ts'
import { applyOutcome, claimStep, countProbe, type StepFold } from './step-fold.ts'

export type FlowFold = {
  readonly opening: WritPayload & { readonly flow: NonNullable<WritPayload['flow']> }
  readonly trajectory: string
  readonly opened_at: string
  /** Of the last entry. */
  last_at: string
  standings: readonly FlowStanding[]
  attempts: number
  shown: { readonly snapshot_id: string; readonly at: string }
  dirty: boolean
  unknown: boolean
  readonly steps: Map<string, StepFold>
  /** Intents that the last entry, and the one before it, say what a probe found of; null: they do not. */
  probed: { readonly before: string | null; readonly last: string | null }
  readonly requests: Map<string, RequestFold>
  /** What they took of the budget is in their own openings. */
  readonly children: Set<string>
  readonly budget: BudgetFold
}

/** Null: nothing can be said of it, since it was erased or archived. Undefined: the ledger has no such flow. */
export function foldFlow(
  dfid: string,
  entries: readonly StoredEntry[],
): FlowFold | null | undefined {
  if (entries.some(isErased)) return null
  const opening = entries.find(({ envelope, payload }) => {
    return envelope.kind === 'writ' && read<WritPayload>(payload).flow?.dfid === dfid
  })
  if (opening === undefined) return undefined
  const fold = foldOpening(opening)
  for (const entry of entries) {
    fold.last_at = entry.envelope.at
    fold.probed = { before: fold.probed.last, last: null }
    if (entry !== opening) FOLDED[entry.envelope.kind]?.(fold, entry)
  }
  return fold
}

/** Nothing more can come of it by itself. */
export function isOver({ standings }: FlowFold): boolean {
  return standings.every(hasEnded)
}

function isErased({ envelope, payload }: StoredEntry): boolean {
  return payload === null || envelope.kind === 'erasure'
}

function foldOpening({ envelope, payload }: StoredEntry): FlowFold {
  const opening = read<FlowFold['opening']>(payload)
  return {
    opening,
    trajectory: envelope.trajectory,
    opened_at: opening.writ.body.window.not_before,
    last_at: envelope.at,
    standings: [{ state: 'ACTIVE', rejections: 0, transient_rejections: 0 }],
    attempts: 0,
    shown: { snapshot_id: opening.flow.snapshot_id, at: envelope.at },
    dirty: false,
    unknown: false,
    steps: new Map(),
    probed: { before: null, last: null },
    requests: new Map(),
    children: new Set(),
    budget: new BudgetFold(opening.writ),
  }
}

type Folded = (fold: FlowFold, entry: StoredEntry) => void

const FOLDED: Readonly<Partial<Record<EntryKind, Folded>>> = {
  rejection: foldRejection,
  pending_approval(fold, { payload }) {
    const asked = read<PendingApprovalPayload>(payload)
    addRequest(fold.requests, asked)
    if (asked.proposal !== undefined) fold.attempts = asked.attempt
    moveTo(fold, 'ESCALATED')
  },
  approval(fold, { payload }) {
    const to = addApproval(fold.requests, read<ApprovalPayload>(payload))
    if (to !== null) moveTo(fold, to)
  },
  accepted: (fold, entry) => foldIntent(fold, entry, 'ACCEPTED'),
  dispatch: foldDispatch,
  resend: foldResend,
  commit: foldCommit,
  settle: foldSettle,
  evidence: foldEvidence,
  delegation(fold, { payload }) {
    const { child_dfid, returned } = read<DelegationPayload>(payload)
    fold.children.add(child_dfid)
    if (returned !== undefined) fold.budget.add(returned, -1)
  },
}

function foldRejection(fold: FlowFold, { envelope, payload }: StoredEntry): void {
  const said = read<RejectionPayload>(payload)
  const { received, reason_code, ended_flow, snapshot_id, facts } = said
  if (snapshot_id !== undefined) fold.shown = { snapshot_id, at: envelope.at }
  if (received === '') {
    // By no proposal: cancelled, silent, expired, out of budget.
    if (ended_flow !== undefined || reason_code === 'FLOW_CANCELLED') moveTo(fold, 'ABORTED')
    return
  }
  fold.attempts = said.attempt
  const code = isReasonCode(reason_code) ? reason_code : null
  move(fold, (one) => {
    const state = ended_flow === undefined ? 'ACTIVE' : 'ABORTED'
    const judged: FlowStanding = { ...one, ...countRefusal(one, code), state }
    if (one.state === 'ACTIVE') return [judged]
    if (one.state !== 'ESCALATED') return [one]
    // What waited was released, and is refused; or the agent spoke while it waits.
    if (facts !== undefined) return facts.approval === null ? [one] : [judged]
    return [one, judged]
  })
  if (facts === undefined) endDoubtful(fold.requests)
  else endReleased(fold.requests, facts)
}

function foldIntent(
  fold: FlowFold,
  { envelope, payload }: StoredEntry,
  status: 'ACCEPTED' | 'DISPATCHED',
): void {
  const { attempt, intent, facts } = read<AcceptedPayload>(payload)
  claimStep(fold.steps, intent, toPosition(envelope), status)
  // Taking back moves no flow and costs nothing.
  if (intent.compensation !== undefined) return
  fold.attempts = attempt
  fold.budget.reserve(intent)
  endReleased(fold.requests, facts)
  moveTo(fold, status === 'ACCEPTED' ? 'ACCEPTED' : 'EXECUTING')
}

function toPosition({ trajectory, seq }: Position): Position {
  return { trajectory, seq }
}

function foldDispatch(fold: FlowFold, entry: StoredEntry): void {
  const payload = read<DispatchPayload | CarryOutPayload>(entry.payload)
  if ('intent' in payload) {
    foldIntent(fold, entry, 'DISPATCHED')
    return
  }
  const step = findStep(fold, payload.intent_id)
  if (step === undefined) return
  const { envelope } = entry
  const { now } = payload.facts
  const times = { dispatched_at: now, last_sent_at: now }
  const sent = {
    status: 'DISPATCHED',
    sends: 1,
    dispatched: toPosition(envelope),
    ...times,
  } as const
  fold.steps.set(step.intent.step_id, { ...step, ...sent })
  moveTo(fold, 'EXECUTING')
}

function foldResend(fold: FlowFold, { payload }: StoredEntry): void {
  const { body, facts } = read<ResendPayload>(payload)
  const step = findStep(fold, body.intent_id)
  if (step === undefined) return
  const sent = { status: 'DISPATCHED', sends: body.send, last_sent_at: facts.now } as const
  fold.steps.set(step.intent.step_id, { ...step, ...sent })
}

function findStep(fold: FlowFold, intentId: string): StepFold | undefined {
  return [...fold.steps.values()].find(({ intent }) => intent.intent_id === intentId)
}

/** Of which the entry says what became of it. */
function findEndedStep(fold: FlowFold, intentId: string): StepFold | undefined {
  const step = findStep(fold, intentId)
  return step !== undefined && fold.probed.before === intentId ? countProbe(step, true) : step
}

function foldCommit(fold: FlowFold, { envelope: { at }, payload: text }: StoredEntry): void {
  const payload = read<CommitPayload>(text)
  const step = findEndedStep(fold, payload.intent_id)
  if (step === undefined) return
  applyOutcome(fold.steps, step, { kind: 'commit', payload, at })
  fold.unknown = false
  if (step.intent.compensation !== undefined) return
  fold.budget.release(step.intent, payload.cost)
  moveTo(fold, fold.opening.flow.steps === 'one' ? 'CLOSED' : 'ACTIVE')
}

function foldSettle(fold: FlowFold, { envelope: { at }, payload: text }: StoredEntry): void {
  const payload = read<SettlePayload>(text)
  const step = findEndedStep(fold, payload.intent_id)
  if (step === undefined) return
  const { status, reason_code } = payload
  applyOutcome(fold.steps, step, { kind: 'settle', payload, at })
  fold.unknown = status === 'UNKNOWN'
  if (step.intent.compensation !== undefined) return
  if (step.status === 'ACCEPTED') {
    const code = isReasonCode(reason_code) ? reason_code : null
    fold.budget.release(step.intent, {})
    move(fold, (one) => [{ ...one, ...countRefusal(one, code) }])
    moveTo(fold, 'ACTIVE', 'ABORTED')
  } else if (status === 'FAILED') {
    fold.budget.release(step.intent, {})
    if (fold.opening.flow.steps === 'one') moveTo(fold, 'ABORTED')
    else moveTo(fold, 'ACTIVE', 'ABORTED')
  } else if (status === 'MANUAL_REVIEW') moveTo(fold, 'ESCALATED')
  else if (status === 'ABANDONED') moveTo(fold, 'ABORTED')
}

/** Of what an evidence entry may carry, that which moves a row. */
type Evidence = Partial<
  Pick<UsagePayload, 'used' | 'writ_id'> &
    Pick<RefreshPayload, 'snapshot_id'> &
    Pick<SagaPayload, 'status'>
> & { readonly source?: string; readonly intent_id?: string; readonly finding?: string }

function foldEvidence(fold: FlowFold, { envelope: { at }, payload }: StoredEntry): void {
  const {
    source,
    used,
    writ_id,
    snapshot_id,
    status,
    finding,
    intent_id = '',
  } = read<Evidence>(payload)
  const step = source === 'probe' ? findStep(fold, intent_id) : undefined
  if (step !== undefined) {
    fold.steps.set(step.intent.step_id, countProbe(step, false))
    fold.probed = { ...fold.probed, last: intent_id }
  }
  if ((source === 'agent' || source === 'model') && used !== undefined)
    fold.budget.report(writ_id, used)
  if (source === 'agent' && finding === 'closed') moveTo(fold, 'CLOSED')
  if (source === 'context' && snapshot_id !== undefined) fold.shown = { snapshot_id, at }
  if (source !== 'saga') return
  if (status === 'PARTIAL_SUCCESS_DIRTY') fold.dirty = true
  if (status === 'COMPENSATED' || status === 'SETTLED') fold.dirty = false
}

/** Entries that were held against the tree: their payloads are our own. */
function read<T>(payload: string | null): T {
  return JSON.parse(payload ?? '{}') as T
}
