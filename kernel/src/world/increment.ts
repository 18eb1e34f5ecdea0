import { addDecimal, formatDecimal, negateDecimal, parseDecimal } from '../canonical/decimal.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { ok, type Result } from '../result.ts'
import { type Change, type ChangeRefusal, refuseInvalid } from './change.ts'
import type { IncrementOp } from './delta.ts'
import { setMember } from './merge-patch.ts'

/** Adds to a decimal string: the value itself, or one member of an object value. */
export function increment(op: IncrementOp, value: JsonValue): Result<Change, ChangeRefusal> {
  const { field } = op
  if (field === undefined) return incrementText(op, value, (sum) => sum)
  if (!isObject(value)) return refuseInvalid('value is not an object')
  if (!Object.hasOwn(value, field)) return refuseInvalid(`value has no member \`${field}\``)
  return incrementText(op, value[field], (sum) => setMember(value, field, sum))
}

function incrementText(
  op: IncrementOp,
  current: JsonValue | undefined,
  put: (sum: string) => JsonValue,
): Result<Change, ChangeRefusal> {
  const by = parseDecimal(op.by)
  if (by === undefined) return refuseInvalid('`by` is not a decimal string')
  // A JSON number is refused: it would come back as a string, and undoing would not restore it.
  const start = typeof current === 'string' ? parseDecimal(current) : undefined
  if (start === undefined) return refuseInvalid('what is to be incremented is not a decimal string')

  const sum = formatDecimal(addDecimal(start, by))
  const back = formatDecimal(negateDecimal(by))
  // Decimals have a longest text. What could not be read back, or undone, is not done.
  if (parseDecimal(sum) === undefined) return refuseInvalid('the sum is too long for a decimal')
  if (parseDecimal(back) === undefined) return refuseInvalid('`by` is too long to be undone')
  return ok({ value: put(sum), retracted: false, undo: () => ({ ...op, by: back }) })
}
