/**
 * I1, I2, I12: every effect at the provider stands on an earlier dispatch, a step is applied at most
 * once, and what is not known stays unknown until somebody found out.
 */
import type {
  AcceptedPayload,
  CapabilityDescription,
  CarryOutPayload,
  DispatchPayload,
  EvidencePayload,
  ResendPayload,
  SettlePayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { ProviderEvent } from '../provider.ts'
import type { Line, Report } from './report.ts'

export type Status = 'ACCEPTED' | 'DISPATCHED' | SettlePayload['status']

type Step = {
  readonly intent: SignedIntent
  /** Where its intent stands: `trajectory/seq`. */
  readonly place: string
  status: Status
  sends: number
  /** Findings since the outcome became unknown, and who found them. */
  found: Pick<EvidencePayload, 'source' | 'finding'>[]
  /** The last of the sends that somebody else gave up, since their engine seemed to be dead. */
  orphaned: number
  /** Sends that reached the provider. */
  readonly received: Set<number>
  applied: number
  lied: boolean
}

/** What may have become of a step while a send was on its way that its engine was given up on. */
const BEHIND_ITS_BACK: readonly Status[] = ['UNKNOWN', 'SUCCESS', 'MANUAL_REVIEW']
const OPEN: readonly Status[] = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED']

export class Steps {
  readonly #byIntent = new Map<string, Step>()
  readonly #byKey = new Map<string, Step>()
  readonly #claims = new Set<string>()
  readonly #classes = new Map<string, CapabilityDescription['effect']>()
  /** Kinds that reach nobody outside. */
  readonly #inside = new Set<string>()
  readonly #report: Report
  /** A process that was taken for dead may live, and what it dispatched before may still leave. */
  readonly #shared: boolean

  constructor(report: Report, shared: boolean) {
    this.#report = report
    this.#shared = shared
  }

  recordCapabilities(capabilities: readonly CapabilityDescription[]): void {
    for (const { kind, effect, world_only } of capabilities) {
      this.#classes.set(kind, effect)
      // Of files see `artifact-files.ts`.
      if (world_only || kind.startsWith('artifact.')) this.#inside.add(kind)
    }
  }

  findIntent(id: string): SignedIntent | undefined {
    return this.#byIntent.get(id)?.intent
  }

  listSteps(): Iterable<Step> {
    return this.#byIntent.values()
  }

  /** Decided, and left to an executor: nothing may reach the provider yet. */
  auditAccepted(line: Line, decided: AcceptedPayload): void {
    this.#claim(line, decided, 'ACCEPTED', 0)
  }

  auditDispatch(line: Line, decided: DispatchPayload): void {
    if (decided.send !== 1)
      this.#report('I12', `${formatPlace(line)} starts with send ${decided.send}`)
    this.#claim(line, decided, 'DISPATCHED', 1)
  }

  #claim(
    line: Line,
    { intent, trace, proposal }: AcceptedPayload,
    status: Status,
    sends: number,
  ): void {
    const claim = formatClaim(intent)
    if (this.#claims.has(claim)) this.#report('I2', `${claim} was claimed twice`)
    this.#claims.add(claim)
    // What asked for somebody was approved: see `approvals.ts`.
    const wanted = 10 + countStagesBefore(proposal, intent)
    const isAll = trace.length === wanted
    if (!isAll || !trace.every(({ said }) => said === 'pass' || said === 'suspend'))
      this.#report('I1', `${formatPlace(line)} lets through what did not pass`)
    if (this.#byIntent.has(intent.intent_id))
      this.#report('I2', `${formatPlace(line)} has the intent of an earlier entry`)
    const step: Step = {
      intent,
      place: formatPlace(line),
      status,
      sends,
      found: [],
      orphaned: 0,
      received: new Set(),
      applied: 0,
      lied: false,
    }
    this.#byIntent.set(intent.intent_id, step)
    this.#byKey.set(intent.idempotency_key, step)
  }

  auditCarryOut(
    line: Line,
    { intent_id, accepted, send }: CarryOutPayload,
  ): SignedIntent | undefined {
    const step = this.#byIntent.get(intent_id)
    const reportProblem = (detail: string): void =>
      this.#report('I1', `${formatPlace(line)} carries out: ${detail}`)
    if (step === undefined) {
      reportProblem('what was never accepted')
      return undefined
    }
    const { trajectory, dfid } = step.intent
    if (step.status !== 'ACCEPTED') reportProblem(`what is ${step.status}`)
    if (step.place !== `${accepted.trajectory}/${accepted.seq}`) reportProblem('from another place')
    if (line.trajectory !== trajectory || line.dfid !== dfid) reportProblem("another flow's intent")
    if (send !== 1) reportProblem(`with send ${send}`)
    step.sends = 1
    this.#move(step, 'DISPATCHED')
    return step.intent
  }

  auditResend(line: Line, { body }: ResendPayload): SignedIntent | undefined {
    const { intent_id, send, why } = body
    const step = this.#byIntent.get(intent_id)
    const reportProblem = (detail: string): void =>
      this.#report('I12', `${formatPlace(line)} sends again: ${detail}`)
    if (step === undefined) {
      reportProblem('what was never sent')
      return undefined
    }
    const effect = this.#classes.get(parseCapabilityKind(step.intent))
    if (step.status !== (why === 'same_key' ? 'UNKNOWN' : 'NOT_APPLIED'))
      reportProblem(`it is ${step.status}`)
    if (effect === 'unsafe') reportProblem('it is unsafe')
    if (effect === 'queryable' && why === 'same_key') reportProblem('nobody proved it absent')
    if (send !== step.sends + 1) reportProblem(`send ${send} follows ${step.sends}`)
    step.sends = send
    this.#move(step, 'DISPATCHED')
    return step.intent
  }

  recordEvidence({ intent_id, source, finding }: EvidencePayload): void {
    const step = this.#byIntent.get(intent_id)
    step?.found.push({ source, finding })
    if (step !== undefined && finding === 'interrupted') step.orphaned = step.sends
  }

  /** Nothing of it was sent yet. */
  isAccepted(intentId: string): boolean {
    return this.#byIntent.get(intentId)?.status === 'ACCEPTED'
  }

  auditSettle(line: Line, { intent_id, status }: SettlePayload): SignedIntent | undefined {
    return this.#end(line, intent_id, status)
  }

  auditCommit(line: Line, intentId: string): SignedIntent | undefined {
    return this.#end(line, intentId, 'SUCCESS')
  }

  #end(line: Line, intentId: string, to: Status): SignedIntent | undefined {
    const step = this.#byIntent.get(intentId)
    if (step === undefined) {
      this.#report('I12', `${formatPlace(line)} settles what was never dispatched`)
      return undefined
    }
    const problem = findTransitionProblem(step, to)
    if (problem !== null)
      this.#report('I12', `${formatPlace(line)}: from ${step.status} to ${to}: ${problem}`)
    // Nothing was sent, so that the step is free again.
    if (step.status === 'ACCEPTED') this.#claims.delete(formatClaim(step.intent))
    this.#move(step, to)
    return step.intent
  }

  #move(step: Step, to: Status): void {
    if (to !== 'UNKNOWN') step.found = []
    step.status = to
  }

  /** What the provider saw, at the moment it saw it. */
  auditProviderEvent(seen: ProviderEvent): void {
    const { event, key, kind } = seen
    const step = this.#byKey.get(key)
    if (step === undefined) {
      if (event === 'received') this.#report('I1', `${kind} ${key} was sent without a dispatch`)
      return
    }
    if (event === 'received') this.#auditReceived(step, seen)
    if (event === 'applied') this.#auditApplied(step, seen)
    if (event === 'lied') step.lied = true
  }

  #auditReceived(step: Step, { key, send, kind, params }: ProviderEvent): void {
    if (send > step.sends) this.#report('I1', `send ${send} of ${kind} ${key} has no dispatch`)
    if (step.received.has(send))
      this.#report('I1', `send ${send} of ${kind} ${key} left twice on one dispatch`)
    const late = this.#shared && send <= step.orphaned && BEHIND_ITS_BACK.includes(step.status)
    if (step.status !== 'DISPATCHED' && !late)
      this.#report('I1', `${kind} ${key} was sent while it was ${step.status}`)
    if (JSON.stringify(params) !== JSON.stringify(step.intent.params))
      this.#report('I1', `${kind} ${key} was sent with other parameters`)
    step.received.add(send)
  }

  #auditApplied(step: Step, { key, kind }: ProviderEvent): void {
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
      const kind = parseCapabilityKind(intent)
      const isInside = this.#classes.get(kind) === 'read' || this.#inside.has(kind)
      if (OPEN.includes(status)) this.#report('I7', `${name} is still ${status}`)
      if (status === 'FAILED' && applied > 0)
        this.#report('I12', `${name} is FAILED, but was applied`)
      if (status === 'SUCCESS' && applied === 0 && !lied && !isInside)
        this.#report('I12', `${name} is SUCCESS, but was never applied`)
    }
  }
}

function formatClaim({ dfid, step_id }: SignedIntent): string {
  return `${dfid} ${step_id}`
}

/** What takes back is sent as the capability of what it takes back. */
function parseCapabilityKind({ capability }: SignedIntent): string {
  return capability.slice(0, capability.lastIndexOf('@'))
}

function formatPlace({ trajectory, seq }: Line): string {
  return `${trajectory}/${seq}`
}

/** Null when the step may go there from where it is. */
function findTransitionProblem({ status, found }: Step, to: Status): string | null {
  const { source, finding: because } = found.at(-1) ?? {}
  switch (status) {
    case 'ACCEPTED':
      return to === 'ABANDONED' ? null : 'it was never dispatched'
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
      if (source !== 'person') return 'no person said so'
      if (to === 'SUCCESS') return because === 'applied' ? null : 'he says otherwise'
      if (to === 'FAILED') return because === 'absent' ? null : 'he says otherwise'
      return to === 'ABANDONED' ? null : 'it is with a person already'
    default:
      return 'it was settled'
  }
}

/** A proof is looked at before the others, and so is an atom, but for what was approved. */
function countStagesBefore(proposal: unknown, { approval }: SignedIntent): number {
  const { evidence_hash, atom_id } = (proposal ?? {}) as Readonly<Record<string, unknown>>
  const isUnderAtom = atom_id !== undefined && approval === undefined
  return (evidence_hash === undefined ? 0 : 1) + (isUnderAtom ? 1 : 0)
}
