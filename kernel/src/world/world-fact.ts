/** A resource of World as a decision found it. */
import type { JsonValue } from '../canonical/json-value.ts'

export type WorldFact = {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly value: JsonValue
  readonly retracted: boolean
}
