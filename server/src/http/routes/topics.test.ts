/** What people read of topics and events: who listens, who was woken, who won, and why. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import {
  DESK,
  DESK_CONTRACTS,
  type DeskWord,
  PRICE,
  playDesk,
  RISK,
  SENTIMENT,
  STRATEGY,
  TOPIC,
} from '../desk.test-support.ts'
import { get, problemOf, served } from '../served.test-support.ts'

async function desk(t: TestContext) {
  const clock = handClock()
  const it = await served(t, { ...DESK, clock, contracts: DESK_CONTRACTS })
  const jane = it.person('jane', 'auditor')
  const play = async (price: string, words: readonly DeskWord[]): Promise<string> => {
    await clock.advance(1_000)
    return playDesk(it.runtime, price, words)
  }
  const read = async (path: string) => {
    const { status, body } = await get(jane, path)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  return { ...it, clock, play, read }
}

type Member = Readonly<Record<string, unknown>> & {
  readonly agent: string
  readonly dfid: string
  readonly place: unknown
  readonly answers: readonly { readonly outcome: string; readonly code: string; by: string }[]
}

const ALERT: DeskWord = [RISK, 'ALERT']
const BUY: DeskWord = [STRATEGY, 'BUY']

test('topics name who listens in the order of priority, and topics that only contracts name', async (t) => {
  const { read, runtime } = await desk(t)
  const [contract] = DESK_CONTRACTS
  assert.ok(contract !== undefined)
  await runtime.deploy({
    ...contract,
    agent_id: 'desk_weather',
    permissions: { ...contract.permissions, subscriptions: [{ topic: 'weather.rain' }] },
  })
  const { topics, next } = await read('/v1/topics')
  assert.equal(next, null)
  const [market, weather] = topics
  assert.deepEqual([market.topic, market.in_rules, market.listening], [TOPIC, true, 3])
  assert.deepEqual(
    market.listeners.map(({ agent_id }: { readonly agent_id: string }) => agent_id),
    [RISK, STRATEGY, SENTIMENT],
  )
  assert.equal(market.arbitration.exclusive, 'event')
  assert.deepEqual([weather.topic, weather.in_rules], ['weather.rain', false])
  const first = await read('/v1/topics?limit=1')
  const second = await read(`/v1/topics?limit=1&cursor=${first.next}`)
  assert.deepEqual([...first.topics, ...second.topics], topics)
  assert.equal(second.next, null)
})

test('an event tells who won by what, who lost to whom, and who was not woken', async (t) => {
  const { play, read } = await desk(t)
  await play('100.00', [BUY, ALERT])
  const id = await play('101.00', [BUY, ALERT])
  const event = await read(`/v1/topic-events/${id}`)
  assert.deepEqual([event.topic, event.outcome], [TOPIC, 'won'])
  assert.deepEqual(
    event.observations.map(({ path }: { readonly path: string }) => path),
    [PRICE],
  )
  assert.deepEqual(event.not_woken, [{ agent: SENTIMENT, code: 'WAKE_NOT_ADMITTED' }])
  assert.equal(event.admission.volatility, '1')
  assert.equal(event.state.facts[0].value, '101.00')
  const [risk, strategy]: Member[] = event.members
  assert.ok(risk !== undefined && strategy !== undefined && event.members.length === 2)
  assert.deepEqual(risk.place, { rank: 1, before_next_by: 'kind' })
  assert.deepEqual(strategy.place, { rank: 2, before_next_by: null })
  assert.equal(risk.answers[0]?.outcome, 'won')
  const [lost] = strategy.answers
  assert.deepEqual([lost?.outcome, lost?.code, lost?.by], ['lost', 'PREEMPTED', risk.dfid])
  assert.equal(event.winners[0].dfid, risk.dfid)
})

test('what waits is shown as waiting, and a HALT with what it stopped', async (t) => {
  const { play, read } = await desk(t)
  const id = await play('100.00', [BUY])
  const open = await read(`/v1/topic-events/${id}`)
  assert.equal(open.outcome, 'open')
  const waiting: Member = open.members.find(({ agent }: Member) => agent === STRATEGY)
  assert.equal(waiting.answers[0]?.outcome, 'waiting')
  const halted = await play('120.00', [BUY, [RISK, 'HALT', { reason: 'the feed is wrong' }]])
  const event = await read(`/v1/topic-events/${halted}`)
  const risk: Member = event.members.find(({ agent }: Member) => agent === RISK)
  const stopped: Member = event.members.find(({ agent }: Member) => agent === STRATEGY)
  assert.deepEqual([event.outcome, event.halted_by], ['halted', risk.dfid])
  assert.equal(risk.answers[0]?.outcome, 'sent')
  assert.equal(risk.place, null)
  const [answer] = stopped.answers
  assert.deepEqual(
    [answer?.outcome, answer?.code, answer?.by],
    ['halted', 'EVENT_HALTED', risk.dfid],
  )
})

test('events are listed newest first, page by page, and by topic', async (t) => {
  const { play, read } = await desk(t)
  const ids: string[] = []
  for (const price of ['100.00', '101.00', '103.00']) ids.unshift(await play(price, []))
  const idsOf = (body: { readonly events: readonly { readonly event_id: string }[] }) =>
    body.events.map(({ event_id }) => event_id)
  const all = await read('/v1/topic-events')
  assert.deepEqual(idsOf(all), ids)
  assert.equal(all.next, null)
  assert.deepEqual([all.events[0].woken, all.events[0].not_woken], [2, 1])
  const first = await read('/v1/topic-events?limit=2')
  const rest = await read(`/v1/topic-events?limit=2&cursor=${first.next}`)
  assert.deepEqual([...idsOf(first), ...idsOf(rest)], ids)
  assert.deepEqual(idsOf(await read(`/v1/topic-events?topic=${TOPIC}`)), ids)
  assert.deepEqual(idsOf(await read('/v1/topic-events?topic=weather.*')), [])
})

test('an event that is old is found by its time, however many entries came since', async (t) => {
  const { play, read, runtime, clock } = await desk(t)
  await play('100.00', [])
  const id = await play('101.00', [BUY, ALERT])
  for (let n = 0; n < 150; n += 1) {
    await clock.advance(1)
    await runtime.open({ agent: STRATEGY, trigger: `its own idea ${n}` })
  }
  const event = await read(`/v1/topic-events/${id}`)
  assert.equal(event.observations.length, 1)
  const { entry } = await read(`/v1/ledger/entries/${event.leaf}`)
  assert.equal(entry.payload.event_id, id)
})

test('nobody reads events that are not there, and agents read none', async (t) => {
  const { agent, person } = await desk(t)
  const jane = person('joe', 'operator')
  const unknown = await get(jane, `/v1/topic-events/sha256:${'0'.repeat(64)}`)
  assert.deepEqual(problemOf(unknown), [404, 'EVENT_UNKNOWN'])
  const risk = await agent(RISK)
  for (const path of ['/v1/topics', '/v1/topic-events'])
    assert.deepEqual(problemOf(await get(risk, path)), [403, 'ROLE_MISSING'])
})
