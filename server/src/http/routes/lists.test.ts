/** Lists, a page at a time: whole, in order, and steady while others write. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import {
  get,
  type OpenFlow,
  problemOf,
  refund,
  type Served,
  served,
} from '../served.test-support.ts'
import { encodeCursor } from '../views/list-page.ts'

type Row = Readonly<Record<string, string>>

/** Every row, page by page; `between` happens after each page. */
async function walk(
  place: HttpPlace,
  path: string,
  plural: string,
  between: () => Promise<unknown> = async () => {},
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await get(place, `${path}${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    rows.push(...body[plural])
    if (body.next === null) return rows
    cursor = `&cursor=${body.next}`
    await between()
  }
}

async function openMany({ open }: Served, bot: HttpPlace, count: number): Promise<OpenFlow[]> {
  const flows: OpenFlow[] = []
  for (let n = 0; n < count; n += 1) flows.push(await open(bot))
  return flows
}

const dfids = (rows: readonly { readonly dfid?: string }[]) => rows.map(({ dfid }) => dfid)

test('flows come newest first, each once, though others are opened meanwhile', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const jane = it.person('jane', 'auditor')
  const flows = await openMany(it, bot, 7)
  const rows = await walk(jane, '/v1/flows?limit=3', 'flows', () => it.open(bot))
  assert.deepEqual(dfids(rows), dfids(flows).toReversed())
  const exactly = await get(jane, '/v1/flows?limit=9')
  assert.equal(exactly.body.flows.length, 9)
  assert.equal(exactly.body.next, null, 'a page that ends with the list says so')
})

test('flows are found by states, by moment, by tag and by parent', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const jane = it.person('jane', 'auditor')
  const [first, second, third] = await openMany(it, bot, 3)
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  await it.propose(bot, first)
  const child = await it.open(bot, { parent: second.dfid })
  const list = async (query: string) => dfids(await walk(jane, `/v1/flows?${query}`, 'flows'))
  assert.deepEqual(await list('state=CLOSED'), [first.dfid])
  assert.deepEqual(await list('state=ACTIVE,CLOSED'), [
    child.dfid,
    third.dfid,
    second.dfid,
    first.dfid,
  ])
  assert.deepEqual(await list(`parent=${second.dfid}`), [child.dfid])
  assert.deepEqual(await list('tag=DIRTY'), [])
  assert.deepEqual(await list('since=2999-01-01'), [])
  assert.deepEqual(await list('until=1970-01-01'), [])
  const all = await list('since=1970-01-01T00:00:00Z&until=2999-01-01')
  assert.equal(all.length, 4)
  assert.deepEqual(await list('agent=nobody'), [])
})

test('a moment splits the flows in two: those since then, and those until then', async (t) => {
  const clock = handClock()
  const it = await served(t, { clock, background: false })
  const bot = await it.agent()
  const jane = it.person('jane', 'auditor')
  const before = await it.open(bot)
  await clock.advance(60_000)
  const moment = new Date(clock.now()).toISOString()
  const at = await it.open(bot)
  await clock.advance(60_000)
  const after = await it.open(bot)
  const list = async (query: string) => dfids(await walk(jane, `/v1/flows?${query}`, 'flows'))
  assert.deepEqual(await list(`since=${moment}`), [after.dfid, at.dfid])
  assert.deepEqual(await list(`until=${moment}`), [before.dfid])
  assert.deepEqual(await list(`since=${moment}&limit=1`), [after.dfid, at.dfid])
  assert.deepEqual(await list(`since=${moment}&until=${moment}`), [])
})

test('effects come newest first, each once, by status, flow and agent', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const jane = it.person('jane', 'auditor')
  const flows = await openMany(it, bot, 5)
  for (const flow of flows) assert.equal((await it.propose(bot, flow)).status, 200)
  const rows = await walk(jane, '/v1/executions?limit=2', 'executions', async () => {
    await it.propose(bot, await it.open(bot))
  })
  assert.deepEqual(dfids(rows), dfids(flows).toReversed())
  const list = async (query: string) =>
    dfids(await walk(jane, `/v1/executions?${query}`, 'executions'))
  assert.equal((await list('status=SUCCESS,UNKNOWN&limit=3')).length, 7)
  assert.deepEqual(await list('status=UNKNOWN'), [])
  assert.deepEqual(await list(`dfid=${flows[2]?.dfid}`), [flows[2]?.dfid])
  assert.equal((await list('agent=refunds_bot&limit=2')).length, 7)
  assert.deepEqual(await list('agent=nobody'), [])
})

test('requests come oldest first while they wait, and are found by what they are', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const jane = it.person('jane', 'auditor')
  // As many as the contract allows in an hour.
  const flows = await openMany(it, bot, 3)
  for (const flow of flows) await it.propose(bot, flow, refund(flow, '600.00'))
  const rows = await walk(jane, '/v1/escalations?limit=2', 'escalations')
  assert.deepEqual(dfids(rows), dfids(flows))
  const list = async (query: string) =>
    dfids(await walk(jane, `/v1/escalations?${query}`, 'escalations'))
  const [{ impact, queue } = {}] = rows
  const other = impact === 'LOW_IMPACT' ? 'HIGH_IMPACT' : 'LOW_IMPACT'
  assert.equal((await list(`impact=${impact}&queue=${queue}&limit=1`)).length, 3)
  assert.deepEqual(await list(`impact=${other}`), [])
  assert.deepEqual(await list('agent=nobody'), [])
  assert.deepEqual(await list('state=closed'), [])
  for (const { dfid } of flows) await it.runtime.engine.cancel(dfid, 'not needed')
  await it.runtime.engine.runDue()
  assert.deepEqual(await list('limit=3'), [])
  assert.deepEqual(await list('state=closed&limit=2'), dfids(flows).toReversed())
  assert.equal((await list('state=closed&ended=moot,aborted')).length, 3)
  assert.deepEqual(await list('state=closed&ended=released'), [])
})

test('a cursor that nobody was given is none', async (t) => {
  const it = await served(t)
  const jane = it.person('jane', 'auditor')
  const flow = encodeCursor(['01a1deeb-e672-7243-8dc1-9aff32cc9ec8'])
  for (const cursor of [
    'x',
    '1',
    'bm90aGluZw',
    `${flow}=`,
    flow.slice(0, -1),
    encodeCursor([]),
    encodeCursor(['a', 'b']),
    encodeCursor(['a b']),
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["a" ]').toString('base64url'),
    Buffer.from('{"length":1}').toString('base64url'),
    encodeCursor(['x'.repeat(700)]),
  ]) {
    const refused = await get(jane, `/v1/flows?cursor=${encodeURIComponent(cursor)}`)
    assert.deepEqual(problemOf(refused), [422, 'SCHEMA_INVALID'], cursor)
  }
  // Of a list of another kind: it names no place here.
  for (const path of ['/v1/executions', '/v1/escalations'])
    assert.equal((await get(jane, `${path}?cursor=${flow}`)).status, 422)
  const { flows, next } = (await get(jane, `/v1/flows?cursor=${flow}`)).body
  assert.deepEqual({ flows, next }, { flows: [], next: null })
})
