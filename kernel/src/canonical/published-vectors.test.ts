import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVectors, withoutVectors } from '../vectors.test-support.ts'
import { decodeBase64, encodeBase64, encodeUtf8 } from './bytes.ts'
import type { JsonValue } from './json-value.ts'
import { parseJson } from './parse-json.ts'
import { toCanonicalBytes, toCanonicalText } from './write-json.ts'

type Rfc8785 = { readonly cases: readonly { name: string; input: string; output: string }[] }
type JsonTestSuite = { readonly cases: readonly { name: string; base64: string }[] }

const rfc8785 = parseVectors<Rfc8785>('rfc8785.json')
const suite = parseVectors<JsonTestSuite>('json-test-suite.json')

/** What the suite accepts and we do not, because readers resolve it differently. */
const STRICTER: Readonly<Record<string, string>> = {
  y_number_minus_zero: 'JSON_NEGATIVE_ZERO',
  y_number_negative_zero: 'JSON_NEGATIVE_ZERO',
  y_object_duplicated_key: 'JSON_DUPLICATE_KEY',
  y_object_duplicated_key_and_value: 'JSON_DUPLICATE_KEY',
}

test('the published texts of RFC 8785 are written byte for byte', {
  skip: withoutVectors,
}, () => {
  const cases = rfc8785?.cases ?? []
  assert(cases.length >= 6)
  for (const { name, input, output } of cases) {
    assert.deepEqual(toCanonicalBytes(lenient(input)), encodeUtf8(output), name)
  }
})

test('the same texts pass our parser, but for a number that loses value', {
  skip: withoutVectors,
}, () => {
  for (const { name, input, output } of rfc8785?.cases ?? []) {
    const result = parseJson(input)
    if (result.ok) assert.equal(toCanonicalText(result.value), output, name)
    else assert.deepEqual([name, result.error.code], ['values', 'JSON_NUMBER_PRECISION'])
  }
})

test('the JSON test suite: every text gets its answer', { skip: withoutVectors }, () => {
  const cases = suite?.cases ?? []
  assert(cases.length >= 300)
  for (const { name, base64: encoded } of cases) {
    const bytes = decodeBase64(encoded)
    assert(bytes !== undefined && encodeBase64(bytes) === encoded, name)
    const result = parseJson(bytes)
    const answer = result.ok ? 'ok' : result.error.code
    if (name.startsWith('y_')) assert.equal(answer, STRICTER[name] ?? 'ok', name)
    else if (name.startsWith('n_')) assert.notEqual(answer, 'ok', name)
    else if (result.ok) losesNothing(name, result.value)
  }
})

/** Reading what we write gives the same value; a lossy number would not have come this far. */
function losesNothing(name: string, value: JsonValue): void {
  const again = parseJson(toCanonicalBytes(value))
  assert(again.ok, name)
  assert.deepEqual(again.value, value, name)
}

function parseVectors<T>(name: string): T | undefined {
  return readVectors(name) as T | undefined
}

/** The strict parser refuses one of the inputs, so here the platform's reads them. */
function lenient(text: string): JsonValue {
  return JSON.parse(text)
}
