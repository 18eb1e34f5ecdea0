/** I10, over all flows: what an agent has taken of its window never exceeds what its contract grants. */
import type { Contract, SignedIntent } from 'rubicon-kernel'
import { toMillionths } from './micro.ts'
import type { Report } from './report.ts'

type Amounts = Readonly<Record<string, string>>

export class AuditedWindows {
  readonly #report: Report
  readonly #contract: (hash: string) => Contract | undefined
  readonly #used = new Map<string, bigint>()

  constructor(report: Report, contract: (hash: string) => Contract | undefined) {
    this.#report = report
    this.#contract = contract
  }

  auditDecision(intent: SignedIntent): void {
    for (const { name, most, held } of this.#listWindowParts(intent)) {
      const used = (this.#used.get(name) ?? 0n) + held
      this.#used.set(name, used)
      if (used > most) this.#report('I10', `${name}: ${used} of ${most} millionths are taken`)
    }
  }

  /** What was not spent goes back where it was taken. */
  auditRelease(intent: SignedIntent, spent: Amounts): void {
    for (const { name, measure, held } of this.#listWindowParts(intent)) {
      const kept = toMillionths(spent[measure] ?? '0')
      const used = (this.#used.get(name) ?? 0n) - (kept < held ? held - kept : 0n)
      this.#used.set(name, used)
      if (used < 0n) this.#report('I10', `${name} was given back twice`)
    }
  }

  #listWindowParts({
    contract_hash,
    staged_at,
    cost,
    compensation,
  }: SignedIntent): readonly Part[] {
    const contract = this.#contract(contract_hash)
    const { window_s, ...amounts } = contract?.safety_rules.budget_per_agent ?? {}
    // Taking back is free.
    if (contract === undefined || window_s === undefined || compensation !== undefined) return []
    const owner = contract.instance_of ?? contract.agent_id
    const number = Math.floor(Date.parse(staged_at) / (Number(window_s) * 1000))
    return Object.entries(amounts).map(([measure, most]) => ({
      name: `${owner} ${window_s} ${number} ${measure}`,
      measure,
      most: toMillionths(most),
      held: toMillionths(cost[measure] ?? '0'),
    }))
  }
}

type Part = {
  readonly name: string
  readonly measure: string
  readonly most: bigint
  readonly held: bigint
}
