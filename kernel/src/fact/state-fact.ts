/** What is known of a path of State, by whom, and since when. */
import type { JsonValue } from '../canonical/json-value.ts'
import type { FactLabel } from './label.ts'

/** A fact of State: what is so outside, by whose word, since when. */
export type StateFact = {
  /** Where it stands. */
  readonly path: string
  /** What is so. */
  readonly value: JsonValue
  /** Who said so. */
  readonly source: string
  /** Whose word it is. */
  readonly label: FactLabel
  /** When it was observed. */
  readonly observed_at: string
  /** As its source counts. */
  readonly version: string
  /** Of an operator's word: when it ends. */
  readonly until?: string
}
