/**
 * I11: what was half done is taken back in the reverse order of its success, by a choice that was made,
 * and not while something has no outcome; or it is with a person. Each effect is taken back at most
 * once, by whomever: what a person has settled with its flow nobody touches again.
 */
import type {
  CapabilityDescription,
  CommitPayload,
  SagaPayload,
  SettlePayload,
  SignedIntent,
  WritPayload,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'
import { RESERVED } from './reserved.ts'

type Effect = {
  readonly intent: SignedIntent
  status: 'open' | 'review' | 'success' | 'over'
  /** Its place among all commits. */
  committed: number
  /** By a compensation, or on the word of a person. */
  undone: boolean
}

type Standing = SagaPayload['status']

/** Where a dirty flow may go from where it is. */
const NEXT: Readonly<Record<Standing, readonly Standing[]>> = {
  PARTIAL_SUCCESS_DIRTY: ['COMPENSATING', 'MANUAL_REVIEW', 'COMPENSATED', 'SETTLED'],
  COMPENSATING: ['MANUAL_REVIEW', 'COMPENSATED', 'SETTLED'],
  MANUAL_REVIEW: ['MANUAL_REVIEW', 'COMPENSATED', 'SETTLED'],
  COMPENSATED: ['PARTIAL_SUCCESS_DIRTY'],
  SETTLED: ['PARTIAL_SUCCESS_DIRTY'],
}

const CLEAN: readonly Standing[] = ['COMPENSATED', 'SETTLED']
/** What an agent may still do while something of it is half done. */
const IN_MAINTENANCE: readonly string[] = ['COMPENSATE', 'ESCALATE', 'RETIRE']

export class AuditedSagas {
  readonly #report: Report
  readonly #parents = new Map<string, string>()
  readonly #agents = new Map<string, string>()
  readonly #effects = new Map<string, Effect>()
  readonly #standings = new Map<string, Standing>()
  /** The undoing that a saga is stuck on, by its flow. */
  readonly #stuck = new Map<string, string>()
  /** Undoings that have no outcome yet. */
  readonly #undoing = new Map<string, SignedIntent>()
  readonly #reads = new Set<string>()
  #commits = 0

  constructor(report: Report) {
    this.#report = report
  }

  recordCapabilities(capabilities: readonly CapabilityDescription[]): void {
    for (const { kind, effect } of capabilities) if (effect === 'read') this.#reads.add(kind)
  }

  recordFlow({ dfid, agent_id, parent_dfid }: NonNullable<WritPayload['flow']>): void {
    this.#agents.set(dfid, agent_id)
    if (parent_dfid !== undefined) this.#parents.set(dfid, parent_dfid)
  }

  /** By the last entry of each: where dirty flows stand, and the undoing that those wait for who wait for a person. */
  getEnd(): {
    readonly standings: ReadonlyMap<string, Standing>
    readonly stuck: ReadonlyMap<string, string>
  } {
    return { standings: this.#standings, stuck: this.#stuck }
  }

  auditSagaMove(line: Line, payload: SagaPayload): void {
    const { dfid = '', trajectory, seq } = line
    const { status } = payload
    const before = this.#standings.get(dfid)
    const may =
      before === undefined ? status === 'PARTIAL_SUCCESS_DIRTY' : isNextStanding(before, status)
    if (!may) this.#report('I11', `${trajectory}/${seq}: ${dfid} goes from ${before} to ${status}`)
    this.#standings.set(dfid, status)
    if (status === 'COMPENSATING') this.#auditBeginning(line, payload)
    const { stuck } = payload.details
    if (status === 'MANUAL_REVIEW' && typeof stuck === 'string') this.#stuck.set(dfid, stuck)
    else this.#stuck.delete(dfid)
    if ('by' in payload.details) this.#auditPersonSettlement(line, payload)
    else if (status === 'COMPENSATED') this.#checkNothingLeftBelow(line)
  }

  /** Behind the choice: until then what it would take back may be all that there is to do. */
  #auditBeginning({ dfid = '', trajectory, seq }: Line, { details }: SagaPayload): void {
    const chosen = this.#findChoice(String(details.intent_id))
    if (chosen?.root !== dfid || chosen.action !== details.action)
      this.#report('I11', `${trajectory}/${seq}: ${dfid} is taken back, and nobody has chosen so`)
  }

  /** Without the word of a person everything was taken back, or has failed. */
  #checkNothingLeftBelow({ dfid = '', trajectory, seq }: Line): void {
    for (const { intent, status, undone } of this.#effects.values())
      if (status !== 'over' && !undone && this.#isBelow(intent.dfid, dfid))
        this.#report(
          'I11',
          `${trajectory}/${seq}: ${dfid} is COMPENSATED, ${intent.step_id} stands`,
        )
  }

  /** A person's word is about everything that stands, and nothing of that is on its way. */
  #auditPersonSettlement(
    { dfid = '', trajectory, seq }: Line,
    { settles = [] }: SagaPayload,
  ): void {
    const reportProblem = (detail: string): void =>
      this.#report('I11', `${trajectory}/${seq} settles ${dfid}: ${detail}`)
    for (const [id, effect] of this.#effects) {
      if (!this.#isBelow(effect.intent.dfid, dfid)) continue
      if (effect.status === 'open') reportProblem(`${effect.intent.step_id} has no outcome`)
      const stands = !effect.undone && (effect.status === 'success' || effect.status === 'review')
      const isNamed = settles.some((named) => named === id)
      if (stands !== isNamed)
        reportProblem(`${effect.intent.step_id} ${stands ? 'stands' : 'does not'}`)
      if (stands) effect.undone = true
    }
    for (const undo of this.#undoing.values())
      if (this.#isBelow(undo.dfid, dfid)) reportProblem(`${undo.step_id} is on its way`)
  }

  auditResend({ trajectory, seq }: Line, { compensation }: SignedIntent): void {
    if (this.#effects.get(compensation?.of ?? '')?.undone === true)
      this.#report('I11', `${trajectory}/${seq} takes back again what was taken back before`)
  }

  auditDecision(line: Line, intent: SignedIntent): void {
    if (intent.compensation !== undefined) {
      this.#auditUndo(line, intent)
      return
    }
    const status = this.#isWithoutEffect(intent) ? 'over' : 'open'
    this.#effects.set(intent.intent_id, { intent, status, committed: -1, undone: false })
  }

  /** Whenever something is sent that takes nothing back. */
  auditDispatch(
    { trajectory, seq }: Line,
    { agent_id, policy_kind, compensation }: SignedIntent,
  ): void {
    if (compensation !== undefined || IN_MAINTENANCE.includes(policy_kind)) return
    for (const [dfid, standing] of this.#standings)
      if (!CLEAN.includes(standing) && this.#agents.get(dfid) === agent_id)
        this.#report('I11', `${trajectory}/${seq}: ${agent_id} goes on, and ${dfid} is ${standing}`)
  }

  #isWithoutEffect({ policy_kind }: SignedIntent): boolean {
    return this.#reads.has(policy_kind) || RESERVED.includes(policy_kind)
  }

  #auditUndo(line: Line, intent: SignedIntent): void {
    const { compensation } = intent
    const reportProblem = (detail: string): void =>
      this.#report('I11', `${line.trajectory}/${line.seq} takes back: ${detail}`)
    const of = this.#effects.get(compensation?.of ?? '')
    const chosen = this.#findChoice(compensation?.chosen ?? '')
    if (of === undefined || chosen === null) {
      reportProblem('what nobody did, or nobody chose')
      return
    }
    if (of.status !== 'success') reportProblem('what did not succeed')
    if (of.undone) reportProblem('it was taken back before')
    if (chosen.action !== compensation?.action) reportProblem('by another choice')
    const { root } = chosen
    if (!this.#isBelow(of.intent.dfid, root)) reportProblem(`what does not belong to ${root}`)
    const standing = this.#standings.get(root)
    if (standing !== 'COMPENSATING' && standing !== 'MANUAL_REVIEW')
      reportProblem(`${root} is ${standing}`)
    for (const other of this.#effects.values()) {
      if (other === of || !this.#isBelow(other.intent.dfid, root)) continue
      if (other.status === 'open' || (other.status === 'review' && !other.undone))
        reportProblem(`${other.intent.step_id} has no outcome`)
      if (other.status === 'success' && !other.undone && other.committed > of.committed)
        reportProblem(`${other.intent.step_id} came after it, and stands`)
    }
    for (const other of this.#undoing.values())
      if (this.#isBelow(other.dfid, root)) reportProblem(`${other.step_id} is on its way`)
    this.#undoing.set(intent.intent_id, intent)
  }

  /** What somebody chose, or what a proven intent that has failed had fixed for that. */
  #findChoice(id: string): { readonly action: unknown; readonly root: string } | null {
    const { intent, status } = this.#effects.get(id) ?? {}
    if (intent === undefined || intent.compensation !== undefined) return null
    if (intent.policy_kind === 'COMPENSATE')
      return { action: intent.params.action, root: String(intent.params.dfid) }
    const isFixed = intent.on_failure === 'REVERT_STATE' && status === 'over'
    return isFixed ? { action: 'REVERT', root: intent.dfid } : null
  }

  auditCommit({ intent_id, compensates }: CommitPayload): void {
    this.#commits += 1
    this.#undoing.delete(intent_id)
    const undone = this.#effects.get(compensates ?? '')
    if (undone?.undone === true) this.#report('I11', `${compensates} was taken back twice`)
    if (undone !== undefined) undone.undone = true
    const effect = this.#effects.get(intent_id)
    if (effect === undefined || effect.status === 'over') return
    effect.status = 'success'
    effect.committed = this.#commits
  }

  auditSettle({ intent_id, status }: SettlePayload): void {
    const effect = this.#effects.get(intent_id)
    if (status === 'MANUAL_REVIEW' && effect?.status === 'open') effect.status = 'review'
    if (status !== 'FAILED' && status !== 'ABANDONED') return
    this.#undoing.delete(intent_id)
    if (effect !== undefined) effect.status = 'over'
  }

  #isBelow(dfid: string, root: string): boolean {
    for (let at: string | undefined = dfid; at !== undefined; at = this.#parents.get(at))
      if (at === root) return true
    return false
  }
}

function isNextStanding(from: Standing, to: Standing): boolean {
  return NEXT[from].includes(to)
}
