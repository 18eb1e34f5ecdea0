/** I10: reserved plus spent never exceeds what was granted, at no prefix of the ledger. */
import type {
  CommitPayload,
  Contract,
  DelegationPayload,
  SettlePayload,
  SignedIntent,
  UsagePayload,
  Writ,
} from 'rubicon-kernel'
import { toMillionths } from './micro.ts'
import type { Report } from './report.ts'
import { AuditedWindows } from './windows.ts'

/** Measures that are counted whole; others in millionths. */
const SCALES: Readonly<Record<string, bigint>> = { calls: 1_000_000n, tokens: 1_000_000n }

type Amounts = Readonly<Record<string, string>>

export class AuditedBudget {
  /** Micro-units by writ nonce and measure. */
  readonly #used = new Map<string, bigint>()
  readonly #report: Report
  readonly #writ: (id: string) => Writ | undefined

  readonly #windows: AuditedWindows

  constructor(
    report: Report,
    writ: (id: string) => Writ | undefined,
    contract: (hash: string) => Contract | undefined,
  ) {
    this.#report = report
    this.#writ = writ
    this.#windows = new AuditedWindows(report, contract)
  }

  auditDelegation({ writ_id, returned }: DelegationPayload): void {
    const child = this.#writ(writ_id)
    const parent = this.#writ(child?.body.parent ?? '')
    if (child === undefined || parent === undefined) this.#report('I10', 'a child without writs')
    else if (returned === undefined) this.#reserve(parent, child.body.budget)
    else {
      this.#reserve(child, returned)
      this.#release(parent.id, returned, {})
      for (const [measure, amount] of Object.entries(returned))
        this.#add(child, measure, -toMillionths(amount))
    }
  }

  #add({ body: { nonce } }: Writ, measure: string, by: bigint): void {
    const name = `${nonce}:${measure}`
    this.#used.set(name, (this.#used.get(name) ?? 0n) + by)
  }

  /** With the entry that holds the intent: its dispatch, or the one that accepted it before. */
  auditDecision(intent: SignedIntent): void {
    const { writ_id, cost } = intent
    this.#windows.auditDecision(intent)
    const writ = this.#writ(writ_id)
    if (writ === undefined) this.#report('I10', 'an intent without its writ')
    else this.#reserve(writ, cost)
  }

  auditCommit(intent: SignedIntent, { cost: spent }: CommitPayload): void {
    this.#windows.auditRelease(intent, spent)
    this.#release(intent.writ_id, intent.cost, spent)
  }

  /** What a person gives up counts as spent; what was never sent goes back. */
  auditSettle(intent: SignedIntent, { status }: SettlePayload, unsent: boolean): void {
    if (status !== 'FAILED' && (status !== 'ABANDONED' || !unsent)) return
    this.#windows.auditRelease(intent, {})
    this.#release(intent.writ_id, intent.cost, {})
  }

  /** What an agent says of itself may pass what was granted: it is counted all the same. */
  auditUsage({ writ_id, used }: UsagePayload): void {
    const writ = this.#writ(writ_id)
    if (writ === undefined) this.#report('I10', 'a report of usage without its writ')
    else
      for (const [measure, by] of Object.entries(used)) this.#add(writ, measure, toMillionths(by))
  }

  /** What the ledger says of a writ, in the unit of its counter. */
  countUsed(nonce: string, measure: string): bigint {
    return (this.#used.get(`${nonce}:${measure}`) ?? 0n) / (SCALES[measure] ?? 1n)
  }

  /** What the store counts must be what the ledger says. */
  finish(counters: ReadonlyMap<string, number>): void {
    for (const [name, used] of this.#used) {
      const scale = SCALES[name.slice(name.indexOf(':') + 1)] ?? 1n
      const counted = counters.get(name)
      if (BigInt(counted ?? 0) * scale !== used)
        this.#report('I10', `counter ${name} is ${counted}, the ledger says ${used}`)
    }
  }

  #reserve({ body: { nonce, budget } }: Writ, cost: Amounts): void {
    for (const [measure, amount] of Object.entries(cost)) {
      const name = `${nonce}:${measure}`
      const used = (this.#used.get(name) ?? 0n) + toMillionths(amount)
      this.#used.set(name, used)
      const granted = toMillionths(budget[measure] ?? '0')
      if (used > granted)
        this.#report('I10', `${measure} of ${nonce}: ${used} of ${granted} millionths are taken`)
    }
  }

  #release(writId: string, held: Amounts, spent: Amounts): void {
    const nonce = this.#writ(writId)?.body.nonce
    for (const [measure, amount] of Object.entries(held)) {
      const name = `${nonce}:${measure}`
      const kept = toMillionths(spent[measure] ?? '0')
      const back = kept < toMillionths(amount) ? toMillionths(amount) - kept : 0n
      const used = (this.#used.get(name) ?? 0n) - back
      this.#used.set(name, used)
      if (used < 0n) this.#report('I10', `${measure} of ${nonce} was given back twice`)
    }
  }
}
