import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, parsePayload } from 'rubicon-kernel'
import { sampleLedger } from './samples/sample-ledger.test-support.ts'

test('what was accepted has the form of a first send that was not sent', () => {
  const { builder } = sampleLedger()
  const sent = builder.entries.find(({ envelope }) => envelope.kind === 'dispatch')
  const { send, ...accepted }: JsonObject = JSON.parse(sent?.payload ?? 'null')
  assert.equal(send, 1)
  assert.ok(parsePayload('accepted', accepted).ok)
  assert.ok(!parsePayload('accepted', { ...accepted, send: 1 }).ok)
  assert.ok(!parsePayload('dispatch', accepted).ok)
  const { jit: _, ...unchecked } = accepted
  assert.ok(!parsePayload('accepted', unchecked).ok)
})
