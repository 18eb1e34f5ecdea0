/** The whole numbers that a schema leaves: inside of all its ends, and of what a number holds exactly. */
import { toDecimal } from '../canonical/decimal.ts'
import type { JsonObject } from '../canonical/json-value.ts'

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Where `min` is above `max` there is none. */
export function readIntegerRange(schema: JsonObject): {
  readonly min: bigint
  readonly max: bigint
} {
  const readEnd = (name: string): readonly [down: bigint, up: bigint] | undefined => {
    const decimal = toDecimal(schema[name] ?? null)
    if (decimal === undefined) return undefined
    const unit = 10n ** BigInt(decimal.scale)
    const down = divideDown(decimal.digits, unit)
    return [down, down * unit === decimal.digits ? down : down + 1n]
  }
  const [minimum, maximum] = [readEnd('minimum'), readEnd('maximum')]
  const [above, below] = [readEnd('exclusiveMinimum'), readEnd('exclusiveMaximum')]
  const least = [minimum?.[1], above === undefined ? undefined : above[0] + 1n]
  const most = [maximum?.[0], below === undefined ? undefined : below[1] - 1n]
  return {
    min: least.reduce<bigint>((a, b) => (b === undefined || a > b ? a : b), -SAFE),
    max: most.reduce<bigint>((a, b) => (b === undefined || a < b ? a : b), SAFE),
  }
}

function divideDown(digits: bigint, unit: bigint): bigint {
  const towardsZero = digits / unit
  return digits < 0n && towardsZero * unit !== digits ? towardsZero - 1n : towardsZero
}
