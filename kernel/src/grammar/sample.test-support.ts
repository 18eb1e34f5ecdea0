/** Values that fit a schema of a grammar, chosen by a seed. It knows what grammars say, and fails on everything else. */
import assert from 'node:assert/strict'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'

export type Random = (below: number) => number

/** The same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

export function sampleSchema(schema: JsonValue | undefined, random: Random): JsonValue {
  assert.ok(isObject(schema))
  if (Array.isArray(schema.enum)) return choose<JsonValue>(schema.enum, random)
  if (Array.isArray(schema.anyOf))
    return sampleSchema(choose<JsonValue>(schema.anyOf, random), random)
  const { minimum, maximum, minItems, maxItems } = schema
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, random)
    case 'array': {
      const length = Number(minItems) + random(Number(maxItems) - Number(minItems) + 1)
      return Array.from({ length }, () => sampleSchema(schema.items, random))
    }
    case 'string':
      return typeof schema.pattern === 'string'
        ? samplePattern(schema.pattern, random)
        : sampleText(schema, random)
    case 'integer':
      return Number(minimum) + random(Number(maximum) - Number(minimum) + 1)
    default:
      return assert.fail(`no sample of ${JSON.stringify(schema)}`)
  }
}

function choose<T>(list: readonly T[], random: Random): T {
  const one = list[random(list.length)]
  assert.ok(one !== undefined)
  return one
}

function sampleObject(schema: JsonObject, random: Random): JsonObject {
  const { properties, required } = schema
  assert.equal(schema.additionalProperties, false)
  assert.ok(isObject(properties) && Array.isArray(required))
  const value: Record<string, JsonValue> = {}
  for (const [name, part] of Object.entries(properties))
    if (required.includes(name) || random(2) === 0) value[name] = sampleSchema(part, random)
  return value
}

const LETTERS = 'abc XYZ019-_ä€'

function sampleText({ minLength, maxLength }: JsonObject, random: Random): string {
  const length = Number(minLength) + random(Number(maxLength) - Number(minLength) + 1)
  return Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join('')
}

/** Groups, alternatives, classes and counts: what ranges are written with. */
function samplePattern(pattern: string, random: Random): string {
  let at = 0
  const readAlternatives = (): (() => string) => {
    const parts = [readSequence()]
    while (pattern[at] === '|') {
      at += 1
      parts.push(readSequence())
    }
    return () => choose(parts, random)()
  }
  const readSequence = (): (() => string) => {
    const parts: (() => string)[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(readOne())
    return () => parts.map((part) => part()).join('')
  }
  const readOne = (): (() => string) => {
    const one = readAtom()
    const count = /^\{(\d+)(?:,(\d+))?\}|^\?/.exec(pattern.slice(at))
    if (count === null) return one
    at += count[0].length
    const [least, most] =
      count[0] === '?' ? [0, 1] : [Number(count[1]), Number(count[2] ?? count[1])]
    return () => Array.from({ length: least + random(most - least + 1) }, one).join('')
  }
  const readAtom = (): (() => string) => {
    if (pattern.startsWith('(?:', at)) {
      at += 3
      const inner = readAlternatives()
      assert.equal(pattern[at], ')')
      at += 1
      return inner
    }
    if (pattern[at] === '[') {
      const end = pattern.indexOf(']', at)
      const letters = pattern
        .slice(at + 1, end)
        .replaceAll(/(.)-(.)/g, (_, a: string, b: string) =>
          Array.from({ length: b.charCodeAt(0) - a.charCodeAt(0) + 1 }, (__, nth) =>
            String.fromCharCode(a.charCodeAt(0) + nth),
          ).join(''),
        )
      at = end + 1
      return () => choose([...letters], random)
    }
    const letter = pattern[at] ?? ''
    at += 1
    return () => (letter === '^' || letter === '$' ? '' : letter)
  }
  return readAlternatives()()
}
