/** What is known of a path of State, by whom, and since when. */
import type { JsonValue } from '../canonical/json-value.ts'
import type { FactLabel } from './label.ts'

export type StateFact = {
  readonly path: string
  readonly value: JsonValue
  readonly source: string
  readonly label: FactLabel
  readonly observed_at: string
  readonly version: string
  /** Of an operator's word: when it ends. */
  readonly until?: string
}
