/** The whole numbers that a schema leaves: inside of all its ends, and of what a number holds exactly. */
import { toDecimal } from '../canonical/decimal.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import { type MinorRange, toMinorRange } from './decimal-range.ts'

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Where `min` is above `max` there is none. */
export function readIntegerRange(schema: JsonObject): MinorRange {
  const readEnd = (name: string): MinorRange | undefined => {
    const decimal = toDecimal(schema[name] ?? null)
    return decimal === undefined ? undefined : toMinorRange(decimal, decimal, 0)
  }
  const [minimum, maximum] = [readEnd('minimum'), readEnd('maximum')]
  const [above, below] = [readEnd('exclusiveMinimum'), readEnd('exclusiveMaximum')]
  // Of an end with a fraction the least whole number inside is above the largest one below it.
  const least = [minimum?.min, above === undefined ? undefined : above.max + 1n]
  const most = [maximum?.max, below === undefined ? undefined : below.min - 1n]
  return {
    min: least.reduce<bigint>((a, b) => (b === undefined || a > b ? a : b), -SAFE),
    max: most.reduce<bigint>((a, b) => (b === undefined || a < b ? a : b), SAFE),
  }
}
