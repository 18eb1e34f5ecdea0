/** Whom a request is put before: those whom its triggers name, or who takes it over from an agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChannelProblems } from './asked-channel.ts'

type Request = Parameters<typeof findChannelProblems>[0]

function request(channel: string, ...channels: readonly unknown[]): Request {
  return { channel, triggers: channels.map((one) => ({ channel: one })) } as unknown as Request
}

const OTHERS = ['its approvers are not those that its triggers name']
const PASSED = ['it was passed on to approvers who may not take it over']

/** A new request. */
function asks(channel: string, channels: readonly unknown[], mayAskAgents = true): string[] {
  return findChannelProblems(request(channel, ...channels), undefined, mayAskAgents)
}

test('where all triggers go to one agent it is asked, another one or the operator, and no other people', () => {
  for (const channel of ['agent:lead', 'agent:above', 'operator'])
    assert.deepEqual(asks(channel, ['agent:lead']), [], channel)
  assert.deepEqual(asks('risk', ['agent:lead']), OTHERS)
  assert.deepEqual(asks('agent:lead', ['agent:lead', 'agent:lead']), [])
})

test('where agents may not be asked, or two are named, the operator is', () => {
  assert.deepEqual(asks('operator', ['agent:lead'], false), [])
  assert.deepEqual(asks('agent:lead', ['agent:lead'], false), OTHERS)
  assert.deepEqual(asks('operator', ['agent:lead', 'agent:other']), [])
  assert.deepEqual(asks('agent:lead', ['agent:lead', 'agent:other']), OTHERS)
  assert.deepEqual(asks('operator', []), [])
  assert.deepEqual(asks('risk', []), OTHERS)
})

test('where a trigger leads to people the first of them are asked', () => {
  assert.deepEqual(asks('risk', ['risk', 'legal']), [])
  assert.deepEqual(asks('legal', ['risk', 'legal']), OTHERS)
  assert.deepEqual(asks('legal', ['agent:lead', 'legal']), [])
  assert.deepEqual(asks('agent:lead', ['agent:lead', 'legal']), OTHERS)
  assert.deepEqual(asks('operator', ['risk']), OTHERS)
  assert.deepEqual(asks('operator', [7]), OTHERS, 'a channel that is no text is nobody')
})

test('passed on is what an agent was asked, to another agent or the operator', () => {
  const from = (before: string, channel: string): string[] =>
    findChannelProblems(request(channel, 'risk'), request(before, 'risk'), true)
  assert.deepEqual(from('agent:lead', 'agent:above'), [])
  assert.deepEqual(from('agent:lead', 'operator'), [])
  assert.deepEqual(from('agent:lead', 'risk'), PASSED)
  assert.deepEqual(from('operator', 'operator'), [])
  assert.deepEqual(from('operator', 'agent:lead'), PASSED)
  assert.deepEqual(from('risk', 'operator'), PASSED)
  assert.deepEqual(from('risk', 'risk'), PASSED)
})
