import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuditedOwnership } from './ownership.ts'
import type { Line } from './report.ts'

type Told = { readonly found: string[]; tell(kind: string, dfid: string, payload: object): Told }

/** Flow `a` of a desk that may spawn, flow `b` of a bot that may not. */
function told(): Told {
  const found: string[] = []
  const ownership = new AuditedOwnership((invariant) => void found.push(invariant))
  const it: Told = {
    found,
    tell(kind, dfid, payload) {
      ownership.add({ trajectory: 'main', seq: 1, kind, dfid, payload } as Line)
      return it
    },
  }
  return it
    .tell('writ', 'a', opening('a', 'desk', { kinds: ['PAY', 'SPAWN_*'] }))
    .tell('writ', 'b', opening('b', 'bot', {}))
}

type Opening = {
  readonly kinds?: readonly string[]
  readonly below?: string
  readonly from?: string
  readonly subject?: string
}

function opening(
  dfid: string,
  agent_id: string,
  { kinds = ['PAY'], below, from, subject = agent_id }: Opening,
): object {
  const parent = from ?? (below === undefined ? undefined : `writ-${below}`)
  const scopes = kinds.map((kind) => ({ kind }))
  const writ = { id: `writ-${dfid}`, body: { subject, scopes, parent } }
  return { writ, flow: { dfid, agent_id, parent_dfid: below } }
}

function child(parent_dfid: string, child_dfid: string, child_agent: string, by: object): object {
  return { parent_dfid, child_dfid, child_agent, opened_by: by }
}

const SESSION = { kind: 'session' }
const RUNTIME = { kind: 'runtime' }
const STEP = { kind: 'intent', intent_id: 'i1' }

function spawn(dfid: string, agent_id: string, agent: string): object {
  const intent = { intent_id: 'i1', dfid, agent_id, policy_kind: 'SPAWN_CHILD', params: { agent } }
  return { intent, facts: { auth: { kind: 'session', agent_id } } }
}

test('a child is below a flow of its own agent, or of one that may spawn', () => {
  const own = told().tell('writ', 'c', opening('c', 'bot', { below: 'b' }))
  assert.deepEqual(own.tell('delegation', 'b', child('b', 'c', 'bot', SESSION)).found, [])
  const owned = told().tell('writ', 'c', opening('c', 'bot', { below: 'a' }))
  assert.deepEqual(owned.tell('delegation', 'a', child('a', 'c', 'bot', RUNTIME)).found, [])
  const spawned = told()
    .tell('dispatch', 'a', spawn('a', 'desk', 'bot'))
    .tell('writ', 'c', opening('c', 'bot', { below: 'a' }))
  assert.deepEqual(spawned.tell('delegation', 'a', child('a', 'c', 'bot', STEP)).found, [])
})

test('a child below a flow of somebody else is found', () => {
  const foreign = told().tell('writ', 'c', opening('c', 'thief', { below: 'b' }))
  assert.deepEqual(foreign.found, ['I17'])
  const session = told().tell('writ', 'c', opening('c', 'thief', { below: 'a' }))
  assert.deepEqual(session.tell('delegation', 'a', child('a', 'c', 'thief', SESSION)).found, [
    'I17',
  ])
  const nowhere = told().tell('writ', 'c', opening('c', 'bot', { below: 'x' }))
  assert.deepEqual(nowhere.found, ['I17', 'I17'])
})

test('a child that spends from another flow, or stands in one, is found', () => {
  const from = { below: 'b', from: 'writ-a' }
  assert.deepEqual(told().tell('writ', 'c', opening('c', 'bot', from)).found, ['I17'])
  const alone = told().tell('writ', 'c', opening('c', 'bot', { from: 'writ-a' }))
  assert.deepEqual(alone.found, ['I17'])
  const lent = told().tell('writ', 'c', opening('c', 'bot', { subject: 'desk' }))
  assert.deepEqual(lent.found, ['I17'])
  const moved = told().tell('writ', 'c', opening('c', 'bot', { below: 'b' }))
  assert.deepEqual(moved.tell('delegation', 'a', child('b', 'c', 'bot', SESSION)).found, ['I17'])
})

test('a child that no step spawned is found', () => {
  const opened = (it: Told): Told => it.tell('writ', 'c', opening('c', 'bot', { below: 'a' }))
  const said = (it: Told): Told => it.tell('delegation', 'a', child('a', 'c', 'bot', STEP))
  assert.deepEqual(said(opened(told())).found, ['I17'])
  const another = told().tell('dispatch', 'a', spawn('a', 'desk', 'clerk'))
  assert.deepEqual(said(opened(another)).found, ['I17'])
  const unsent = told().tell('accepted', 'a', spawn('a', 'desk', 'bot'))
  assert.deepEqual(said(opened(unsent)).found, ['I17'])
  const sent = told()
    .tell('accepted', 'a', spawn('a', 'desk', 'bot'))
    .tell('dispatch', 'a', { intent_id: 'i1' })
  assert.deepEqual(said(opened(sent)).found, [])
})

test('whoever speaks in a flow is its agent, or was asked about it', () => {
  const pay = (agent_id: string, auth: object): object => {
    return { intent: { intent_id: 'i', agent_id, policy_kind: 'PAY' }, facts: { auth } }
  }
  const session = (agent_id: string): object => ({ kind: 'session', agent_id })
  const signed = (subject: string, valid = true): object => {
    return { kind: 'signature', signature: { subject, valid } }
  }
  const approved = { kind: 'approval', request_id: 'b:1', approver: 'ann' }
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [pay('bot', session('bot')), []],
    [pay('bot', signed('bot')), []],
    [pay('bot', session('thief')), ['I17']],
    [pay('bot', signed('thief')), ['I17']],
    [pay('bot', signed('bot', false)), ['I17']],
    [pay('thief', session('thief')), ['I17', 'I17']],
    [pay('bot', approved), ['I17']],
  ]
  for (const [payload, found] of cases)
    assert.deepEqual(told().tell('dispatch', 'b', payload).found, found, JSON.stringify(payload))
  const asked = { request: { id: 'b:1', dfid: 'b' }, facts: { auth: session('bot') } }
  const released = told().tell('pending_approval', 'b', asked)
  assert.deepEqual(released.tell('dispatch', 'b', pay('bot', approved)).found, [])
})
