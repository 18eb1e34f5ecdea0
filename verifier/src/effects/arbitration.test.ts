import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EventPayload,
  type JsonObject,
  LIMITS,
  type PayloadOf,
  type Ranked,
  type SignedIntent,
} from 'rubicon-kernel'
import { ArbitratedEvents } from './arbitration.ts'

const RULES = `sha256:${'1'.repeat(64)}` as const
const ID = `sha256:${'2'.repeat(64)}` as const
const at = (second: number): string => `2026-06-01T12:00:${String(second).padStart(2, '0')}.000Z`

const RANKS: Readonly<Record<string, Ranked>> = {
  risk: { agent_id: 'risk', priority: 50, role: 'MONITOR' },
  strategy: { agent_id: 'strategy', priority: 50, role: 'STRATEGIST' },
  clerk: { agent_id: 'clerk', priority: 90, role: 'EXECUTOR' },
}
/** Below the others. */
const HAND: Ranked = { agent_id: 'hand', priority: 90, role: 'EXECUTOR' }

function watchEvents(
  exclusive: 'event' | 'resources' = 'event',
  { whole = true, window_ms = 60_000, erased = [] as readonly string[] } = {},
): ArbitratedEvents {
  const events = new ArbitratedEvents(whole, new Set(erased), (dfid) => RANKS[dfid] ?? HAND)
  events.foldRules([{ topic: 'market.*', arbitration: { exclusive, window_ms } }])
  const woken = Object.keys(RANKS).map((name) => ({ agent: name, dfid: name }))
  assert.deepEqual(events.foldEvent(createEvent('market.*', woken), at(0)), [])
  return events
}

function createEvent(topic: string, woken: EventPayload['woken'] = []): EventPayload {
  const observations = [{ path: 'market.price' }]
  const event: JsonObject = { event_id: ID, topic, observations, woken: [...woken] }
  return event as unknown as EventPayload
}

function begin(
  events: ArbitratedEvents,
  dfid: string,
  change: Partial<SignedIntent> = {},
): readonly string[] {
  const intent = { dfid, policy_kind: 'BUY', rules_hash: RULES, resources: [], ...change }
  return events.foldIntent(intent as unknown as SignedIntent, at(1))
}

function lose(
  events: ArbitratedEvents,
  dfid: string,
  details: JsonObject,
  policy_kind = 'BUY',
): readonly string[] {
  const said = { event_id: ID, ...details }
  const payload = { reason_code: 'PREEMPTED', details: said, proposal: { policy_kind } }
  return events.foldRejection(dfid, payload as unknown as PayloadOf['rejection'])
}

const needs = (id: string): Pick<SignedIntent, 'resources'> => ({
  resources: [{ id, amount: '1' }],
})

test('a second winner of an exclusive event is found, a second step of the first is not', () => {
  const events = watchEvents()
  assert.deepEqual(begin(events, 'risk'), [])
  assert.deepEqual(begin(events, 'risk'), [])
  assert.deepEqual(begin(events, 'clerk', { policy_kind: 'ESCALATE' }), [], 'it excludes nobody')
  assert.deepEqual(begin(events, 'clerk'), ['another of its event was dispatched before'])
})

test('where resources exclude, two winners that share one are found', () => {
  const events = watchEvents('resources')
  assert.deepEqual(begin(events, 'risk', needs('eth')), [])
  assert.deepEqual(begin(events, 'clerk', needs('btc')), [])
  const found = begin(events, 'strategy', needs('btc'))
  assert.deepEqual(found, ['another of its event was dispatched before'])
})

test('whoever lost must have lost to one that was there, and that it does not outrank', () => {
  const events = watchEvents()
  assert.deepEqual(lose(events, 'clerk', { winner: 'risk', bid_at: at(0) }), [
    'nothing that it lost to was put down before',
  ])
  begin(events, 'strategy')
  const to = { winner: 'strategy', bid_at: at(0) }
  assert.deepEqual(lose(events, 'clerk', to), [])
  assert.deepEqual(lose(events, 'clerk', to, 'ALERT'), ['it outranks what it lost to'])
  assert.deepEqual(lose(events, 'risk', to), ['it outranks what it lost to'])
  const foreign = lose(events, 'clerk', { ...to, event_id: RULES })
  assert.deepEqual(foreign, ['nothing that it lost to was put down before'])
})

test('what a person let pass may be outranked, and what an agent let pass may not', () => {
  const by = (approver: string): Partial<SignedIntent> => {
    return { approval: { approver } } as unknown as Partial<SignedIntent>
  }
  const events = watchEvents()
  begin(events, 'clerk', by('ann@example.com'))
  assert.deepEqual(lose(events, 'risk', { winner: 'clerk', bid_at: at(0) }), [])
  const others = watchEvents()
  begin(others, 'clerk', by('agent:lead'))
  const found = lose(others, 'risk', { winner: 'clerk', bid_at: at(0) })
  assert.deepEqual(found, ['it outranks what it lost to'])
})

test('nobody is too late within the window that has not had its turn', () => {
  const early = watchEvents()
  begin(early, 'strategy')
  const late = { winner: 'strategy' }
  assert.deepEqual(lose(early, 'risk', late), ['the window of its event was not over'])
  assert.deepEqual(lose(early, 'risk', late), [], 'now it has')
  early.foldRequest('clerk')
  assert.deepEqual(lose(early, 'clerk', late), [])
  const short = watchEvents('event', { window_ms: 500 })
  begin(short, 'strategy')
  assert.deepEqual(lose(short, 'risk', late), [])
})

test('what is opened below a flow of the event excludes and is excluded, and is late only for earlier winners', () => {
  const events = watchEvents()
  const open = (dfid: string, parent_dfid: string): void => {
    const flow = { dfid, parent_dfid } as unknown as Parameters<typeof events.foldOpening>[0]
    events.foldOpening(flow)
  }
  open('hand', 'clerk')
  assert.deepEqual(begin(events, 'strategy'), [])
  open('late', 'hand')
  const to = { winner: 'strategy' }
  assert.deepEqual(lose(events, 'hand', to), ['the window of its event was not over'])
  assert.deepEqual(lose(events, 'late', to), [])
  assert.deepEqual(begin(events, 'hand'), ['another of its event was dispatched before'])
  events.foldCommit('late', 'HALT')
  assert.deepEqual(events.findHaltProblems('strategy'), ['its event was halted'])
  assert.deepEqual(events.findHaltProblems('hand'), ['its event was halted'])
})

test('between flows of one agent the order of bids is not asked: when the winner made its own is not on record', () => {
  const events = watchEvents()
  for (const dfid of ['hand', 'finger']) {
    const flow = { dfid, parent_dfid: 'clerk' }
    events.foldOpening(flow as unknown as Parameters<typeof events.foldOpening>[0])
  }
  begin(events, 'hand')
  const to = { winner: 'hand', bid_at: at(0) }
  assert.deepEqual(lose(events, 'finger', to), [])
  assert.deepEqual(lose(events, 'finger', to, 'ALERT'), ['it outranks what it lost to'])
})

test('after a HALT nothing is begun or sent, and nobody was stopped by one that was not', () => {
  const events = watchEvents()
  const stop = (halted_by: string): readonly string[] => {
    const payload = { reason_code: 'EVENT_HALTED', details: { event_id: ID, halted_by } }
    return events.foldRejection('clerk', payload as unknown as PayloadOf['rejection'])
  }
  assert.deepEqual(stop('risk'), ['nobody halted its event'])
  events.foldCommit('strategy', 'BUY')
  assert.deepEqual(events.findHaltProblems('clerk'), [])
  events.foldCommit('risk', 'HALT')
  assert.deepEqual(stop('risk'), [])
  assert.deepEqual(stop('clerk'), ['nobody halted its event'])
  assert.deepEqual(events.findHaltProblems('clerk'), ['its event was halted'])
  assert.deepEqual(begin(events, 'clerk'), ['its event was halted'])
})

test('in a whole ledger nobody loses about no event; a selection may have left it out', () => {
  const details = { winner: 'risk' }
  assert.deepEqual(lose(watchEvents(), 'nobody', details), ['it is about no event'])
  assert.deepEqual(lose(watchEvents('event', { whole: false }), 'nobody', details), [])
  assert.deepEqual(begin(watchEvents(), 'nobody'), [])
})

test('an event is not exempt by the name of another topic, nor by rules that came later', () => {
  const events = watchEvents()
  assert.deepEqual(events.foldEvent(createEvent('market.price'), at(0)), [
    'it is about another topic',
  ])
  events.foldRules([])
  assert.deepEqual(events.foldEvent(createEvent('market.price'), at(0)), [])
  assert.deepEqual(begin(events, 'risk'), [])
  assert.deepEqual(begin(events, 'clerk'), ['another of its event was dispatched before'])
  assert.deepEqual(lose(events, 'clerk', { winner: 'risk', bid_at: at(0) }), [])
})

test('two answers to an event that nobody arbitrated are not held against rules that came later', () => {
  const events = new ArbitratedEvents(true, new Set(), (dfid) => RANKS[dfid])
  const woken = ['risk', 'clerk'].map((name) => ({ agent: name, dfid: name }))
  events.foldEvent(createEvent('market.price', woken), at(0))
  events.foldRules([{ topic: 'market.price', arbitration: {} }])
  assert.deepEqual(begin(events, 'risk'), [])
  assert.deepEqual(begin(events, 'clerk'), [])
})

test('what somebody lost to or was halted by may be erased, or stand outside of a bundle, and no other', () => {
  for (const known of [{ erased: ['risk'] }, { whole: false }]) {
    const events = watchEvents('event', known)
    assert.deepEqual(lose(events, 'clerk', { winner: 'risk', bid_at: at(0) }), [])
    const details = { event_id: ID, halted_by: 'risk' }
    const halted = { reason_code: 'EVENT_HALTED', details } as unknown as PayloadOf['rejection']
    assert.deepEqual(events.foldRejection('clerk', halted), [])
    assert.deepEqual(lose(events, 'clerk', { winner: 'nobody' }), [
      'nothing that it lost to was put down before',
    ])
    assert.deepEqual(lose(events, 'risk', { winner: 'risk' }), [
      'nothing that it lost to was put down before',
    ])
  }
  const events = watchEvents('event', { erased: ['risk'] })
  assert.deepEqual(lose(events, 'clerk', { winner: 'strategy', bid_at: at(0) }), [
    'nothing that it lost to was put down before',
  ])
})

test('a refusal for another reason is nothing about an event, whoever it is of', () => {
  const events = watchEvents()
  const refuse = (dfid: string): readonly string[] => {
    const payload = { reason_code: 'LIMIT_EXCEEDED', details: {}, proposal: null }
    return events.foldRejection(dfid, payload as unknown as PayloadOf['rejection'])
  }
  assert.deepEqual(refuse('clerk'), [])
  assert.deepEqual(refuse('nobody'), [])
  assert.deepEqual(events.findHaltProblems('nobody'), [])
})

test('a second winner of an event that was halted is found as both', () => {
  const events = watchEvents()
  begin(events, 'risk')
  events.foldCommit('risk', 'HALT')
  assert.deepEqual(begin(events, 'clerk'), [
    'its event was halted',
    'another of its event was dispatched before',
  ])
})

test('that something of a flow was erased excuses what is not here, and not what is', () => {
  const other = watchEvents('event', { erased: ['risk'] })
  begin(other, 'strategy')
  assert.deepEqual(lose(other, 'clerk', { winner: 'risk', bid_at: at(0) }), [])
  const known = watchEvents('event', { erased: ['strategy'] })
  begin(known, 'strategy')
  assert.deepEqual(lose(known, 'risk', { winner: 'strategy', bid_at: at(0) }), [
    'it outranks what it lost to',
  ])
})

test('the window is over at its end, less what a dispatch may take', () => {
  const loseAfter = (window_ms: number): readonly string[] => {
    const events = watchEvents('event', { window_ms })
    begin(events, 'strategy')
    return lose(events, 'risk', { winner: 'strategy' })
  }
  const over = 1_000 + LIMITS.dispatchWithinMs
  assert.deepEqual(loseAfter(over), [])
  assert.deepEqual(loseAfter(over + 1), ['the window of its event was not over'])
})

test('whose rank or kind nobody can read is not said to outrank anybody', () => {
  const events = new ArbitratedEvents(true, new Set(), (dfid) => RANKS[dfid])
  events.foldRules([{ topic: 'market.*', arbitration: { exclusive: 'event', window_ms: 5 } }])
  const woken = ['stranger', 'strategy', 'risk'].map((name) => ({ agent: name, dfid: name }))
  events.foldEvent(createEvent('market.*', woken), at(0))
  assert.deepEqual(begin(events, 'stranger'), [], 'it wins nothing that could be compared')
  assert.deepEqual(begin(events, 'strategy'), [])
  const to = { winner: 'strategy', bid_at: at(0) }
  assert.deepEqual(lose(events, 'stranger', to, 'ALERT'), [])
  const untold = { reason_code: 'PREEMPTED', details: { event_id: ID, ...to }, proposal: null }
  const payload = untold as unknown as PayloadOf['rejection']
  assert.deepEqual(events.foldRejection('risk', payload), [])
  assert.deepEqual(lose(events, 'risk', to), ['it outranks what it lost to'])
})
