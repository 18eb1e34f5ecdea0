import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ArbitrationLaw, Bid, EventStanding } from './bid.ts'
import { chooseNextBid, findEventRefusal } from './outcome.ts'
import { compareBids, findPrecedence, rankBids } from './rank.ts'
import { isWindowOver } from './window.ts'

const LAW: ArbitrationLaw = { exclusive: 'event', preempting_kinds: ['HALT', 'ALERT'] }
const OPEN: EventStanding = { event_id: 'sha256:e', winners: [], halted_by: null }

const base: Bid = {
  dfid: 'd-strategy',
  agent_id: 'agent_strategy',
  priority: 50,
  role: 'STRATEGIST',
  policy_kind: 'BUY',
  resources: [],
  at: '2026-02-01T00:00:00.000Z',
}
const strategy = base
const risk: Bid = {
  ...base,
  dfid: 'd-risk',
  agent_id: 'agent_risk',
  role: 'MONITOR',
  policy_kind: 'SELL',
}

const anyBid: fc.Arbitrary<Bid> = fc.record({
  dfid: fc.uuid(),
  agent_id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  priority: fc.integer({ min: 0, max: 3 }),
  role: fc.constantFrom('MONITOR', 'STRATEGIST', 'EXECUTOR'),
  policy_kind: fc.constantFrom('BUY', 'SELL', 'ALERT', 'HALT'),
  resources: fc.uniqueArray(fc.constantFrom('cash', 'eth', 'btc')),
  at: fc.constantFrom('2026-02-01T00:00:00.000Z', '2026-02-01T00:00:01.000Z'),
})
const anyBids = fc.uniqueArray(anyBid, { selector: ({ dfid }) => dfid, maxLength: 8 })
const anyLaw: fc.Arbitrary<ArbitrationLaw> = fc.record({
  exclusive: fc.constantFrom('event', 'resources'),
  preempting_kinds: fc.subarray(['HALT', 'ALERT', 'SELL']),
})

/** Every winner is dispatched, until nobody is left. */
function runToEnd(law: ArbitrationLaw, bids: readonly Bid[]): EventStanding {
  let standing = OPEN
  let left = bids
  for (;;) {
    const { next, lost } = chooseNextBid(law, standing, left)
    if (next === null) return standing
    standing = { ...standing, winners: [...standing.winners, next] }
    const gone = new Set([next.dfid, ...lost.map(({ bid }) => bid.dfid)])
    left = left.filter(({ dfid }) => !gone.has(dfid))
  }
}

test('the order of arrival changes neither the order of bids nor who wins', () => {
  fc.assert(
    fc.property(anyLaw, anyBids, fc.infiniteStream(fc.integer()), (law, bids, keys) => {
      const shuffled = bids
        .map((bid) => ({ bid, key: Number(keys.next().value) }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ bid }) => bid)
      assert.deepEqual(rankBids(law, shuffled), rankBids(law, bids))
      assert.deepEqual(runToEnd(law, shuffled), runToEnd(law, bids))
    }),
  )
})

test('between two agents it does not matter who was first', () => {
  fc.assert(
    fc.property(anyLaw, anyBid, anyBid, (law, a, b) => {
      fc.pre(a.agent_id !== b.agent_id)
      const swapped = compareBids(law, { ...a, at: b.at }, { ...b, at: a.at })
      assert.equal(Math.sign(swapped), Math.sign(compareBids(law, a, b)))
    }),
  )
})

test('the order is total: it has no ties between flows and no circles', () => {
  fc.assert(
    fc.property(anyLaw, anyBid, anyBid, anyBid, (law, a, b, c) => {
      fc.pre(a.dfid !== b.dfid && b.dfid !== c.dfid && a.dfid !== c.dfid)
      assert.equal(Math.sign(compareBids(law, a, b)), -Math.sign(compareBids(law, b, a)))
      assert.notEqual(compareBids(law, a, b), 0)
      if (compareBids(law, a, b) < 0 && compareBids(law, b, c) < 0)
        assert.ok(compareBids(law, a, c) < 0)
    }),
  )
})

test('an exclusive event has one winner, and it is the first in the order', () => {
  fc.assert(
    fc.property(anyBids, (bids) => {
      const { winners } = runToEnd(LAW, bids)
      assert.equal(winners.length, Math.min(1, bids.length))
      assert.equal(winners[0]?.dfid, rankBids(LAW, bids)[0]?.dfid)
    }),
  )
})

test('with exclusive resources no two winners share one, and whoever lost shares one with a winner', () => {
  const law: ArbitrationLaw = { ...LAW, exclusive: 'resources' }
  fc.assert(
    fc.property(anyBids, (bids) => {
      const { winners } = runToEnd(law, bids)
      const taken = winners.flatMap(({ resources }) => resources)
      assert.equal(new Set(taken).size, taken.length)
      for (const bid of bids) {
        if (winners.some(({ dfid }) => dfid === bid.dfid)) continue
        assert.ok(bid.resources.some((name) => taken.includes(name)))
      }
    }),
  )
})

test('a preempting kind comes before a higher priority, and risk before strategy among equals', () => {
  const chief: Bid = { ...base, dfid: 'd-chief', agent_id: 'chief', priority: 1 }
  const alert: Bid = { ...risk, policy_kind: 'ALERT' }
  assert.deepEqual(rankBids(LAW, [strategy, risk]), [risk, strategy])
  assert.deepEqual(rankBids(LAW, [strategy, risk, chief]), [chief, risk, strategy])
  assert.deepEqual(rankBids(LAW, [strategy, alert, chief]), [alert, chief, strategy])
})

test('a bid that is refused hands on: nobody has lost before somebody is dispatched', () => {
  assert.deepEqual(chooseNextBid(LAW, OPEN, [strategy, risk]), { next: risk, lost: [] })
  assert.deepEqual(chooseNextBid(LAW, OPEN, [strategy]), { next: strategy, lost: [] })
  assert.deepEqual(chooseNextBid(LAW, OPEN, []), { next: null, lost: [] })
})

test('whoever lost is told to whom', () => {
  const refusal = {
    code: 'PREEMPTED',
    details: { event_id: 'sha256:e', winner: 'd-risk', winner_kind: 'SELL' },
  }
  const won = { ...OPEN, winners: [risk] }
  assert.deepEqual(chooseNextBid(LAW, won, [strategy]), {
    next: null,
    lost: [{ bid: strategy, refusal }],
  })
})

test('a flow that has won goes on with its next step', () => {
  assert.equal(findEventRefusal(LAW, { ...OPEN, winners: [risk] }, risk), null)
})

test('HALT stops everybody, also who has won and where nothing is arbitrated', () => {
  const halted = { ...OPEN, winners: [risk], halted_by: 'd-stop' }
  const details = { event_id: 'sha256:e', halted_by: 'd-stop' }
  for (const law of [LAW, null])
    for (const bid of [risk, strategy])
      assert.deepEqual(findEventRefusal(law, halted, bid), { code: 'EVENT_HALTED', details })
  assert.equal(findEventRefusal(null, { ...OPEN, winners: [risk] }, strategy), null)
})

test('a window ends at its time, or when nobody is left to be waited for', () => {
  const waiting = { isDone: false }
  const done = { isDone: true }
  assert.equal(isWindowOver('b', 'a', [done, waiting]), false)
  assert.equal(isWindowOver('b', 'b', [done, waiting]), true)
  assert.equal(isWindowOver('b', 'a', [done, done]), true)
  assert.equal(isWindowOver('b', 'a', []), true)
})

test('what an order is explained by is what decides it: nothing else changes who is first', () => {
  const chief: Bid = { ...base, dfid: 'd-chief', agent_id: 'chief', priority: 1 }
  const twin: Bid = { ...base, dfid: 'd-twin', agent_id: 'agent_twin' }
  const again: Bid = { ...base, dfid: 'd-again', at: '2026-02-01T00:00:01.000Z' }
  const alert: Bid = { ...risk, policy_kind: 'ALERT' }
  assert.equal(findPrecedence(LAW, alert, chief), 'kind')
  assert.equal(findPrecedence(LAW, chief, strategy), 'priority')
  assert.equal(findPrecedence(LAW, risk, strategy), 'role')
  assert.equal(findPrecedence(LAW, strategy, twin), 'name')
  assert.equal(findPrecedence(LAW, strategy, again), 'time')
  fc.assert(
    fc.property(anyLaw, anyBid, anyBid, (law, a, b) => {
      fc.pre(a.dfid !== b.dfid)
      const by = findPrecedence(law, a, b)
      assert.equal(findPrecedence(law, b, a), by)
      // With only that member swapped the order is the other one.
      const [kinds, ranks] = [by === 'kind', by === 'priority' || by === 'role' || by === 'name']
      fc.pre(kinds || ranks)
      const swap = (one: Bid, other: Bid): Bid => ({
        ...one,
        ...(kinds ? { policy_kind: other.policy_kind } : {}),
        ...(ranks ? { priority: other.priority, role: other.role, agent_id: other.agent_id } : {}),
      })
      const swapped = compareBids(law, swap(a, b), swap(b, a))
      assert.equal(Math.sign(swapped), -Math.sign(compareBids(law, a, b)))
    }),
  )
})

test('of two bids of one agent the earlier comes first, of two at once that of the lower flow', () => {
  const later = { ...base, dfid: 'a', at: '2026-02-01T00:00:00.001Z' }
  assert.ok(compareBids(LAW, base, later) < 0 && compareBids(LAW, later, base) > 0)
  const other = { ...base, dfid: `${base.dfid}x` }
  assert.ok(compareBids(LAW, base, other) < 0 && compareBids(LAW, other, base) > 0)
  assert.equal(compareBids(LAW, base, { ...base }), 0)
})
