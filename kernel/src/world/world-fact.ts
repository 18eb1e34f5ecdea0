/** A resource of World as a decision found it. */
import type { JsonValue } from '../canonical/json-value.ts'

/** A resource of World, as a decision sees it. */
export type WorldFact = {
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** How often it was changed. */
  readonly version: number
  /** What it is. */
  readonly value: JsonValue
  /** It is gone. */
  readonly retracted: boolean
}
