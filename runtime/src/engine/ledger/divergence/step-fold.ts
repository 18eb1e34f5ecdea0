/** What the ledger says of one step: its claim, and what became of it. */
import {
  type CommitPayload,
  type ExecutionStatus,
  isSettled,
  type JsonObject,
  type JsonValue,
  type Position,
  type SettlePayload,
  type SignedIntent,
} from 'rubicon-kernel'

export type StepFold = {
  readonly intent: SignedIntent
  readonly status: ExecutionStatus
  readonly sends: number
  /** How often it was looked into. An entry does not say whether the look that settled it was counted. */
  readonly probes: { readonly least: number; readonly most: number }
  readonly dispatched: Position
  /** As of which it was decided to dispatch it, and to send it last. */
  readonly dispatched_at: string
  readonly last_sent_at: string
  readonly reason_code: string | null
  readonly details: JsonObject | null
  /** Of the ledger: a row's own is a little earlier. Null: not settled. */
  readonly settled_at: string | null
  /** Of what was applied: the result is one of these, or there was none. */
  readonly observations: readonly JsonValue[]
  readonly receipt: JsonValue
}

export function claimStep(
  steps: Map<string, StepFold>,
  intent: SignedIntent,
  dispatched: Position,
  status: 'ACCEPTED' | 'DISPATCHED',
): void {
  steps.set(intent.step_id, {
    intent,
    status,
    sends: status === 'ACCEPTED' ? 0 : 1,
    probes: { least: 0, most: 0 },
    dispatched,
    dispatched_at: intent.staged_at,
    last_sent_at: intent.staged_at,
    reason_code: null,
    details: null,
    settled_at: null,
    observations: [],
    receipt: null,
  })
}

/** An entry says what a probe found; `settled`: the next entry says that it ended the doubt. */
export function countProbe(step: StepFold, settled: boolean): StepFold {
  const { least, most } = step.probes
  const probes = settled ? { least: least - 1, most } : { least: least + 1, most: most + 1 }
  return { ...step, probes }
}

export type StepOutcome =
  | { readonly kind: 'commit'; readonly payload: CommitPayload; readonly at: string }
  | { readonly kind: 'settle'; readonly payload: SettlePayload; readonly at: string }

export function applyOutcome(
  steps: Map<string, StepFold>,
  step: StepFold,
  { kind, payload, at }: StepOutcome,
): void {
  const { step_id } = step.intent
  if (kind === 'commit') {
    const { observations, receipt } = payload
    const done = { status: 'SUCCESS', reason_code: null, details: null, settled_at: at } as const
    steps.set(step_id, { ...step, ...done, observations, receipt })
    return
  }
  const { status, reason_code, details } = payload
  // What was accepted and never sent gives its claim back.
  if (step.status === 'ACCEPTED') steps.delete(step_id)
  else {
    const settled_at = isSettled(status) ? at : null
    steps.set(step_id, { ...step, status, reason_code, details, settled_at })
  }
}
