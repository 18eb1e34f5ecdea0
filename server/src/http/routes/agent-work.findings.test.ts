/** What an agent could do in process and not over HTTP, one test a sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import { buildContract } from '../../demo/contract.ts'
import { ask, type HttpPlace } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, post, problemOf, served } from '../served.test-support.ts'

type Asked = ReturnType<typeof post>

test('finding 27a: an agent closes a flow of many steps over HTTP, its own and once', async (t) => {
  const { agent, open, propose, runtime, person } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const flow = await open(bot, { steps: 'many' })
  const close = (place: HttpPlace, headers = freshKey(), body: unknown = {}): Asked =>
    post(place, `/v1/flows/${flow.dfid}/closure`, { body, headers })
  assert.equal((await propose(bot, flow)).body.execution.status, 'SUCCESS')
  assert.deepEqual(problemOf(await close(other)), [403, 'IDENTITY_MISMATCH'])
  assert.deepEqual(problemOf(await close(person('olga', 'operator'))), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await close(bot, {})), [400, 'IDEMPOTENCY_KEY_MISSING'])
  const more = await close(bot, freshKey(), { reason: 'done' })
  assert.deepEqual(problemOf(more), [422, 'SCHEMA_INVALID'])
  assert.equal((await runtime.store.readFlow(flow.dfid))?.state, 'ACTIVE')
  const key = freshKey()
  const closed = await close(bot, key)
  assert.deepEqual([closed.status, closed.body], [200, { dfid: flow.dfid, closed: true }])
  assert.equal((await runtime.store.readFlow(flow.dfid))?.state, 'CLOSED')
  const again = await close(bot, key)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  assert.deepEqual(problemOf(await close(bot)), [409, 'FLOW_NOT_OPEN'])
  const nowhere = await post(bot, '/v1/flows/nowhere/closure', { body: {}, headers: freshKey() })
  assert.deepEqual(problemOf(nowhere), [404, 'FLOW_UNKNOWN'])
  const left = await open(bot, { steps: 'many' })
  const justification = 'odd refunds'
  await runtime.engine.moveAgent({
    agent_id: AGENT,
    to: 'SUSPENDED',
    actor: 'operator',
    justification,
  })
  const stopped = await post(bot, `/v1/flows/${left.dfid}/closure`, {
    body: {},
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(stopped), [401, 'SESSION_INVALID'])
  assert.equal((await runtime.store.readFlow(left.dfid))?.state, 'ACTIVE')
})

test('a page of notes is as long as an agent makes them', async (t) => {
  const { agent, open, runtime } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  const text = 'x'.repeat(LIMITS.noteLength)
  const count = LIMITS.listLength / LIMITS.noteLength + 3
  for (let i = 0; i < count; i++)
    assert.ok((await runtime.engine.contextStore.note(dfid, { text })).ok)
  const at = `/v1/flows/${dfid}/notes?limit=1000`
  const { notes, next } = (await get(bot, at)).body
  assert.ok(notes.length * text.length <= LIMITS.listLength, `${notes.length} of them`)
  const rest = (await get(bot, `${at}&cursor=${next}`)).body
  const places = [...notes, ...rest.notes].map(({ place }: { place: number }) => place)
  assert.deepEqual([places, rest.next], [[...Array(count).keys()], null])
})

test('finding 27b: an agent reads the notes of its flows over HTTP, and those of nobody else', async (t) => {
  const { agent, open, runtime, person } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const { dfid } = await open(bot, { steps: 'many' })
  const at = `/v1/flows/${dfid}/notes`
  for (const text of ['one', 'two', 'three']) await post(bot, at, { body: { text } })
  const first = await get(bot, `${at}?limit=2`)
  const { notes, next } = first.body
  assert.deepEqual(notes.map(textOf), ['one', 'two'], JSON.stringify(first.body))
  const rest = await get(bot, `${at}?limit=2&cursor=${next}`)
  assert.deepEqual([rest.body.notes.map(textOf), rest.body.next], [['three'], null])
  assert.deepEqual(problemOf(await get(other, at)), [403, 'IDENTITY_MISMATCH'])
  assert.deepEqual(problemOf(await get(bot, `${at}?cursor=x`)), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(bot, '/v1/flows/nowhere/notes')), [404, 'FLOW_UNKNOWN'])
  const olga = person('olga', 'operator')
  assert.equal((await get(olga, at)).body.notes.length, 3)
  await post(bot, `/v1/flows/${dfid}/closure`, { body: {}, headers: freshKey() })
  assert.ok((await runtime.engine.oversight.erase({ dfid, reason: 'asked for' })).ok)
  assert.deepEqual((await get(olga, at)).body.notes, [], 'an erasure reaches them')
})

test('finding 27b: an agent keeps a state of its own over HTTP, under a lock, until it is taken out', async (t) => {
  const { agent, runtime, person } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const at = `/v1/agents/${AGENT}/state`
  const put = (place: HttpPlace, body: unknown, headers = freshKey()): Asked =>
    ask(place, 'PUT', at, { body, headers })
  assert.deepEqual((await get(bot, at)).body, { agent_id: AGENT, state: null })
  const key = freshKey()
  const text = '{"value":{"seen":["o_1"],"__proto__":{"polluted":true}},"version":null}'
  const odd = await put(bot, text)
  assert.deepEqual(problemOf(odd), [400, 'JSON_FORBIDDEN_KEY'])
  const written = await put(bot, { value: { seen: ['o_1'] }, version: null }, key)
  assert.deepEqual([written.status, written.body.version], [200, 1], JSON.stringify(written.body))
  assert.ok(!JSON.stringify(written.body).includes('o_1'), 'what is kept for a key is no copy')
  const again = await put(bot, { value: { seen: ['o_1'] }, version: null }, key)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const late = await put(bot, { value: {}, version: null })
  assert.deepEqual(problemOf(late), [409, 'AGENT_STATE_CONFLICT'])
  assert.deepEqual((await get(bot, at)).body.state.value, { seen: ['o_1'] })
  assert.deepEqual(problemOf(await get(other, at)), [403, 'IDENTITY_MISMATCH'])
  assert.deepEqual(problemOf(await put(other, { value: 1, version: 1 })), [
    403,
    'IDENTITY_MISMATCH',
  ])
  assert.deepEqual(problemOf(await ask(other, 'DELETE', at)), [403, 'IDENTITY_MISMATCH'])
  const huge = await put(bot, { value: 'x'.repeat(LIMITS.agentStateBytes), version: 1 })
  assert.deepEqual(problemOf(huge), [413, 'BODY_TOO_LARGE'])
  const [olga, ann] = [person('olga', 'operator'), person('ann', 'approver')]
  assert.equal((await get(olga, at)).body.state.version, 1)
  assert.deepEqual(problemOf(await get(ann, at)), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await put(olga, { value: 1, version: 1 })), [403, 'ROLE_MISSING'])
  assert.deepEqual((await ask(olga, 'DELETE', at)).body, { agent_id: AGENT, dropped: true })
  assert.deepEqual((await get(bot, at)).body.state, null)
})

test('finding 27b: an agent keeps documents of its own, and no other agent reads, finds or changes one', async (t) => {
  const { agent, open, runtime, person } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const all = `/v1/agents/${AGENT}/documents`
  const put = (place: HttpPlace, name: string, text: string, title = 'Parcels'): Asked =>
    ask(place, 'PUT', `${all}/${name}`, { body: { title, text } })
  const written = await put(bot, '__proto__', 'Blue parcels are late.')
  assert.deepEqual([written.status, written.body.chunks], [200, 1], JSON.stringify(written.body))
  const read = await get(bot, `${all}/__proto__`)
  assert.deepEqual(
    [read.body.pieces, read.body.label, read.body.next],
    [['Blue parcels are late.'], 'agent', null],
  )
  const names = async (place: HttpPlace, what: string): Promise<readonly string[]> =>
    (await get(place, what)).body.documents.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(bot, all), ['__proto__'])
  assert.deepEqual(await names(bot, '/v1/artifacts'), [], 'it is not among those for all')
  // It finds it; another does not, though the word stands nowhere else.
  const found = async (place: HttpPlace): Promise<readonly string[]> => {
    const { dfid, context } = await open(place, { trigger: 'a blue parcel', steps: 'many' })
    const looked = await get(place, `/v1/flows/${dfid}/artifacts?q=blue`)
    const shown = [...context.artifacts, ...looked.body.artifacts]
    return shown.map(({ artifact }: { artifact: string }) => artifact)
  }
  const own = `${AGENT}/__proto__`
  assert.deepEqual([await found(bot), await found(other)], [[own, own], []])
  // A word in more pieces than anybody looks at is one only for whoever wrote it there.
  const olga = person('olga', 'operator')
  const shared = { title: 'Rules', text: 'A blue parcel is refunded.' }
  assert.equal((await ask(olga, 'PUT', '/v1/artifacts/rules', { body: shared })).status, 200)
  const page = `blue ${'x'.repeat(1_100)}\n\n`
  assert.equal((await put(bot, 'noise', page.repeat(200))).body.chunks, 200)
  assert.equal((await put(bot, 'noise2', page.repeat(200))).body.chunks, 200)
  assert.deepEqual(await found(other), ['rules', 'rules'])
  for (const refusal of [
    await get(other, all),
    await get(other, `${all}/noise`),
    await put(other, 'noise', 'mine now'),
    await ask(other, 'DELETE', `${all}/noise`),
  ])
    assert.deepEqual(problemOf(refusal), [403, 'IDENTITY_MISMATCH'])
  const theirs = { body: shared }
  const shadow = await ask(bot, 'PUT', '/v1/artifacts/rules', theirs)
  assert.deepEqual(problemOf(shadow), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await ask(olga, 'PUT', `${all}/noise`, theirs)), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await get(person('ann', 'approver'), all)), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await put(bot, 'a%2Fb', 'x')), [400, 'ID_CHARSET'])
  assert.deepEqual(problemOf(await put(bot, 'big', 'x'.repeat(300_000))), [413, 'BODY_TOO_LARGE'])
  assert.equal((await get(olga, `${all}/noise?from=199`)).body.pieces.length, 1)
  assert.equal((await ask(olga, 'DELETE', `${all}/noise`)).body.dropped, true)
  assert.deepEqual(problemOf(await get(bot, `${all}/noise`)), [404, 'ARTIFACT_UNKNOWN'])
  assert.deepEqual(
    await runtime.store.listRecords('artifact_chunk', `${AGENT}/noise`, { limit: 1 }),
    [],
  )
  const room = LIMITS.documentsPerAgent - (await names(bot, all)).length
  const answers: Awaited<Asked>[] = []
  // As many at once as may wait.
  for (let from = 0; from < room + 3; from += LIMITS.documentsWaitingEach) {
    const size = Math.min(LIMITS.documentsWaitingEach, room + 3 - from)
    const some = Array.from({ length: size }, (_, i) => put(bot, `d${from + i}`, 'x'))
    answers.push(...(await Promise.all(some)))
  }
  const refusals = answers.filter(({ status }) => status !== 200)
  assert.ok(refusals.length >= 3)
  assert.ok(
    refusals.every(({ body }) => ['DOCUMENTS_FULL', 'STORE_CONTENTION'].includes(body.code)),
  )
  assert.ok((await names(bot, `${all}?limit=1000`)).length <= LIMITS.documentsPerAgent)
})

test('finding 27c: an agent sets a timer over HTTP that opens a flow of its own, and touches no other', async (t) => {
  const clock = handClock()
  const { agent, runtime, person } = await served(t, { clock, background: false })
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const all = `/v1/agents/${AGENT}/timers`
  const set = (place: HttpPlace, name: string, body: object, headers = freshKey()): Asked =>
    ask(place, 'PUT', `${all}/${name}`, { body: { trigger: 'look again', ...body }, headers })
  const every_ms = LIMITS.agentTimerLeastMs
  const { engine, store } = runtime
  // What the process itself has under that name, and what wakes agents, is not the agent's.
  const inside = { agent: AGENT, name: 'nightly', trigger: 'close', every_ms: 86_400_000 }
  assert.ok((await engine.timers.schedule(inside)).ok)
  const first = await set(bot, 'nightly', { every_ms, steps: 'many', state: ['shop.open'] })
  assert.deepEqual([first.status, first.body.name], [200, 'nightly'], JSON.stringify(first.body))
  assert.equal((await engine.timers.unschedule('nightly')).ok, true, 'the other one is still there')
  const whole = { ...first.body, trigger: 'look again', state: ['shop.open'] }
  assert.deepEqual((await get(bot, all)).body.timers, [whole])
  const theirs = await ask(other, 'PUT', '/v1/agents/other_bot/timers/nightly', {
    body: { trigger: 'mine', every_ms },
    headers: freshKey(),
  })
  assert.equal(theirs.status, 200, JSON.stringify(theirs.body))
  await clock.advance(every_ms)
  await engine.runDue()
  const flows = await store.listFlows({ agent_id: AGENT, limit: 9 })
  assert.deepEqual(
    flows.map(({ trigger, steps }) => [trigger, steps]),
    [['look again', 'many']],
  )
  for (const refusal of [
    await get(other, all),
    await set(other, 'nightly', { every_ms }),
    await ask(other, 'DELETE', `${all}/nightly`),
  ])
    assert.deepEqual(problemOf(refusal), [403, 'IDENTITY_MISMATCH'])
  const olga = person('olga', 'operator')
  assert.deepEqual(problemOf(await set(olga, 'nightly', { every_ms })), [403, 'ROLE_MISSING'])
  assert.equal((await get(person('ann', 'auditor'), all)).body.timers.length, 1)
  assert.deepEqual(problemOf(await set(bot, 'x', {})), [422, 'TIMER_INVALID'])
  assert.deepEqual(problemOf(await set(bot, 'x', { every_ms: 1_000 })), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await set(bot, 'x', { at: 'soon' })), [422, 'TIMER_INVALID'])
  assert.deepEqual(problemOf(await set(bot, 'a%2Fb', { every_ms })), [400, 'ID_CHARSET'])
  for (let i = 1; i < LIMITS.timersPerAgent; i++) await set(bot, `t${i}`, { every_ms })
  assert.deepEqual(problemOf(await set(bot, 'more', { every_ms })), [409, 'TIMERS_FULL'])
  assert.equal((await set(bot, 'nightly', { every_ms })).status, 200, 'one that is there')
  assert.equal((await ask(olga, 'DELETE', `${all}/nightly`)).body.dropped, true)
  assert.deepEqual(problemOf(await ask(bot, 'DELETE', `${all}/nightly`)), [404, 'TIMER_UNKNOWN'])
  assert.equal((await get(other, '/v1/agents/other_bot/timers')).body.timers.length, 1)
})

function textOf({ text }: { readonly text: string }): string {
  return text
}

test('a long document of an agent keeps nobody waiting', async (t) => {
  const { agent, person } = await served(t)
  const bot = await agent()
  const olga = person('olga', 'operator')
  const text = Array.from({ length: 2_500 }, (_, i) => `w${i}`).join(' ')
  let isWritten = false
  const written = ask(bot, 'PUT', `/v1/agents/${AGENT}/documents/long`, {
    body: { title: 'words', text },
  }).finally(() => {
    isWritten = true
  })
  let others = 0
  while (!isWritten) {
    assert.equal((await get(olga, '/v1/agents')).status, 200)
    others += 1
  }
  assert.equal((await written).status, 200)
  assert.ok(others > 3, `${others} others were answered meanwhile`)
})
