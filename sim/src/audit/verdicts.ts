/** I8: recorded facts lead to the recorded verdict, whoever runs the law on them. */
import type {
  CarryOutPayload,
  Contract,
  DecisionRecord,
  JsonValue,
  RejectionPayload,
  SignedIntent,
  Writ,
} from 'rubicon-kernel'
import type { AuditedAuthority } from './authority.ts'
import type { Line, Report } from './report.ts'

/** What the law says about recorded facts, in one line. */
export type Recompile = (input: {
  readonly facts: NonNullable<DecisionRecord['facts']>
  readonly proposal: JsonValue
  readonly contract: Contract | null
  readonly writs: readonly Writ[]
  readonly form: Form
}) => string

/** Decided from the start, or looked at once more by an executor. */
type Form = 'decided' | 'carried out'

type Again = Omit<Parameters<Recompile>[0], 'contract' | 'writs'>

/** What somebody else holds is not among the facts of a decision. */
const HELD: readonly string[] = [
  'RESOURCE_CONTENTION',
  'RESOURCE_CONTENTION_TIMEOUT',
  'RESOURCE_QUARANTINED',
  'INSUFFICIENT_LIQUIDITY',
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

  staged(line: Line, { intent_id }: SignedIntent): void {
    this.#decided(line, (again) => again === `staged ${intent_id}`)
  }

  suspended(line: Line): void {
    this.#decided(line, (again) => again === 'suspended')
  }

  rejected(line: Line, { reason_code }: RejectionPayload): void {
    this.#decided(line, (again) =>
      HELD.includes(reason_code)
        ? again.startsWith('staged ')
        : again === `rejected ${reason_code}`,
    )
  }

  /** The proposal stands in the entry that accepted it. */
  carriedOut(line: Line, { facts }: CarryOutPayload, decided: Line | undefined): void {
    const { proposal } = (decided?.payload ?? {}) as Partial<DecisionRecord>
    if (proposal === undefined) return
    this.#judge(line, { facts, proposal, form: 'carried out' }, (again) => again === 'carried out')
  }

  #decided(line: Line, agrees: (again: string) => boolean): void {
    const { facts, proposal } = line.payload as DecisionRecord
    if (facts === undefined || proposal === undefined) return
    this.#judge(line, { facts, proposal, form: 'decided' }, agrees)
  }

  #judge(line: Line, input: Again, agrees: (again: string) => boolean): void {
    if (this.#recompile === null) return
    const { facts } = input
    const contract = this.#authority.contracts.get(facts.contract?.hash ?? '')?.contract ?? null
    const writs = facts.writs.flatMap(({ id }) => this.#authority.writs.get(id) ?? [])
    const again = this.#recompile({ ...input, contract, writs })
    if (!agrees(again))
      this.#report('I8', `${line.trajectory}/${line.seq} is a ${line.kind}, the law says ${again}`)
  }
}
