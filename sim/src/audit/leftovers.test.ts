import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../../../runtime/src/ports/notifier.ts'
import { auditLeftovers, type KnownOutcomes, type Leftovers } from './leftovers.ts'

const NOTHING: Leftovers = {
  executions: [],
  flows: new Map(),
  locks: [],
  noted: [],
  counters: new Map(),
  escalations: [],
  notices: [],
  stops: [],
  timers: [],
  dirty: [],
  instances: [],
  now: '2026-06-01T12:00:00.000Z',
}
const SILENCE: KnownOutcomes = {
  told: [],
  standings: new Map(),
  stuck: new Map(),
  isServed: () => true,
  isOpenable: () => true,
  isRetired: () => false,
}

function found(left: object, known: Partial<KnownOutcomes> = {}): readonly string[] {
  const invariants: string[] = []
  const report = (invariant: string): void => void invariants.push(invariant)
  auditLeftovers(report, { ...NOTHING, ...left } as Leftovers, { ...SILENCE, ...known })
  return invariants
}

function flow(state: string, parent_dfid: string | null = null, more: object = {}): object {
  return { state, parent_dfid, expires_at: '2026-06-01T12:00:00.001Z', tags: [], ...more }
}

test('a flow whose writ has ended is ACTIVE only while something of it is open (I7)', () => {
  const over = { expires_at: NOTHING.now }
  const left = (...flows: (readonly [string, object])[]): object => ({ flows: new Map(flows) })
  assert.deepEqual(found(left(['a', flow('ACTIVE', null, over)])), ['I7'])
  assert.deepEqual(found(left(['a', flow('ACTIVE')])), [])
  assert.deepEqual(found(left(['a', flow('ABORTED', null, over)])), [])
  assert.deepEqual(found(left(['a', flow('ACTIVE', null, { ...over, tags: ['DIRTY'] })])), [])
  const child = ['b', flow('EXECUTING', 'a', over)] as const
  assert.deepEqual(found(left(['a', flow('ACTIVE', null, over)], child)), [])
})

test('an instance is left only while its occasion lasts, or while it is suspended (I7)', () => {
  const later = '2026-06-01T12:00:00.001Z'
  const left = (until: object, ends_at: string, state = 'ACTIVE'): object => ({
    instances: [{ group: 'live', key: 'bot-1', body: { until, ends_at } }],
    flows: new Map([['a', flow(state)]]),
  })
  assert.deepEqual(found(left({ at: later }, later)), [])
  assert.deepEqual(found(left({ at: NOTHING.now }, NOTHING.now)), ['I7'])
  assert.deepEqual(found(left({ flow: 'a' }, later)), [])
  assert.deepEqual(found(left({ flow: 'a' }, later, 'CLOSED')), ['I7'])
  assert.deepEqual(found(left({ flow: 'a' }, later, 'CLOSED'), { isServed: () => false }), [])
})

test('a retired instance is left only to what a person has to put right (I7)', () => {
  const retired = { isRetired: () => true }
  const left = (status: string, more: object = {}): object => ({
    instances: [
      { group: 'live', key: 'bot-1', body: { until: { at: NOTHING.now }, ends_at: NOTHING.now } },
    ],
    flows: new Map([['a', flow('ESCALATED', null, { agent_id: 'bot-1', ...more })]]),
    escalations: [{ group: 'open', key: 'a:1', body: { request: { dfid: 'a', expires_at: '9' } } }],
    executions: [{ dfid: 'a', step_id: 's', status }],
  })
  assert.deepEqual(found(left('MANUAL_REVIEW'), retired), [])
  assert.deepEqual(found(left('SUCCESS', { tags: ['DIRTY'] }), retired), [])
  assert.deepEqual(found(left('MANUAL_REVIEW')), ['I7'], 'it has to be retired all the same')
  assert.deepEqual(found(left('SUCCESS'), retired), ['I7'])
  assert.deepEqual(found(left('MANUAL_REVIEW', { agent_id: 'bot-2' }), retired), ['I7'])
})

test('what is neither settled nor with a person is found (I7)', () => {
  for (const status of ['SUCCESS', 'FAILED', 'ABANDONED', 'MANUAL_REVIEW'])
    assert.deepEqual(found({ executions: [{ dfid: 'a', step_id: 's', status }] }), [], status)
  for (const status of ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'])
    assert.deepEqual(found({ executions: [{ dfid: 'a', step_id: 's', status }] }), ['I7'], status)
})

test('a hold is left only to what a person looks at (I7)', () => {
  const locks = [{ resource: 'till', holder: 'a:s' }]
  const held = (status: string): readonly string[] =>
    found({ locks, executions: [{ dfid: 'a', step_id: 's', status }] })
  assert.deepEqual(held('MANUAL_REVIEW'), [])
  assert.deepEqual(held('SUCCESS'), ['I7'])
  assert.deepEqual(found({ locks }), ['I7'])
})

test('notes are left only to flows that are open (I7)', () => {
  const noted = ['a']
  assert.deepEqual(found({ noted, flows: new Map([['a', flow('ACTIVE')]]) }), [])
  for (const state of ['CLOSED', 'ABORTED'])
    assert.deepEqual(found({ noted, flows: new Map([['a', flow(state)]]) }), ['I7'], state)
})

test('a request waits only while its flow does and its time lasts; nothing stays approved (I7)', () => {
  const asked = (group: string, state: string, expires_at: string): readonly string[] => {
    const request = { dfid: 'a', expires_at }
    const escalations = [{ group, key: 'a:1', body: { request } }]
    return found({ escalations, flows: new Map([['a', flow(state)]]) })
  }
  const [later, now] = ['2026-06-01T12:00:00.001Z', NOTHING.now]
  assert.deepEqual(asked('open', 'ESCALATED', later), [])
  assert.deepEqual(asked('open', 'ESCALATED', now), ['I7'])
  assert.deepEqual(asked('open', 'ABORTED', later), ['I7'])
  assert.deepEqual(asked('closed', 'CLOSED', now), [])
  assert.deepEqual(asked('approved', 'ACTIVE', later), ['I7'])
})

test('a flow that waits does so for a request, or for what a person looks at (I7)', () => {
  const flows = new Map([['a', flow('ESCALATED')]])
  assert.deepEqual(found({ flows }), ['I7'])
  const executions = [{ dfid: 'a', step_id: 's', status: 'MANUAL_REVIEW' }]
  assert.deepEqual(found({ flows, executions }), [])
})

test('notices, stops and timers that somebody should have seen to are found (I7)', () => {
  assert.deepEqual(found({ notices: [{ group: 'due', key: 'n', body: {} }] }), ['I7'])
  assert.deepEqual(found({ notices: [{ group: 'failed', key: 'n', body: { notice: {} } }] }), [])
  assert.deepEqual(found({ stops: [{ group: 'agents', key: 'bot', body: {} }] }), ['I7'])
  const timer = (at: string) => ({ timers: [{ group: 'due', key: 't', body: { name: 't', at } }] })
  assert.deepEqual(found(timer('2026-06-01T11:59:59.999Z')), ['I7'])
  assert.deepEqual(found(timer('2026-06-01T11:59:59.999Z'), { isOpenable: () => false }), [])
  assert.deepEqual(found(timer('2026-06-01T12:00:00.001Z')), [])
})

const TOLD = [{ dfid: 'a' } as Notice]

function dirty(standing: string, more: object = {}, known: Partial<KnownOutcomes> = {}) {
  const rows = [{ group: 'open', key: 'a', body: { agent_id: 'bot', standing } }]
  const counters = new Map([['dirty bot', 1]])
  const standings: KnownOutcomes['standings'] = new Map([['a', 'PARTIAL_SUCCESS_DIRTY']])
  const flows = new Map([['a', flow('ABORTED')]])
  return found({ dirty: rows, counters, flows, ...more }, { told: TOLD, standings, ...known })
}

test('half a job is with a person who was told, or waits for one while it is taken back (I11)', () => {
  assert.deepEqual(dirty('open'), [])
  assert.deepEqual(dirty('with_person'), [])
  assert.deepEqual(dirty('open', {}, { told: [] }), ['I11'])
  const notices = [{ group: 'failed', key: 'n', body: { notice: { dfid: 'a' } } }]
  assert.deepEqual(dirty('open', { notices }, { told: [] }), [], 'a failed notice can be seen')
  assert.deepEqual(dirty('compensating'), ['I11'])
  const executions = [{ dfid: 'b', step_id: 's', status: 'MANUAL_REVIEW' }]
  const flows = new Map([
    ['a', flow('ABORTED')],
    ['b', flow('ABORTED', 'a')],
  ])
  assert.deepEqual(dirty('compensating', { executions, flows }), [])
})

test('a saga waits for a person only about what is not settled (I11)', () => {
  const stuck = new Map([['a', 'undo~s']])
  const flows = new Map([
    ['a', flow('ABORTED')],
    ['b', flow('ABORTED', 'a')],
  ])
  const waiting = (status: string): readonly string[] => {
    const executions = [{ dfid: 'b', step_id: 'undo~s', status }]
    return dirty('with_person', { executions, flows }, { stuck })
  }
  assert.deepEqual(waiting('MANUAL_REVIEW'), [])
  assert.deepEqual(waiting('FAILED'), [])
  assert.deepEqual(waiting('SUCCESS'), ['I11'])
})

test('what is kept of half jobs is what the ledger says of them (I11), and is counted (I7)', () => {
  assert.deepEqual(dirty('open', {}, { standings: new Map([['a', 'COMPENSATED']]) }), ['I11'])
  assert.deepEqual(found({}, { standings: new Map([['a', 'COMPENSATING']]) }), ['I11'])
  assert.deepEqual(found({}, { standings: new Map([['a', 'SETTLED']]) }), [])
  assert.deepEqual(dirty('open', { counters: new Map([['dirty bot', 2]]) }), ['I7'])
})
