import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameDayConversation, nameProcessConversation, readConversation } from './conversation.ts'

const MEMBER = 'rubicon/conversation'

test('a call belongs to the conversation that it names, else to its process, else to the day', () => {
  const conversation = nameProcessConversation('1')
  const nameConversation = (): string => nameDayConversation('2026-11-18T01:02:03.004Z')
  assert.deepEqual(readConversation({ conversation }, {}), {
    name: 'process:1',
    vouched: 'process:1',
  })
  assert.deepEqual(readConversation({ conversation }, { [MEMBER]: 'ticket-4711' }), {
    name: 'ticket-4711',
    vouched: 'process:1',
  })
  assert.deepEqual(readConversation({ nameConversation }, undefined), {
    name: 'day:2026-11-18',
    vouched: undefined,
  })
  assert.deepEqual(readConversation({ nameConversation }, { [MEMBER]: 'ticket-4711' }), {
    name: 'ticket-4711',
    vouched: 'ticket-4711',
  })
})

test('a client does not name a conversation as the gateway does, nor one that nobody could look for', () => {
  const names = ['', 'a b', 'a\u202eb', 'x'.repeat(129), 'process:1', 'day:2026-11-18', 1, null, {}]
  for (const name of names)
    assert.equal(readConversation({}, { [MEMBER]: name }), null, JSON.stringify(name))
})
