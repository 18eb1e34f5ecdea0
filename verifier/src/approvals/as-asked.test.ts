import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BOT,
  DECIDED,
  found,
  LEAD,
  ORDER,
  OTHER,
  REQUESTED,
} from '../samples/sample-approvals.test-support.ts'
import { findChannelProblems } from './asked-channel.ts'

test('AUTHORITY_ORDER: a request asks about other triggers than its trace has, or waits too long', async () => {
  const auth = { kind: 'session', agent_id: BOT.subject, key: null } as const
  const spoken = { asked: auth, ran: auth }
  assert.deepEqual(await found(spoken), [])
  for (const triggers of [
    [{ id: 'kind' }, { id: 'authority' }],
    [{ id: 'kind', channel: 'finance' }],
  ]) {
    const own = { lifts: triggers.map(({ id }) => id) }
    const change = { request: { triggers }, body: own, approval: own }
    assert.deepEqual(await found({ ...spoken, ...change }), [ORDER(REQUESTED + 1)])
  }
  const late = { request: { expires_at: '2026-02-01T10:30:00.000Z' } }
  assert.deepEqual(await found(late), [ORDER(REQUESTED)])
})

test('AUTHORITY_ORDER: a request leaves less time to answer than one has', async () => {
  const early = { request: { expires_at: '2026-02-01T10:00:04.999Z' } }
  assert.deepEqual(await found(early), [ORDER(REQUESTED)])
  assert.deepEqual(await found({ request: { expires_at: '2026-02-01T10:00:05.000Z' } }), [])
})

test('AUTHORITY_ORDER: an approval lifts what was not asked, or holds too long', async () => {
  const lifts = ['kind', 'authority']
  assert.deepEqual(await found({ body: { lifts }, approval: { lifts } }), [ORDER(DECIDED)])
  const body = { valid_until: '2026-02-02T09:50:00.000Z' }
  assert.deepEqual(await found({ body }), [ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: an agent decides otherwise than its step says', async () => {
  const body = { approver: `agent:${LEAD}`, person: '' }
  const asked = { request: { channel: `agent:${LEAD}` }, vouched_by: 'kernel', body } as const
  assert.deepEqual(await found(asked), [])
  for (const leadSays of [
    { lifts: [] },
    { justification: 'not needed' },
    { valid_until: '2026-02-01T09:40:00.000Z' },
    { intent_digest: OTHER },
    { modified: { params: {} } },
  ])
    assert.deepEqual(
      await found({ ...asked, leadSays }),
      [ORDER(DECIDED)],
      Object.keys(leadSays)[0],
    )
})

test('AUTHORITY_ORDER: a request is put before others than its triggers ask', async () => {
  assert.deepEqual(await found({ request: { channel: 'friends' } }), [ORDER(REQUESTED)])
  assert.deepEqual(await found({ request: { channel: 'operator' } }), [])
})

type Request = Parameters<typeof findChannelProblems>[0]

function isAsked(channel: string, named: readonly unknown[], mayAskAgents = true): boolean {
  const triggers = named.map((one) => ({ id: 'kind', channel: one }))
  const request = { channel, triggers } as unknown as Request
  return findChannelProblems(request, undefined, mayAskAgents).length === 0
}

test('people are asked on the first channel that leads to them, an agent where all go to one', () => {
  assert.ok(isAsked('finance', ['agent:lead', 'finance', 'law']))
  assert.ok(!isAsked('law', ['agent:lead', 'finance', 'law']))
  assert.ok(!isAsked('operator', ['finance']))
  assert.ok(!isAsked('agent:lead', ['agent:lead', 'finance']))
  assert.ok(isAsked('operator', ['agent:lead', 'agent:other']))
  assert.ok(!isAsked('agent:lead', ['agent:lead', 'agent:other']))
  for (const channel of ['agent:lead', 'agent:above', 'operator'])
    assert.ok(isAsked(channel, ['agent:lead', 'agent:lead']), channel)
  assert.ok(!isAsked('agent:lead', ['agent:lead'], false))
  assert.ok(isAsked('operator', ['agent:lead'], false))
  for (const odd of [null, 7, undefined]) assert.ok(!isAsked('operator', [odd]), String(odd))
})

test('what people are asked is passed on to nobody, and what an agent was asked to nobody else', () => {
  const isPassed = (from: string, to: string): boolean => {
    const of = (channel: string): Request => ({ channel, triggers: [] }) as unknown as Request
    return findChannelProblems(of(to), of(from), true).length === 0
  }
  assert.ok(isPassed('agent:lead', 'agent:above'))
  assert.ok(isPassed('agent:lead', 'operator'))
  assert.ok(!isPassed('agent:lead', 'friends'))
  assert.ok(!isPassed('finance', 'operator'))
  assert.ok(!isPassed('operator', 'agent:lead'))
})
