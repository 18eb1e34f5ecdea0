/**
 * Keeps the number of series bounded: every value of a label makes another, for ever. Reason codes
 * are a closed list; of agents and the rest so many are told apart, and those after them are `other`.
 */
import { isReasonCode } from 'rubicon-kernel'
import type { LabelName, Labels } from '../../ports/telemetry.ts'

const OTHER = 'other'
/** Reasons that are no reason codes: there was none, or an error of ours. */
const ERRORS = /^(none|(Type|Range|Syntax|Reference)?Error|(STORE|REGISTRY)_[A-Z_]+)$/
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
/** Words of closed lists of ours: a list that is longer is a mistake. */
const WORDS = 64

export class LabelValues {
  readonly #agents: number
  readonly #seen = new Map<LabelName, Set<string>>()

  constructor(agents: number) {
    this.#agents = agents
  }

  /** The labels of a series, all of them, each with a value of a bounded set. */
  limitLabels(names: readonly LabelName[], labels: Labels): Record<string, string> {
    return Object.fromEntries(
      names.map((name) => [name, this.#limitLabelValue(name, labels[name] ?? 'none')]),
    )
  }

  #limitLabelValue(name: LabelName, value: string): string {
    if (name === 'reason') return isReasonCode(value) || ERRORS.test(value) ? value : OTHER
    if (name === 'agent_id') return this.#keepKnownValue(name, value, this.#agents)
    return WORD.test(value) ? this.#keepKnownValue(name, value, WORDS) : OTHER
  }

  #keepKnownValue(name: LabelName, value: string, most: number): string {
    const seen = this.#seen.get(name) ?? new Set()
    this.#seen.set(name, seen)
    if (seen.has(value)) return value
    if (seen.size >= most) return OTHER
    seen.add(value)
    return value
  }
}
