/** What became of the cases. */
import type { Change } from './changes.ts'
import type { Excuse } from './harmless.ts'

export type AtRestReport = {
  readonly cases: number
  readonly missed: number
  /** Notes or heads that were signed over a ledger that somebody had changed. */
  readonly signed_over: number
  /** Untouched stores that were not taken for what they are. */
  readonly false_alarms: number
  readonly found: Readonly<Record<FoundBy, number>>
  /** Changed, and known to change nothing: by the reason. */
  readonly harmless: Readonly<Record<string, number>>
  /** Changed, and nothing that was signed says so: by what was done. The documentation says each of them. */
  readonly out_of_reach: Readonly<Record<string, number>>
  /** Of each part of the store: cases, and those that were missed. */
  readonly by_class: Readonly<Record<string, { readonly cases: number; readonly missed: number }>>
  readonly examples: readonly string[]
}

export type FoundBy = 'start' | 'use' | 'verifiers'

const EXAMPLES = 40

export class AtRestTally {
  readonly #found: Record<FoundBy, number> = { start: 0, use: 0, verifiers: 0 }
  readonly #excused: Record<Excuse['as'], Record<string, number>> = {
    harmless: {},
    out_of_reach: {},
  }
  readonly #classes: Record<string, { cases: number; missed: number }> = {}
  readonly #examples: string[] = []
  #cases = 0
  #missed = 0
  #signedOver = 0
  #falseAlarms = 0

  recordFound({ target }: Change, by: FoundBy): void {
    this.#count(target.name)
    this.#found[by] += 1
  }

  /** Of what went on oddly no excuse is taken. */
  recordUnseen(change: Change, what: string, excuse: Excuse | null, rest: readonly string[]): void {
    const row = this.#count(change.target.name)
    if (excuse !== null && rest.length === 0) {
      const counts = this.#excused[excuse.as]
      counts[excuse.because] = (counts[excuse.because] ?? 0) + 1
      return
    }
    row.missed += 1
    this.#missed += 1
    this.#examples.push(`${change.target.name}: ${what} (${rest.slice(0, 3).join('; ')})`)
  }

  recordSignedOver(what: string): void {
    this.#signedOver += 1
    this.#examples.push(`signed over: ${what}`)
  }

  recordFalseAlarm(what: string): void {
    this.#falseAlarms += 1
    this.#examples.push(`untouched: ${what}`)
  }

  report(): AtRestReport {
    return {
      cases: this.#cases,
      missed: this.#missed,
      signed_over: this.#signedOver,
      false_alarms: this.#falseAlarms,
      found: this.#found,
      harmless: this.#excused.harmless,
      out_of_reach: this.#excused.out_of_reach,
      by_class: this.#classes,
      examples: this.#examples.slice(0, EXAMPLES),
    }
  }

  #count(name: string): { cases: number; missed: number } {
    this.#cases += 1
    const row = this.#classes[name] ?? { cases: 0, missed: 0 }
    row.cases += 1
    this.#classes[name] = row
    return row
  }
}
