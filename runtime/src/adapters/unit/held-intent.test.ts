import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, toCanonicalText } from 'rubicon-kernel'
import { buildExecutionRow } from '../../ports/conformance/fixture.ts'
import { extractIntent, toIntentColumns } from './held-intent.ts'
import type { PackedEntry } from './packed-entry.ts'

const INTENT: JsonObject = {
  intent_id: 'sha256:1',
  params: { text: 'a } and a " and a \\ and "intent":{', list: [{ deep: {} }, '}'] },
}

test('an intent is cut out of its payload as it stands there', () => {
  const payload = toCanonicalText({ attempt: 1, facts: ['"', '\\'], intent: INTENT, jit: {} })
  assert.equal(extractIntent(payload), toCanonicalText(INTENT))
})

for (const payload of [
  '',
  '{}',
  '{"intent":',
  '{"intent":{"a":"b',
  '{"intent":{"a":{}',
  '{"intent":{a}}',
  '{"intent":"text","b":{}}',
  '{"intent":[{}]}',
])
  test(`what is no intent is none: ${payload}`, () => {
    assert.equal(extractIntent(payload), undefined)
  })

/** As it is written with a row; `payload` is all that counts of it here. */
function entryOf(payload: string): PackedEntry {
  const { dispatched } = buildExecutionRow(1, 'a')
  const envelope = {
    v: 2,
    tenant: 'acme',
    ...dispatched,
    parent: null,
    kind: 'dispatch',
    at: '2026-01-01T00:00:00.000Z',
    payload_hash: 'sha256:2',
  } as const
  return { entry: { id: 'sha256:3', envelope, payload, leaf: 0 }, packed: new Uint8Array(1) }
}

test('a row does not refer to a payload in which another member of that name comes first', () => {
  const intent = toCanonicalText(INTENT)
  const row = buildExecutionRow(1, 'a', { intent })
  const { seq } = row.dispatched
  const plain = toCanonicalText({ facts: { said: 'intent' }, intent: INTENT })
  assert.deepEqual(toIntentColumns(row, [entryOf(plain)]), { intent: '', intent_seq: seq })
  const shadowed = toCanonicalText({ facts: { intent: { intent_id: 'sha256:9' } }, intent: INTENT })
  assert.deepEqual(toIntentColumns(row, [entryOf(shadowed)]), { intent, intent_seq: null })
})
