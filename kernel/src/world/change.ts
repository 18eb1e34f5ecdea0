import type { JsonValue } from '../canonical/json-value.ts'
import { err } from '../result.ts'
import type { DeltaOp } from './delta.ts'

/** What one op makes of its resource, and how to undo that once it stands at some version. */
export type Change = {
  readonly value: JsonValue
  readonly retracted: boolean
  readonly undo: (version: number) => DeltaOp
}

export type ChangeRefusal = {
  /** A conflict: made for another state of the world. Invalid: does not fit the resource. */
  readonly code: 'DELTA_CONFLICT' | 'DELTA_INVALID'
  readonly detail: string
}

type Refused = { readonly ok: false; readonly error: ChangeRefusal }

export function refuseConflict(detail: string): Refused {
  return err({ code: 'DELTA_CONFLICT', detail })
}

export function refuseInvalid(detail: string): Refused {
  return err({ code: 'DELTA_INVALID', detail })
}
