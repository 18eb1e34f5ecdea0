/**
 * I1, I2, I12: every effect at the provider stands on an earlier dispatch, a step is applied at most
 * once, and what is not known stays unknown until somebody found out.
 */
import type {
  CapabilityDescription,
  DispatchPayload,
  EvidencePayload,
  RedispatchPayload,
  SettlePayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { ProviderEvent } from '../provider.ts'
import type { Line, Report } from './report.ts'

export type Status = 'DISPATCHED' | SettlePayload['status']

type Step = {
  readonly intent: SignedIntent
  readonly accepted: boolean
  status: Status
  sends: number
  /** Findings since the outcome became unknown. */
  found: string[]
  /** Sends that reached the provider. */
  readonly received: Set<number>
  applied: number
  lied: boolean
}

const OPEN: readonly Status[] = ['DISPATCHED', 'UNKNOWN', 'NOT_APPLIED']

export class Steps {
  readonly #byIntent = new Map<string, Step>()
  readonly #byKey = new Map<string, Step>()
  readonly #claims = new Set<string>()
  readonly #classes = new Map<string, CapabilityDescription['effect']>()
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  ruled(capabilities: readonly CapabilityDescription[]): void {
    for (const { kind, effect } of capabilities) this.#classes.set(kind, effect)
  }

  intent(id: string): SignedIntent | undefined {
    return this.#byIntent.get(id)?.intent
  }

  all(): Iterable<Step> {
    return this.#byIntent.values()
  }

  dispatched(line: Line, { intent, trace, send }: DispatchPayload): void {
    const claim = `${intent.dfid} ${intent.step_id}`
    if (this.#claims.has(claim)) this.#report('I2', `${claim} was claimed twice`)
    this.#claims.add(claim)
    const accepted = trace.length === 10 && trace.every(({ said }) => said === 'pass')
    if (!accepted)
      this.#report('I1', `${line.trajectory}/${line.seq} dispatches what was not accepted`)
    if (send !== 1) this.#report('I12', `${claim} starts with send ${send}`)
    const step: Step = {
      intent,
      accepted,
      status: 'DISPATCHED',
      sends: 1,
      found: [],
      received: new Set(),
      applied: 0,
      lied: false,
    }
    this.#byIntent.set(intent.intent_id, step)
    this.#byKey.set(intent.idempotency_key, step)
  }

  redispatched(line: Line, { intent_id, send, why }: RedispatchPayload): SignedIntent | undefined {
    const step = this.#byIntent.get(intent_id)
    const wrong = (detail: string): void =>
      this.#report('I12', `${line.trajectory}/${line.seq} sends again: ${detail}`)
    if (step === undefined) {
      wrong('what was never sent')
      return undefined
    }
    const effect = this.#classes.get(step.intent.policy_kind)
    if (step.status !== (why === 'same_key' ? 'UNKNOWN' : 'NOT_APPLIED'))
      wrong(`it is ${step.status}`)
    if (effect === 'unsafe') wrong('it is unsafe')
    if (effect === 'queryable' && why === 'same_key') wrong('nobody proved it absent')
    if (send !== step.sends + 1) wrong(`send ${send} follows ${step.sends}`)
    step.sends = send
    this.#move(step, 'DISPATCHED')
    return step.intent
  }

  evidence({ intent_id, finding }: EvidencePayload): void {
    this.#byIntent.get(intent_id)?.found.push(finding)
  }

  settled(line: Line, { intent_id, status }: SettlePayload): SignedIntent | undefined {
    return this.#end(line, intent_id, status)
  }

  committed(line: Line, intentId: string): SignedIntent | undefined {
    return this.#end(line, intentId, 'SUCCESS')
  }

  #end(line: Line, intentId: string, to: Status): SignedIntent | undefined {
    const step = this.#byIntent.get(intentId)
    if (step === undefined) {
      this.#report('I12', `${line.trajectory}/${line.seq} settles what was never dispatched`)
      return undefined
    }
    const problem = leaving(step, to)
    if (problem !== null)
      this.#report(
        'I12',
        `${line.trajectory}/${line.seq}: from ${step.status} to ${to}: ${problem}`,
      )
    this.#move(step, to)
    return step.intent
  }

  #move(step: Step, to: Status): void {
    if (to !== 'UNKNOWN') step.found = []
    step.status = to
  }

  /** What the provider saw, at the moment it saw it. */
  outside(seen: ProviderEvent): void {
    const { event, key, kind } = seen
    const step = this.#byKey.get(key)
    if (step === undefined) {
      if (event === 'received') this.#report('I1', `${kind} ${key} was sent without a dispatch`)
      return
    }
    if (event === 'received') this.#received(step, seen)
    if (event === 'applied') this.#applied(step, seen)
    if (event === 'lied') step.lied = true
  }

  #received(step: Step, { key, send, kind, params }: ProviderEvent): void {
    if (send > step.sends) this.#report('I1', `send ${send} of ${kind} ${key} has no dispatch`)
    if (step.received.has(send))
      this.#report('I1', `send ${send} of ${kind} ${key} left twice on one dispatch`)
    if (step.status !== 'DISPATCHED')
      this.#report('I1', `${kind} ${key} was sent while it was ${step.status}`)
    if (JSON.stringify(params) !== JSON.stringify(step.intent.params))
      this.#report('I1', `${kind} ${key} was sent with other parameters`)
    step.received.add(send)
  }

  #applied(step: Step, { key, kind }: ProviderEvent): void {
    step.applied += 1
    if (step.applied > 1)
      this.#report('I2', `${kind} ${step.intent.step_id} ${key} was applied again`)
    if (step.status === 'FAILED' || step.status === 'NOT_APPLIED')
      this.#report('I12', `${kind} ${key} was applied after it was called ${step.status}`)
  }

  /** At the end nothing is open, and what was said of an effect is what happened. */
  finish(): void {
    for (const step of this.#byIntent.values()) {
      const { intent, status, applied, lied } = step
      const name = `${intent.policy_kind} ${intent.idempotency_key}`
      const isRead = this.#classes.get(intent.policy_kind) === 'read'
      if (OPEN.includes(status)) this.#report('I7', `${name} is still ${status}`)
      if (status === 'FAILED' && applied > 0)
        this.#report('I12', `${name} is FAILED, but was applied`)
      if (status === 'SUCCESS' && applied === 0 && !lied && !isRead)
        this.#report('I12', `${name} is SUCCESS, but was never applied`)
    }
  }
}

/** Null when the step may go there from where it is. */
function leaving({ status, found }: Step, to: Status): string | null {
  const because = found.at(-1)
  switch (status) {
    case 'DISPATCHED':
      return to === 'ABANDONED' ? 'nobody decided so' : null
    case 'UNKNOWN':
      if (to === 'MANUAL_REVIEW') return null
      if (to === 'SUCCESS') return because === 'applied' ? null : 'without evidence'
      if (to === 'FAILED' || to === 'NOT_APPLIED')
        return because === 'absent' ? null : 'without evidence'
      return 'it says nothing new'
    case 'NOT_APPLIED':
      return to === 'FAILED' ? null : 'it was not sent again'
    case 'MANUAL_REVIEW':
      return 'no person decided anything in here'
    default:
      return 'it was settled'
  }
}
