/** What was answered under a key, where its flow was erased before the answer could be kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '../served.test-support.ts'
import { replyOnce } from './idempotency.ts'

const WORDS = 'the customer is called Smith'
const ASKED = { group: 'person ann@example.com', key: 'decide k1', body_hash: 'h' }

test('an answer under way is not kept behind the erasure of its flow, and its key is free', async (t) => {
  const { runtime } = await served(t, { background: false })
  const { store, engine } = runtime
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4711' })
  const params = { order: 'o_1', amount: '20.00' }
  await flow.propose({ policy_kind: 'REFUND', params })
  const { dfid } = flow
  const body = { dfid, said: WORDS }
  const reply = await replyOnce(store, ASKED, async () => {
    const erased = await engine.oversight.erase({ dfid, reason: 'asked for' })
    assert.ok(erased.ok, JSON.stringify(erased))
    return { status: 200, body }
  })
  assert.deepEqual(reply, { status: 200, body }, 'whoever asked is answered')
  assert.equal(await store.readRecord('http_reply', ASKED.group, ASKED.key), null)
  assert.deepEqual(await store.listRecords('http_reply_due', 'due', { limit: 10 }), [])
  const again = await replyOnce(store, ASKED, async () => ({ status: 200, body: { done: true } }))
  assert.deepEqual(again.body, { done: true }, 'it is judged again')
})
