import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseParams, toFields, toFieldTexts } from './schema-fields.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    usd: { type: 'string', pattern: '^[0-9]+$' },
    count: { type: 'integer', minimum: 1 },
    rush: { type: 'boolean' },
    side: { enum: ['BUY', 'SELL'] },
    items: { type: 'array' },
  },
  required: ['usd', 'count'],
}
const PARAMS = { usd: '5000', count: 2, rush: false, side: 'BUY', items: ['a'] }

test('every parameter has a field of its own kind, those of the schema first', () => {
  const fields = toFields(SCHEMA, { ...PARAMS, note: 'beyond' })
  assert.deepEqual(
    fields.map(({ name, kind, required }) => [name, kind, required]),
    [
      ['usd', 'text', true],
      ['count', 'number', true],
      ['rush', 'flag', false],
      ['side', 'choice', false],
      ['items', 'json', false],
      ['note', 'text', false],
    ],
  )
  assert.equal(fields[0]?.hint, 'pattern ^[0-9]+$')
  assert.equal(fields.find(({ name }) => name === 'count')?.hint, 'at least 1')
  assert.deepEqual(toFields(null, { deep: { a: 1 } })[0]?.kind, 'json')
})

test('what was there comes back as it was', () => {
  const fields = toFields(SCHEMA, PARAMS)
  assert.deepEqual(parseParams(fields, toFieldTexts(fields, PARAMS)), { ok: true, params: PARAMS })
})

test('a field that is no number, no JSON or missing is named', () => {
  const fields = toFields(SCHEMA, PARAMS)
  const fill = (change: Record<string, string>): unknown =>
    parseParams(fields, { ...toFieldTexts(fields, PARAMS), ...change })
  assert.deepEqual(fill({ count: 'two' }), {
    ok: false,
    field: 'count',
    problem: 'is not a number',
  })
  assert.deepEqual(fill({ count: '' }), { ok: false, field: 'count', problem: 'is required' })
  assert.deepEqual(fill({ items: '[' }), { ok: false, field: 'items', problem: 'is not JSON' })
  assert.deepEqual(fill({ rush: '1' }), {
    ok: false,
    field: 'rush',
    problem: 'is not true or false',
  })
})

test('what is left empty is left out, but for a text that is needed', () => {
  const fields = toFields(SCHEMA, PARAMS)
  const filled = parseParams(fields, { usd: '', count: '3' })
  assert.deepEqual(filled, { ok: true, params: { usd: '', count: 3 } })
})
