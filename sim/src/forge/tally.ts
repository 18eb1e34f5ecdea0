/** Who missed what, and who saw what was not there. */
import type { Forgery } from './forgery.ts'
import type { HonestFile, HonestKind } from './honest-files.ts'

/** The codes that each of them found. */
export type FoundCodes = Readonly<Record<'rubicon' | 'oracle' | 'law', readonly string[]>>

type Class = { cases: number; missed: number }

export type ForgeReport = {
  readonly cases: number
  readonly by_class: Readonly<Record<string, Class>>
  /** By who should have found it. */
  readonly missed: { readonly rubicon: number; readonly oracle: number; readonly law: number }
  readonly honest: {
    readonly decisions: number
    /** Ledgers of each kind in which nobody may find anything. */
    readonly ledgers: Readonly<Record<HonestKind, number>>
    readonly false_alarms: number
  }
  readonly examples: readonly string[]
}

const EXAMPLES = 20

export class ForgeTally {
  readonly #classes = new Map<string, Class>()
  readonly #missed = { rubicon: 0, oracle: 0, law: 0 }
  readonly #examples: string[] = []
  readonly #ledgers = { scenario: 0, storm: 0, made: 0 }
  #cases = 0
  #falseAlarms = 0
  decisions = 0

  recordForgery({ name, detectors }: Forgery, found: FoundCodes): void {
    this.#cases += 1
    const entry = this.#classes.get(name) ?? { cases: 0, missed: 0 }
    this.#classes.set(name, entry)
    entry.cases += 1
    const asked = detectors.flatMap((one) => (one === 'law' ? ['law'] : ['rubicon', 'oracle']))
    const silent = (['rubicon', 'oracle', 'law'] as const).filter((who) => {
      return asked.includes(who) && found[who].length === 0
    })
    for (const who of silent) this.#missed[who] += 1
    if (silent.length === 0) return
    entry.missed += 1
    this.#addExample(`${name}: missed by ${silent.join(', ')}`)
  }

  recordHonestFile(
    { kind, name }: Omit<HonestFile, 'file'>,
    decisions: number,
    found: FoundCodes,
  ): void {
    this.decisions += decisions
    this.#ledgers[kind] += 1
    const alarms = Object.entries(found).filter(([, codes]) => codes.length > 0)
    if (alarms.length === 0) return
    this.#falseAlarms += 1
    const said = alarms.map(([who, codes]) => `${who} ${codes.join()}`).join('; ')
    this.#addExample(`honest ${kind} ${name}: ${said}`)
  }

  report(): ForgeReport {
    const { decisions } = this
    return {
      cases: this.#cases,
      by_class: Object.fromEntries(this.#classes),
      missed: this.#missed,
      honest: { decisions, ledgers: this.#ledgers, false_alarms: this.#falseAlarms },
      examples: this.#examples,
    }
  }

  #addExample(text: string): void {
    if (this.#examples.length < EXAMPLES) this.#examples.push(text)
  }
}
