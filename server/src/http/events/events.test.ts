import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { AGENT, get, problemOf, served } from '../served.test-support.ts'
import { hear } from './hearing.test-support.ts'

test('people hear every entry as it is written: where it stands, whose it is, and why', async (t) => {
  const { person, agent, open, propose } = await served(t)
  const bot = await agent()
  const jane = await hear(person('jane', 'auditor'))
  const flow = await open(bot)
  await propose(bot, flow)
  const large = await open(bot)
  await propose(bot, large, { params: { order: 'o_2', amount: '20000.00' } })
  const events = await jane.until(5)
  assert.deepEqual(
    events.map(({ kind, dfid, agent_id, code }) => [kind, dfid, agent_id, code]),
    [
      ['writ', flow.dfid, AGENT, null],
      ['dispatch', flow.dfid, AGENT, null],
      ['commit', flow.dfid, AGENT, null],
      ['writ', large.dfid, AGENT, null],
      ['rejection', large.dfid, AGENT, 'LIMIT_EXCEEDED'],
    ],
  )
  const first = jane.hello() + 1
  assert.deepEqual(
    events.map(({ leaf }) => leaf),
    [first, first + 1, first + 2, first + 3, first + 4],
  )
  const shown = await get(person('ann', 'auditor'), `/v1/flows/${flow.dfid}`)
  const entries: readonly { readonly leaf: number; readonly id: string }[] = shown.body.entries
  assert.deepEqual(
    events.slice(0, 3).map(({ leaf, id }) => [leaf, id]),
    entries.map(({ leaf, id }) => [leaf, id]),
  )
})

test('an agent hears of its own flows and of nothing else, whatever it asks for', async (t) => {
  const { runtime, agent, person, open, propose } = await served(t)
  await runtime.deploy({ ...buildRefundsContract(), agent_id: 'other_bot' })
  const [bot, other] = [await agent(), await agent('other_bot')]
  const theirs = await open(other)
  const all = await hear(person('jane', 'auditor'), '?after=-1')
  const own = await hear(bot, `?after=-1&agent=other_bot,${AGENT}`)
  const foreign = await hear(bot, `?after=-1&dfid=${theirs.dfid}`)
  const flow = await open(bot)
  await propose(bot, flow)
  await own.until(3)
  await propose(other, theirs)
  const last = await open(bot)
  const heard = await own.until(4)
  assert.ok(heard.every(({ dfid }) => dfid !== null))
  assert.deepEqual(new Set(heard.map(({ agent_id }) => agent_id)), new Set([AGENT]))
  assert.equal(heard.at(-1)?.dfid, last.dfid)
  assert.equal((await all.until(1)).at(0)?.leaf, 0)
  await all.said(last.dfid)
  assert.ok(all.events().some(({ agent_id }) => agent_id === 'other_bot'))
  assert.deepEqual(foreign.events(), [])
})

test('whoever goes back hears no code of a flow that was erased meanwhile', async (t) => {
  const { runtime, agent, person, open, propose } = await served(t)
  const bot = await agent()
  const jane = await hear(person('jane', 'auditor'))
  const flow = await open(bot)
  await propose(bot, flow, { params: { order: 'o_2', amount: '20000.00' } })
  const [, refused] = await jane.until(2)
  assert.equal(refused?.code, 'LIMIT_EXCEEDED')
  const { dfid } = flow
  assert.ok((await runtime.engine.cancel(dfid, 'nobody waits for it')).ok)
  const erased = await runtime.engine.oversight.erase({ dfid, reason: 'asked for' })
  assert.ok(erased.ok)
  await jane.said('"kind":"erasure"')
  const ann = await hear(person('ann', 'auditor'), `?after=${jane.hello()}`)
  await ann.said('"kind":"erasure"')
  const heard = ann.events().filter((one) => one.dfid === dfid)
  assert.ok(heard.some(({ kind }) => kind === 'rejection'))
  assert.deepEqual(
    heard.filter(({ code }) => code !== null),
    [],
  )
})

test('whoever wants some kinds, flows or agents hears those', async (t) => {
  const { agent, person, open, propose } = await served(t)
  const jane = person('jane', 'auditor')
  const bot = await agent()
  const verdicts = await hear(jane, '?kind=dispatch,rejection')
  const [first, second] = [await open(bot), await open(bot)]
  const one = await hear(jane, `?dfid=${first.dfid}`)
  const nobody = await hear(jane, '?agent=nobody')
  for (const flow of [second, first]) await propose(bot, flow)
  assert.deepEqual(
    (await one.until(2)).map(({ dfid, kind }) => [dfid, kind]),
    [
      [first.dfid, 'dispatch'],
      [first.dfid, 'commit'],
    ],
  )
  assert.deepEqual(
    (await verdicts.until(2)).map(({ dfid, kind }) => [dfid, kind]),
    [
      [second.dfid, 'dispatch'],
      [first.dfid, 'dispatch'],
    ],
  )
  assert.deepEqual(nobody.events(), [])
})

test('what cannot be listened to is refused', async (t) => {
  const { person, server } = await served(t)
  const jane = person('jane', 'auditor')
  for (const query of ['after=-2', 'after=1.5', 'kind=gossip', 'kind=', 'dfid=a%20b', 'since=1'])
    assert.deepEqual(problemOf(await get(jane, `/v1/events?${query}`)), [422, 'SCHEMA_INVALID'])
  const headers = { 'last-event-id': 'the one before' }
  const lost = await get(jane, '/v1/events', { headers })
  assert.deepEqual(problemOf(lost), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(server, '/v1/events')), [401, 'TOKEN_MISSING'])
})

test('over broken connections and a restart no event is lost, and none comes twice', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const place = { store, stateDirectory: join(folder, 'state') }
  const before = await served(t, place)
  const bot = await before.agent()
  const first = await hear(before.person('jane', 'auditor'))
  const began = first.hello()
  await before.propose(bot, await before.open(bot))
  const heard = (await first.until(2)).slice(0, 2)
  first.hangUp()
  await before.propose(bot, await before.open(bot))
  // A browser that comes back says where it was; it counts more than what the page asked for first.
  const headers = { 'last-event-id': String(heard.at(-1)?.leaf) }
  const second = await hear(before.person('jane', 'auditor'), `?after=${began}`, headers)
  heard.push(...(await second.until(4)))
  await before.close()
  await second.ended

  const after = await served(t, place)
  const again = { ...bot, url: after.server.url }
  await after.propose(again, await after.open(again))
  const jane = after.person('jane', 'auditor')
  const third = await hear(jane, `?after=${heard.at(-1)?.leaf}`)
  heard.push(...(await third.until(3)))
  const leaves = heard.map(({ leaf }) => leaf)
  assert.deepEqual(
    leaves,
    leaves.map((_, i) => began + 1 + i),
  )
  const known = await after.runtime.store.listLeaves(began + 1, leaves.length)
  assert.deepEqual(
    heard.map(({ id }) => id),
    known.map(({ id }) => id),
  )
})

test('at the end streams are told so, and whoever does not read keeps nobody waiting', async (t) => {
  const stage = await served(t)
  const place = stage.person('jane', 'auditor')
  const jane = await hear(place)
  const deaf = connect(stage.server.port, '127.0.0.1')
  deaf.on('error', () => {})
  deaf.write(
    `GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${place.token}\r\n\r\n`,
  )
  await new Promise((resolve) => deaf.once('readable', resolve))
  await stage.close()
  await jane.ended
  assert.match(jane.text(), /: the runtime is stopping\nretry: 1000\n\n$/)
  deaf.destroy()
})

test('a session that ends ends its streams with the next heartbeat', async (t) => {
  const clock = handClock()
  const { runtime, agent, person } = await served(t, { clock, background: false })
  const bot = await hear(await agent())
  const jane = await hear(person('jane', 'auditor'))
  const moved = await runtime.engine.moveAgent({
    agent_id: AGENT,
    to: 'SUSPENDED',
    actor: 'operator',
    justification: 'a test',
  })
  assert.ok(moved.ok)
  await clock.advance(LIMITS.eventBeatMs)
  await bot.ended
  assert.match(bot.text(), /: whoever asked may no longer ask/)
  await jane.said('"kind":"lifecycle"')
  assert.equal(jane.events().find(({ kind }) => kind === 'lifecycle')?.agent_id, AGENT)
  await jane.said('\n: ')
})

test('a principal has so many streams at most', async (t) => {
  const { person } = await served(t)
  const jane = person('jane', 'auditor')
  const own = await Promise.all(Array.from({ length: LIMITS.eventStreamsEach }, () => hear(jane)))
  assert.deepEqual(problemOf(await get(jane, '/v1/events')), [503, 'STREAMS_FULL'])
  await hear(person('john', 'auditor'))
  for (const stream of own) stream.hangUp()
})
