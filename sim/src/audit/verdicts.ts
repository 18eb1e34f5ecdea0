/** I8: recorded facts lead to the recorded verdict, whoever runs the law on them. */
import type {
  CarryOutPayload,
  Contract,
  DecisionRecord,
  JsonValue,
  RejectionPayload,
  ResendPayload,
  SignedIntent,
  Writ,
} from 'rubicon-kernel'
import type { AuditedAuthority } from './authority.ts'
import type { Line, Report } from './report.ts'

/** What a decision was made on, as the ledger has it. */
export type RecordedDecision = {
  readonly facts: NonNullable<DecisionRecord['facts']>
  readonly proposal: JsonValue
  readonly contract: Contract | null
  readonly writs: readonly Writ[]
}

/** What the law says about recorded facts, in one line. */
export type Recompile = (input: RecordedDecision & { readonly form: Form }) => string

/** What a second reading of the law says to a decision, whatever was settled of it before; null: it lets it pass. */
export type ReadAgain = (input: RecordedDecision) => string | null

/** Decided from the start; looked at once more; or taken back on the authority of a choice. */
export type Form = 'decided' | 'carried out' | 'taken back'

type Again = Omit<Parameters<Recompile>[0], 'contract' | 'writs'>

/** What somebody else holds, says or waits for is not among the facts of a decision. */
const BESIDE: readonly string[] = [
  'RESOURCE_CONTENTION',
  'RESOURCE_CONTENTION_TIMEOUT',
  'RESOURCE_QUARANTINED',
  'INSUFFICIENT_LIQUIDITY',
  'SEMANTIC_MISMATCH',
  'ESCALATION_PENDING',
  'ESCALATION_BUDGET_EXHAUSTED',
  'APPROVAL_QUEUE_FULL',
  'PREEMPTED',
  'EVENT_HALTED',
]

/** Said before the last look at the outside, which might have refused it too. */
const EARLY: readonly string[] = ['ESCALATION_PENDING', 'PREEMPTED', 'EVENT_HALTED']
const LAST_LOOK: readonly string[] = [
  'rejected STATE_DRIFT_DETECTED',
  'rejected STATE_UNAVAILABLE',
  'rejected EXECUTION_CONSTRAINT_VIOLATED',
]

export class Verdicts {
  readonly #report: Report
  /** Null: verdicts are not judged again. */
  readonly #recompile: Recompile | null
  readonly #authority: AuditedAuthority

  constructor(report: Report, recompile: Recompile | null, authority: AuditedAuthority) {
    this.#report = report
    this.#recompile = recompile
    this.#authority = authority
  }

  /** What takes back stands on the decision that chose so. */
  auditStaged(line: Line, { intent_id, compensation }: SignedIntent): void {
    const decided = compensation?.chosen ?? intent_id
    this.#auditDecision(line, (again) => again === `staged ${decided}`)
  }

  auditSuspended(line: Line): void {
    this.#auditDecision(line, (again) => again === 'suspended')
  }

  auditRejected(line: Line, { reason_code }: RejectionPayload): void {
    this.#auditDecision(line, (again) => {
      if (!BESIDE.includes(reason_code)) return again === `rejected ${reason_code}`
      const passed = again.startsWith('staged ') || again === 'suspended'
      return passed || (EARLY.includes(reason_code) && LAST_LOOK.includes(again))
    })
  }

  auditResend(
    line: Line,
    { facts }: ResendPayload,
    proposal: JsonValue | undefined,
    form: 'carried out' | 'taken back',
  ): void {
    if (proposal === undefined) return
    this.#judge(line, { facts, proposal, form }, (again) => again === form)
  }

  /** The proposal stands in the entry that accepted it. */
  auditCarryOut(line: Line, { facts }: CarryOutPayload, decided: Line | undefined): void {
    const { proposal } = (decided?.payload ?? {}) as Partial<DecisionRecord>
    if (proposal === undefined) return
    this.#judge(line, { facts, proposal, form: 'carried out' }, (again) => again === 'carried out')
  }

  #auditDecision(line: Line, agrees: (again: string) => boolean): void {
    const { facts, proposal } = line.payload as DecisionRecord
    if (facts === undefined || proposal === undefined) return
    this.#judge(line, { facts, proposal, form: 'decided' }, agrees)
  }

  /** What a second reading says of a decision; null: it lets it pass. */
  askAgain(record: DecisionRecord, readAgain: ReadAgain): string | null {
    const recorded = this.#findRecorded(record)
    return recorded === null ? 'nothing, for want of facts' : readAgain(recorded)
  }

  /** With the documents that its facts name. */
  #findRecorded({
    facts,
    proposal,
  }: Pick<DecisionRecord, 'facts' | 'proposal'>): RecordedDecision | null {
    if (facts === undefined || proposal === undefined) return null
    const contract = this.#authority.contracts.get(facts.contract?.hash ?? '')?.contract ?? null
    const writs = facts.writs.flatMap(({ id }) => this.#authority.writs.get(id) ?? [])
    return { facts, proposal, contract, writs }
  }

  #judge(line: Line, input: Again, agrees: (again: string) => boolean): void {
    const recorded = this.#findRecorded(input)
    if (this.#recompile === null || recorded === null) return
    const again = this.#recompile({ ...recorded, form: input.form })
    if (!agrees(again))
      this.#report('I8', `${line.trajectory}/${line.seq} is a ${line.kind}, the law says ${again}`)
  }
}
