import fc from 'fast-check'
import { isForbiddenKey } from './forbidden-key.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'

const text = fc.string({ unit: 'binary' })
const key = fc.oneof(text, fc.nat(20).map(String)).filter((name) => !isForbiddenKey(name))
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
)

/** Any value that strict JSON can say, in objects without a prototype. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map(bare),
  ),
})).value

export function bare(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object: Record<string, JsonValue> = Object.create(null)
  for (const [name, value] of entries) object[name] = value
  return object
}

/** The same value with the keys of every object entered in the opposite order. */
export function reversedKeys(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversedKeys)
  const entries = Object.entries(value).reverse()
  return bare(entries.map(([name, member]) => [name, reversedKeys(member)]))
}

/** `ok` or the code of the refusal: what most tests want to know. */
export function answer(...args: Parameters<typeof parseJson>): string {
  const result = parseJson(...args)
  return result.ok ? 'ok' : result.error.code
}
