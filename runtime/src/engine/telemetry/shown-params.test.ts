import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { showParams } from './shown-params.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    order: { type: 'string', 'x-log': 'plain' },
    amount: { type: 'number', 'x-log': 'plain' },
    rush: { type: 'boolean' },
    iban: { type: 'string' },
    count: { type: 'integer' },
    lines: { type: 'array', 'x-log': 'plain' },
    free: { type: 'object', 'x-log': 'plain' },
    address: {
      type: 'object',
      properties: { zip: { type: 'string', 'x-log': 'plain' }, name: { type: 'string' } },
    },
    gone: {},
  },
}

test('a value is shown where its schema says so, and is else a type and a length', () => {
  const shown = showParams(SCHEMA, {
    order: 'o-1',
    amount: 12.5,
    rush: true,
    iban: 'DE89370400440532013000',
    count: 4711,
    gone: null,
  })
  assert.deepEqual(shown, {
    order: 'o-1',
    amount: 12.5,
    rush: 'boolean',
    iban: 'string(22)',
    count: 'number',
    gone: 'null',
  })
})

test('lists and free objects are sizes whatever is said of them; named members go by their own', () => {
  const shown = showParams(SCHEMA, {
    lines: ['secret', 'secret'],
    free: { jane: 'secret' },
    address: { zip: '00-001', name: 'Jane', extra: 'secret' },
  })
  assert.deepEqual(shown, {
    lines: 'array(2)',
    free: 'object(1)',
    address: { zip: '00-001', name: 'string(4)' },
  })
})

test('members that no schema names are left out, with their names', () => {
  assert.deepEqual(showParams(SCHEMA, { 'jane@example.com': 1 }), {})
  assert.deepEqual(showParams({ type: 'object' }, { order: 'o-1' }), {})
})

test('a text of 128 characters can be an id; a longer one is none', () => {
  assert.equal(showParams(SCHEMA, { order: 'x'.repeat(128) }).order, 'x'.repeat(128))
  assert.equal(showParams(SCHEMA, { order: 'x'.repeat(129) }).order, 'string(129)')
})
