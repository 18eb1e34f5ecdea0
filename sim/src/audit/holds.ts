/**
 * I6: effects on one resource never overlap beyond what there is of it.
 *
 * From the ledger alone: from its dispatch until its outcome is known, an effect holds what its intent
 * names. While nobody knows what became of it, it holds on.
 */
import type { Facts, SettlePayload, SignedIntent } from 'rubicon-kernel'
import { type AuditDecimal, addExact, isGreater, parseExact } from './decimal.ts'
import type { Line, Report } from './report.ts'
import { AuditedSourceReads } from './source-reads.ts'

type Need = SignedIntent['resources'][number]
export type StoredHold = {
  readonly resource: string
  readonly holder: string
  readonly amount: string
}

/** How long an accepted intent holds what it needs, by the time of the ledger. */
const HOLD_MS = 20_000
const RELEASES: readonly SettlePayload['status'][] = ['SUCCESS', 'FAILED', 'ABANDONED']

export class AuditedHolds {
  /** By resource, then by who holds it. */
  readonly #held = new Map<string, Map<string, Need>>()
  readonly #report: Report
  readonly sourceReads: AuditedSourceReads

  constructor(report: Report) {
    this.#report = report
    this.sourceReads = new AuditedSourceReads(report)
  }

  /** Called for the first dispatch of an intent; one that is sent again never let go. */
  auditDispatch(line: Line, intent: SignedIntent, facts?: Facts): void {
    const { trajectory, seq } = line
    if (facts !== undefined) this.sourceReads.auditDispatch(line, intent, facts)
    const holder = formatHolder(intent)
    for (const need of intent.resources) {
      const holds = this.#held.get(need.id) ?? new Map<string, Need>()
      this.#held.set(need.id, holds)
      const problem = findOverlap(
        need,
        [...holds].filter(([name]) => name !== holder).map(([, n]) => n),
      )
      if (problem !== null)
        this.#report('I6', `${trajectory}/${seq} dispatches onto ${need.id}: ${problem}`)
      holds.set(holder, need)
    }
  }

  /** An executor dispatches what was accepted before: as long as what it took then is held. */
  auditCarryOut({ trajectory, seq, at }: Line, intent: SignedIntent, acceptedAt: string): void {
    const until = Date.parse(acceptedAt) + HOLD_MS
    if (intent.resources.length > 0 && !(Date.parse(at) < until))
      this.#report(
        'I6',
        `${trajectory}/${seq} dispatches ${at}, its holds ended after ${acceptedAt}`,
      )
  }

  auditSettle(intent: SignedIntent, { status }: Pick<SettlePayload, 'status'>): void {
    if (RELEASES.includes(status)) this.releaseHolds(intent)
  }

  releaseHolds(intent: SignedIntent): void {
    this.sourceReads.recordSettled(intent)
    for (const { id } of intent.resources) this.#held.get(id)?.delete(formatHolder(intent))
  }

  /** What the store says is held must be what the ledger says, when nothing is open any more. */
  finish(stored: Iterable<StoredHold>): void {
    const left = new Map<string, string>()
    for (const [resource, holds] of this.#held)
      for (const [holder, { amount }] of holds) left.set(`${resource} by ${holder}`, amount)
    for (const { resource, holder, amount } of stored) {
      const name = `${resource} by ${holder}`
      if (left.get(name) !== amount) this.#report('I6', `${amount} of ${name} is held for nothing`)
      left.delete(name)
    }
    for (const name of left.keys()) this.#report('I6', `${name} is not held any more`)
  }
}

function formatHolder({ dfid, step_id }: SignedIntent): string {
  return `${dfid}:${step_id}`
}

/** Null when they fit side by side. */
function findOverlap({ amount, capacity }: Need, others: readonly Need[]): string | null {
  if (others.length > 0 && (capacity === undefined || others.some(isWhole)))
    return `it is held by ${others.length} others, and not shared`
  if (capacity === undefined) return null
  const taken = others.reduce(
    (sum, other) => addExact(sum, parseExact(other.amount)),
    parseExact(amount),
  )
  return isGreater(taken, parseExact(capacity)) ? `${text(taken)} of ${capacity} are taken` : null
}

function isWhole({ capacity }: Need): boolean {
  return capacity === undefined
}

function text({ units, places }: AuditDecimal): string {
  return places === 0 ? `${units}` : `${units}e-${places}`
}
