/** Flows by the conversation that they were opened in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RubiconError } from '../../rubicon-error.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { listConversation, readConversation } from './conversation.ts'
import { AGENT } from './flow-stage.test-support.ts'

test('acts are found by their conversation, newest first and a page at a time, and each says its own', async () => {
  const it = await desk()
  const { store } = it.runtime()
  const act = async (amount: string, more: object): Promise<string> => {
    const wanted = { trigger: 'ticket 1', policy_kind: 'REFUND', params: { order: 'o_1', amount } }
    const { answer } = await it.runtime().actOnce({ agent: AGENT, ...wanted, ...more }, {})
    // Within one millisecond the ids of flows have no order.
    await it.clock.advance(1)
    return answer.dfid
  }
  const talk = { conversation: 'ticket-4711' }
  const [first, alone, second] = [
    await act('1.00', talk),
    await act('2.00', {}),
    await act('3.00', talk),
  ]
  const list = (more: object = {}): Promise<readonly string[]> =>
    listConversation(store, AGENT, 'ticket-4711', { limit: 10, ...more })
  assert.deepEqual(await list(), [second, first])
  assert.deepEqual(await list({ limit: 1 }), [second])
  assert.deepEqual(await list({ limit: 1, before: second }), [first])
  assert.deepEqual(await list({ from: second }), [second])
  assert.deepEqual(await listConversation(store, 'other', 'ticket-4711', { limit: 10 }), [])
  assert.equal(await readConversation(store, first), 'ticket-4711')
  assert.equal(await readConversation(store, alone), null)
})

test('a conversation makes nothing another act: what is asked for again keeps the first', async () => {
  const it = await desk()
  const { store } = it.runtime()
  const ask = (conversation: string) =>
    it.runtime().actOnce(
      {
        ...{ agent: AGENT, trigger: 'ticket 1', policy_kind: 'REFUND', conversation },
        params: { order: 'o_1', amount: '1.00' },
      },
      { key: 'k' },
    )
  const [one, again] = [await ask('a'), await ask('b')]
  assert.deepEqual([again.repeated, again.answer.dfid], [true, one.answer.dfid])
  assert.equal(await readConversation(store, one.answer.dfid), 'a')
  assert.deepEqual(await listConversation(store, AGENT, 'b', { limit: 10 }), [])
})

test('an act in a conversation without a name that can be kept is refused, and opens nothing', async () => {
  const it = await desk()
  const { store } = it.runtime()
  for (const conversation of ['', 'a b', 'x'.repeat(129)]) {
    const wanted = { trigger: 't', policy_kind: 'REFUND', params: {}, conversation }
    const code = await it
      .runtime()
      .act({ agent: AGENT, ...wanted })
      .then(
        () => null,
        ({ failure }: RubiconError) => failure.code,
      )
    assert.equal(code, 'SCHEMA_INVALID')
  }
  assert.deepEqual(await store.listFlows({ limit: 10 }), [])
})

test('the name of a conversation goes with the flow that is erased, and stays with the others', async () => {
  const it = await desk()
  const { store, engine } = it.runtime()
  const act = async (order: string): Promise<string> => {
    const params = { order, amount: '1.00' }
    const wanted = { trigger: 't', policy_kind: 'REFUND', params, conversation: 'c' }
    return (await it.runtime().actOnce({ agent: AGENT, ...wanted }, {})).answer.dfid
  }
  const [gone, kept] = [await act('o_1'), await act('o_2')]
  const done = await engine.oversight.erase({ dfid: gone, reason: 'asked for by the customer' })
  assert.ok(done.ok)
  assert.equal(await readConversation(store, gone), null)
  assert.deepEqual(await listConversation(store, AGENT, 'c', { limit: 10 }), [kept])
})
