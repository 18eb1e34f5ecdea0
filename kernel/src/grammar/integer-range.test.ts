import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { readIntegerRange } from './integer-range.ts'

const ENDS: readonly (number | undefined)[] = [undefined, -2, -1.5, -0.25, 0, 0.75, 1, 2.5]
const WHOLE = Array.from({ length: 13 }, (_, nth) => nth - 6)

test('a whole number is in the range just where it is inside of each end that the schema has', () => {
  for (const minimum of ENDS)
    for (const exclusiveMinimum of ENDS)
      for (const maximum of ENDS)
        for (const exclusiveMaximum of ENDS) {
          const ends = { minimum, exclusiveMinimum, maximum, exclusiveMaximum }
          const given = Object.entries(ends).filter(([, end]) => end !== undefined)
          const schema: JsonObject = Object.fromEntries(given as [string, JsonValue][])
          const { min, max } = readIntegerRange(schema)
          for (const one of WHOLE) {
            const isInside =
              (minimum === undefined || one >= minimum) &&
              (exclusiveMinimum === undefined || one > exclusiveMinimum) &&
              (maximum === undefined || one <= maximum) &&
              (exclusiveMaximum === undefined || one < exclusiveMaximum)
            const isRead = BigInt(one) >= min && BigInt(one) <= max
            assert.equal(isRead, isInside, `${one} of ${JSON.stringify(schema)}`)
          }
        }
})

test('no range is wider than what a number holds exactly', () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  assert.deepEqual(readIntegerRange({}), { min: -most, max: most })
  const wide = { minimum: -1e300, maximum: 1e300, exclusiveMinimum: -1e20, exclusiveMaximum: 1e20 }
  assert.deepEqual(readIntegerRange(wide), { min: -most, max: most })
  assert.deepEqual(readIntegerRange({ minimum: 'much', maximum: null }), { min: -most, max: most })
})
