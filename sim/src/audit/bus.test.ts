import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, JsonObject } from 'rubicon-kernel'
import { AuditedBus, type EventsView } from './bus.ts'
import type { Line } from './report.ts'

const AT = '2026-06-01T00:00:00.000Z'

const toLine = (kind: string, payload: JsonObject): Line => {
  const place = { id: '', leaf: 0, trajectory: 'main', seq: 1, at: AT, authoritySeq: undefined }
  return { ...place, kind, dfid: '', payload }
}

const NOTHING: EventsView = {
  now: AT,
  flows: new Map(),
  events: [],
  bids: [],
  claims: [],
  letters: [],
  timers: [],
}
const MESSAGE = {
  topic: 't.a',
  message: { tenant: 'storm', event_id: 'e', agent: 'risk' },
  dfid: 'f',
  snapshot_id: 's',
}

/** An event that woke one agent, whose contract names its topic. */
function watch(): { readonly bus: AuditedBus; readonly found: string[] } {
  const found: string[] = []
  const subscribed: Partial<Contract['permissions']> = { subscriptions: [{ topic: 't.*' }] }
  const contract: Partial<Contract> = { permissions: subscribed as Contract['permissions'] }
  const known = {
    listContracts: (agent: string) => (agent === 'risk' ? [contract as Contract] : []),
  }
  const bus = new AuditedBus((_, detail) => void found.push(detail), known, true)
  const woken = [{ agent: 'risk', dfid: 'f' }]
  bus.add(toLine('event', { event_id: 'e', topic: 't.a', state_snapshot_id: 's', woken }))
  return { bus, found }
}

function open(bus: AuditedBus, change: JsonObject = {}): void {
  bus.add(toLine('writ', { flow: { dfid: 'f', agent_id: 'risk', event_id: 'e', ...change } }))
}

test('what was announced, sent and opened is in order', () => {
  const { bus, found } = watch()
  bus.auditTaken(MESSAGE)
  bus.auditTaken(MESSAGE)
  bus.auditHeard({ agent: 'risk', event_id: 'e', topic: 't.a', dfid: 'f' })
  open(bus)
  bus.finish({ ...NOTHING, flows: new Map([['f', { state: 'CLOSED' }]]) })
  assert.deepEqual(found, [])
})

test('a flow that no event announced, or twice, or for another agent, is found', () => {
  const { bus, found } = watch()
  open(bus, { dfid: 'g' })
  open(bus, { event_id: 'other' })
  open(bus, { agent_id: 'clerk' })
  assert.deepEqual(found, [
    'main/1: no event announced the flow that it opens',
    'main/1: no event announced the flow that it opens',
    'main/1: another agent was to be woken',
    'main/1: f was opened before',
  ])
})

test('nothing is said or heard that is not on the record', () => {
  const { bus, found } = watch()
  for (const change of [
    { topic: 't.b' },
    { snapshot_id: 'old' },
    { dfid: 'g' },
    { message: { ...MESSAGE.message, agent: 'clerk' } },
    { message: { ...MESSAGE.message, event_id: 'other' } },
  ])
    bus.auditTaken({ ...MESSAGE, ...change })
  const hint = { agent: 'risk', event_id: 'e', topic: 't.a', dfid: 'f' }
  for (const change of [{ agent: 'clerk' }, { event_id: 'x' }, { topic: 't' }, { dfid: 'g' }])
    bus.auditHeard({ ...hint, ...change })
  assert.equal(found.length, 9)
})

test('who hears is on the record, by a contract that says so', () => {
  const { bus, found } = watch()
  const record = (agent_id: string, topic: string, finding = 'subscribed'): void =>
    bus.add(toLine('evidence', { source: 'bus', finding, details: { agent_id, topic } }))
  record('risk', 't.a')
  bus.auditSubscribed('risk', 't.a')
  assert.deepEqual(found, [])
  bus.auditSubscribed('risk', 't.a')
  record('clerk', 't.a')
  bus.auditSubscribed('clerk', 't.a')
  record('risk', '*')
  bus.auditSubscribed('risk', '*')
  record('risk', 't.b', 'denied')
  bus.auditSubscribed('risk', 't.b')
  assert.deepEqual(found, [
    'that risk hears t.a is not on the record',
    'clerk hears t.a, which no contract of it names',
    'risk hears *, which no contract of it names',
    'that risk hears t.b is not on the record',
  ])
})

test('a message is sent, dead, or lost', () => {
  const letter = (group: string, attempts: number): EventsView['letters'] => [
    { group, body: { ...MESSAGE, attempts } },
  ]
  const opened = { ...NOTHING, flows: new Map([['f', { state: 'CLOSED' }]]) }
  const lookAt = (view: EventsView): readonly string[] => {
    const { bus, found } = watch()
    bus.finish(view)
    return found
  }
  assert.deepEqual(lookAt({ ...opened, letters: letter('dead', 8) }), [])
  assert.deepEqual(lookAt({ ...opened, letters: letter('dead', 1) }), [
    'the message about f was given up after 1',
  ])
  assert.deepEqual(lookAt({ ...opened, letters: letter('due', 1) }), [
    'the message about f is not sent',
  ])
  assert.deepEqual(lookAt(opened), ['the message about f is lost'])
})

test('whoever was woken has a flow, waits with its agent, or is said to have ended', () => {
  const member = { agent: 'risk', dfid: 'f', priority: 1, role: 'MONITOR' } as const
  const record = { topic: 't', at: '', closes_at: null, law: null, state_snapshot_id: 's' }
  const lookAt = (view: Partial<EventsView>): readonly string[] => {
    const { bus, found } = watch()
    bus.auditTaken(MESSAGE)
    bus.finish({ ...NOTHING, ...view })
    return found
  }
  const members = [{ ...member, ended: 'gone' as const }]
  const ended = { group: 'closed', key: 'e', body: { ...record, members } }
  assert.deepEqual(lookAt({ events: [ended] }), [])
  assert.deepEqual(lookAt({ timers: [{ body: { event: { dfid: 'f' } } }] }), [])
  assert.deepEqual(lookAt({ events: [{ ...ended, body: { ...record, members: [member] } }] }), [
    'f was woken, and nothing became of it',
  ])
  // After a week nobody has to know any more; before, and where the event is kept, it is lost.
  assert.deepEqual(lookAt({ now: '2026-06-08T00:00:00.000Z' }), [])
  const early = '2026-06-07T23:59:59.999Z'
  assert.deepEqual(lookAt({ now: early }), ['f was woken, and nothing became of it'])
  const left = { events: [{ ...ended, group: 'open' }], bids: [{ group: 'e', key: 'f' }] }
  assert.deepEqual(lookAt({ ...left, claims: [{ key: 'f' }] }), [
    'the event e is still open',
    'the bid of f is left',
    'the claim of f is left',
  ])
})
