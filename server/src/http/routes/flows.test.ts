import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildContract } from '../../demo/contract.ts'
import { refundCapability } from '../../demo/refunds.ts'
import { ask, type HttpPlace } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, post, problemOf, refund, served } from '../served.test-support.ts'

test('a flow is opened for the agent of the session, and for nobody else', async (t) => {
  const { agent } = await served(t)
  const bot = await agent()
  const open = async (body: object): ReturnType<typeof post> =>
    post(bot, '/v1/flows', { body, headers: freshKey() })
  const named = await open({ agent: AGENT, trigger: 'a' })
  assert.equal(named.status, 201)
  assert.deepEqual([named.body.context.agent_id, named.body.context.trigger], [AGENT, 'a'])
  const other = await open({ agent: 'another', trigger: 'a' })
  assert.deepEqual(problemOf(other), [401, 'SESSION_INVALID'])
  const chosen = await open({ dfid: named.body.dfid, trigger: 'a' })
  assert.deepEqual(problemOf(chosen), [422, 'DFID_SUPPLIED'])
  for (const body of [{}, { trigger: 7 }, { trigger: 'a', more: 1 }, { trigger: 'a', steps: 'x' }])
    assert.deepEqual(problemOf(await open(body)), [422, 'SCHEMA_INVALID'])
})

test('RULES_NOT_IN_FORCE is no verdict: 503, so that another process is asked', async (t) => {
  const stateDirectory = temporaryFolder()
  const place = { store: `sqlite:${join(stateDirectory, 'rubicon.db')}`, stateDirectory }
  const first = await served(t, place)
  await first.close()
  const changed = { ...refundCapability([]), version: '2' }
  const { agent, open, propose } = await served(t, { ...place, capabilities: [changed] })
  const bot = await agent()
  const refused = await propose(bot, await open(bot))
  assert.deepEqual(problemOf(refused), [503, 'RULES_NOT_IN_FORCE'])
  const { capabilities } = refused.body.meta
  assert.deepEqual([capabilities.length, capabilities[0].kind], [1, 'REFUND'])
  assert.notEqual(capabilities[0].held, capabilities[0].in_force)
})

test('agents see their own flows, people see all', async (t) => {
  const { agent, open, runtime, person } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const [mine, theirs] = [await open(bot), await open(other)]
  const listed = await get(bot, '/v1/flows?agent=other_bot')
  assert.deepEqual(
    listed.body.flows.map(({ dfid }: { dfid: string }) => dfid),
    [mine.dfid],
  )
  assert.deepEqual(problemOf(await get(bot, `/v1/flows/${theirs.dfid}`)), [
    403,
    'IDENTITY_MISMATCH',
  ])
  const whole = await get(bot, `/v1/flows/${mine.dfid}`)
  assert.equal(whole.status, 200)
  assert.deepEqual(
    whole.body.entries.map(({ kind }: { kind: string }) => kind),
    ['writ'],
  )
  const ann = person('ann', 'auditor')
  assert.equal((await get(ann, '/v1/flows')).body.flows.length, 2)
  assert.equal((await get(ann, '/v1/flows?agent=other_bot&state=ACTIVE')).body.flows.length, 1)
  assert.equal((await get(ann, '/v1/flows?limit=1')).body.flows.length, 1)
  assert.equal((await get(ann, '/v1/flows?state=CLOSED')).body.flows.length, 0)
  assert.deepEqual(problemOf(await get(ann, '/v1/flows?state=OPEN')), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(ann, '/v1/flows?limit=0')), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(ann, '/v1/flows?limit=1&limit=2')), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(ann, '/v1/flows/none')), [404, 'FLOW_UNKNOWN'])
  assert.deepEqual(problemOf(await get(ann, '/v1/flows/no%00ne')), [400, 'ID_CHARSET'])
})

test('a flow of another agent takes nothing from this one', async (t) => {
  const { agent, open, propose, runtime, calls } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const flow = await open(bot)
  const at = `/v1/flows/${flow.dfid}`
  const answers = [
    await propose(other, flow),
    await post(other, `${at}/notes`, { body: { text: 'hello' } }),
    await post(other, `${at}/usage`, { body: { used: { tokens: 1 } } }),
    await post(other, `${at}/explanations`, { body: { narrative: 'x' } }),
    await post(other, `${at}/cancellation`, { body: { reason: 'x' } }),
  ]
  for (const answer of answers) assert.deepEqual(problemOf(answer), [403, 'IDENTITY_MISMATCH'])
  assert.equal((await runtime.store.listFlowEntries(flow.dfid)).length, 1)
  assert.deepEqual(calls, [])
  const nowhere = { ...flow, dfid: '01890000-0000-7000-8000-000000000000' }
  assert.deepEqual(problemOf(await propose(bot, nowhere)), [404, 'FLOW_UNKNOWN'])
})

test('notes, explanations, usage and cancellation reach the flow', async (t) => {
  const { agent, open, runtime, person } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  const at = `/v1/flows/${dfid}`
  const noted = await post(bot, `${at}/notes`, { body: { text: 'the customer is kind' } })
  assert.deepEqual([noted.status, noted.body.label], [201, 'agent'])
  const olga = person('olga', 'operator')
  const told = await post(olga, `${at}/notes`, { body: { text: 'be quick' } })
  assert.deepEqual([told.status, told.body.label], [201, 'operator'])
  const explanation = { narrative: 'a late parcel', identified_signals: ['late'], risks: [] }
  const explained = await post(bot, `${at}/explanations`, { body: explanation })
  assert.equal(explained.status, 201)
  assert.match(explained.body.explain_ref, /^exp_[A-Za-z0-9_-]{16}$/)
  const used = await post(bot, `${at}/usage`, { body: { used: { tokens: 12 }, report: 'r1' } })
  assert.deepEqual([used.status, used.body.used], [200, { tokens: '12' }])
  const again = await post(bot, `${at}/usage`, { body: { used: { tokens: 12 }, report: 'r1' } })
  assert.deepEqual(again.body.used, { tokens: '12' })
  const cancelled = await post(bot, `${at}/cancellation`, { body: { reason: 'nobody waits' } })
  assert.equal(cancelled.status, 200)
  const kinds = (await runtime.store.listFlowEntries(dfid)).map(({ envelope }) => envelope.kind)
  assert.deepEqual(kinds.slice(0, 3), ['writ', 'evidence', 'evidence'])
  const late = await post(bot, `${at}/notes`, { body: { text: 'x' } })
  assert.deepEqual(problemOf(late), [409, 'FLOW_NOT_OPEN'])
})

test('an agent looks again, and is shown the new context that its next proposal refers to', async (t) => {
  const { agent, open, propose, runtime } = await served(t)
  const bot = await agent()
  const flow = await open(bot)
  const at = `/v1/flows/${flow.dfid}/refresh`
  await runtime.observe({ path: 'shop.open', value: true })
  const { status, body } = await post(bot, at, { body: { state: ['shop.open'] } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.notEqual(body.snapshot_id, flow.context.snapshot_id)
  assert.equal((await runtime.store.readFlow(flow.dfid))?.snapshot_id, body.snapshot_id)
  const judged = await propose(bot, { dfid: flow.dfid, context: body })
  assert.equal(judged.body.outcome, 'ACCEPTED')
  assert.deepEqual(problemOf(await post(bot, at, { body: {} })), [409, 'FLOW_NOT_OPEN'])
})

test('what an agent looks up among the documents is noted in its flow', async (t) => {
  const { agent, open, runtime } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  await runtime.artifact({ name: 'rules', title: 'Rules', text: 'Late parcels are refunded.' })
  const found = await get(bot, `/v1/flows/${dfid}/artifacts?q=late+parcel`)
  assert.equal(found.status, 200, JSON.stringify(found.body))
  assert.deepEqual(
    found.body.artifacts.map(({ artifact, chunk }: Piece) => [artifact, chunk]),
    [['rules', 0]],
  )
  const [note] = await runtime.store.listRecords('note', dfid, { limit: 9 })
  assert.equal(note?.body.text, 'looked for "late parcel", found rules#0')
  const nothing = await get(bot, `/v1/flows/${dfid}/artifacts?q=whales`)
  assert.deepEqual(nothing.body, { artifacts: [] })
  const long = 'x'.repeat(LIMITS.searchLength + 1)
  for (const query of ['', '?q=', `?q=${long}`, '?q=a&q=b']) {
    const refused = await get(bot, `/v1/flows/${dfid}/artifacts${query}`)
    assert.deepEqual(problemOf(refused), [422, 'SCHEMA_INVALID'], query.slice(0, 9))
  }
  const foreign = await get(bot, '/v1/flows/nothing/artifacts?q=a')
  assert.deepEqual(problemOf(foreign), [404, 'FLOW_UNKNOWN'])
})

type Piece = { readonly artifact: string; readonly chunk: number }

test('what is said too long, too empty or too often is refused by name', async (t) => {
  const { agent, open } = await served(t)
  const bot = await agent()
  const at = `/v1/flows/${(await open(bot)).dfid}`
  const long = 'x'.repeat(LIMITS.noteLength + 1)
  const refusals: readonly (readonly [string, object, number, string])[] = [
    ['notes', { text: long }, 413, 'NOTE_TOO_LONG'],
    ['notes', {}, 422, 'SCHEMA_INVALID'],
    ['explanations', { narrative: long }, 413, 'NOTE_TOO_LONG'],
    ['explanations', { narrative: ' ' }, 422, 'SCHEMA_INVALID'],
    ['explanations', { narrative: 'x', mood: 'good' }, 422, 'SCHEMA_INVALID'],
    ['usage', { used: { tokens: -1 } }, 422, 'USAGE_INVALID'],
    ['cancellation', {}, 422, 'SCHEMA_INVALID'],
  ]
  for (const [what, body, status, code] of refusals)
    assert.deepEqual(problemOf(await post(bot, `${at}/${what}`, { body })), [status, code], what)
})

test('observations are labelled by who sends them', async (t) => {
  const { agent, person } = await served(t)
  const olga = person('olga', 'operator')
  const price = { path: 'market.price', value: '99.50' }
  const one = await post(olga, '/v1/observations', { body: price })
  assert.deepEqual([one.status, one.body.observed[0].label], [200, 'operator'])
  assert.equal(typeof one.body.observed[0].until, 'string')
  const list = [price, { ...price, path: 'market.volume' }]
  assert.equal((await post(olga, '/v1/observations', { body: list })).body.observed.length, 2)
  const bot = await agent()
  const mine = { ...price, path: `claims.${AGENT}.price` }
  const claimed = await post(bot, '/v1/observations', { body: mine })
  assert.equal(claimed.body.observed[0].label, 'agent')
  const above = { ...mine, label: 'trusted' }
  const refused = await post(bot, '/v1/observations', { body: above })
  assert.deepEqual(problemOf(refused), [422, 'SCHEMA_INVALID'])
  const named = await post(olga, '/v1/observations', { body: { ...price, source: 'exchange' } })
  assert.deepEqual(problemOf(named), [403, 'FACT_NOT_OWNED'])
  const scalar = await post(olga, '/v1/observations', { body: 7 })
  assert.deepEqual(problemOf(scalar), [422, 'SCHEMA_INVALID'])
})

test('a source speaks with a token of its own, of the paths that it owns', async (t) => {
  const { agent, person } = await served(t)
  const olga = person('olga', 'operator')
  const feed = person('feed', 'source')
  const body = { source_id: 'feed', label: 'trusted', paths: ['market.*'] }
  const say = (who: HttpPlace, path: string) =>
    post(who, '/v1/observations', { body: { path, value: '1' } })
  assert.deepEqual(problemOf(await say(feed, 'market.price')), [403, 'FACT_NOT_OWNED'])
  assert.deepEqual(problemOf(await post(feed, '/v1/sources', { body })), [403, 'ROLE_MISSING'])
  const bot = await agent()
  assert.deepEqual(problemOf(await post(bot, '/v1/sources', { body })), [403, 'ROLE_MISSING'])
  const registered = await post(olga, '/v1/sources', { body })
  assert.deepEqual([registered.status, registered.body.unchanged], [200, false])
  assert.equal((await post(olga, '/v1/sources', { body })).body.unchanged, true)
  const said = await say(feed, 'market.price')
  assert.deepEqual([said.status, said.body.observed[0].label], [200, 'trusted'])
  assert.deepEqual(problemOf(await say(feed, 'shop.open')), [403, 'FACT_NOT_OWNED'])
  const twin = { ...body, source_id: 'twin' }
  assert.deepEqual(problemOf(await post(olga, '/v1/sources', { body: twin })), [
    409,
    'SOURCE_CLAIMED',
  ])
  const { body: listed } = await get(olga, '/v1/sources')
  assert.deepEqual(listed.sources, [{ ...body, max_paths: LIMITS.sourcePaths }])
  assert.deepEqual(Object.keys(listed.reported), ['feed'])
  assert.ok(Math.abs(Date.parse(listed.reported.feed) - Date.now()) < 3_600_000)
  const retired = await ask(olga, 'DELETE', '/v1/sources/feed')
  assert.equal(retired.status, 200)
  assert.deepEqual(problemOf(await say(feed, 'market.price')), [403, 'FACT_NOT_OWNED'])
  const again = await ask(olga, 'DELETE', '/v1/sources/feed')
  assert.deepEqual(problemOf(again), [404, 'SOURCE_UNKNOWN'])
})

/** The table of strict JSON, as bytes on the wire. */
const ROWS: readonly (readonly [string, string | Uint8Array, number, string])[] = [
  ['duplicate key', '{"a":1,"a":2}', 400, 'JSON_DUPLICATE_KEY'],
  ['too deep', '['.repeat(65) + ']'.repeat(65), 400, 'JSON_DEPTH'],
  ['byte order mark', '\ufeff{}', 400, 'BODY_NOT_UTF8'],
  ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'BODY_NOT_UTF8'],
  ['no JSON', '{', 400, 'JSON_SYNTAX'],
  ['nothing', '', 400, 'JSON_SYNTAX'],
  ['forbidden key', '{"__proto__":{}}', 400, 'JSON_FORBIDDEN_KEY'],
  ['half a surrogate pair', '{"a":"\\ud800"}', 400, 'JSON_LONE_SURROGATE'],
  ['negative zero', '{"a":-0}', 400, 'JSON_NEGATIVE_ZERO'],
  ['too large a number', '{"a":1e999}', 400, 'JSON_NUMBER_RANGE'],
  ['too precise a number', '{"a":0.12345678901234567890}', 400, 'JSON_NUMBER_PRECISION'],
]

test('a proposal that cannot be read is refused by name, and recorded', async (t) => {
  const { agent, open, runtime } = await served(t)
  const bot = await agent()
  for (const [name, body, status, code] of ROWS) {
    const { dfid } = await open(bot)
    const answer = await post(bot, `/v1/flows/${dfid}/proposals`, { body })
    assert.deepEqual(problemOf(answer), [status, code], name)
    assert.deepEqual([answer.body.answer.attempt, answer.body.answer.stage], [1, 'parser'])
    const entries = await runtime.store.listFlowEntries(dfid)
    assert.equal(entries.at(-1)?.envelope.kind, 'rejection')
  }
})

test('any other body that cannot be read is refused by the same name', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  for (const [name, body, status, code] of ROWS) {
    const answer = await post(olga, '/v1/observations', { body })
    assert.deepEqual(problemOf(answer), [status, code], name)
  }
})

test('a body of a megabyte is refused before it is read, and leaves no trace', async (t) => {
  const { agent, open, runtime } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  const body = `{"justification":"${'x'.repeat(1_048_576)}"}`
  const answer = await post(bot, `/v1/flows/${dfid}/proposals`, { body })
  assert.deepEqual(problemOf(answer), [413, 'BODY_TOO_LARGE'])
  assert.equal((await runtime.store.listFlowEntries(dfid)).length, 1)
})

test('the third unreadable proposal is a verdict: the flow has ended', async (t) => {
  const { agent, open } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  const say = (): ReturnType<typeof post> => post(bot, `/v1/flows/${dfid}/proposals`, { body: '{' })
  assert.equal((await say()).status, 400)
  assert.equal((await say()).status, 400)
  const last = await say()
  assert.deepEqual(
    [last.status, last.body.outcome, last.body.reason_code],
    [200, 'EXHAUSTED', 'REASONING_EXHAUSTION'],
  )
})

test('a proposal that names another agent is judged, and the verdict says so', async (t) => {
  const { agent, open, propose } = await served(t)
  const bot = await agent()
  const flow = await open(bot)
  const answer = await propose(bot, flow, { agent_id: 'another' })
  assert.deepEqual([answer.status, answer.body.reason_code], [200, 'IDENTITY_MISMATCH'])
  const shapeless = await propose(bot, flow, { mood: 'good' })
  assert.deepEqual([shapeless.status, shapeless.body.reason_code], [200, 'SCHEMA_INVALID'])
})

test('where there is no room the answer is 503, and nothing is stored', async (t) => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  const failpoints = {
    async reach(point: string) {
      if (point !== 'propose.before_load') return
      reached()
      await held
    },
  }
  const { agent, open, propose, runtime } = await served(t, { proposalsInFlight: 1, failpoints })
  const bot = await agent()
  const [first, second] = [await open(bot), await open(bot)]
  const waiting = propose(bot, first)
  await arrived
  const refused = await propose(bot, second)
  assert.deepEqual(problemOf(refused), [503, 'OVERLOADED'])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await runtime.store.listFlowEntries(second.dfid)).length, 1)
  release()
  assert.equal((await waiting).body.outcome, 'ACCEPTED')
  assert.equal((await propose(bot, second)).body.outcome, 'ACCEPTED')
})

test('effects are listed for people', async (t) => {
  const { agent, open, propose, person } = await served(t)
  const bot = await agent()
  const flow = await open(bot)
  await propose(bot, flow)
  const ann = person('ann', 'auditor')
  const all = await get(ann, '/v1/executions')
  assert.deepEqual([all.body.executions.length, all.body.executions[0].status], [1, 'SUCCESS'])
  const none = await get(ann, `/v1/executions?status=UNKNOWN&dfid=${flow.dfid}`)
  assert.deepEqual(none.body.executions, [])
  assert.deepEqual(problemOf(await get(ann, '/v1/executions?status=FINE')), [422, 'SCHEMA_INVALID'])
})

test('a proposal answers PENDING when nobody wants to wait', async (t) => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const capabilities = [{ ...refundCapability([]), execute: () => held.then(() => ({})) }]
  const { agent, open } = await served(t, { capabilities })
  const bot = await agent()
  const flow = await open(bot)
  const path = `/v1/flows/${flow.dfid}/proposals?wait_ms=1`
  const answer = await post(bot, path, { body: refund(flow) })
  assert.deepEqual([answer.status, answer.body.execution.status], [200, 'PENDING'])
  release()
})
