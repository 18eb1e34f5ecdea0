import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { HttpPlace } from '../agent-auth/client.ts'
import { AGENT, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const MEAN: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean_refund',
  agents: [AGENT],
  statistic: { kind: 'mean', value: 'measure:refund_usd', max: '50' },
  window: { executions: 4 },
  min_samples: 3,
}

const SERIES = `/v1/monitors/mean_refund/series?agent=${AGENT}`

type Watching = Served & {
  readonly ann: HttpPlace
  refund(amount: string): Promise<string>
  sweep(): Promise<void>
}

async function watching(t: TestContext): Promise<Watching> {
  const it = await served(t, { background: false })
  await it.runtime.monitor(MEAN)
  let order = 0
  return {
    ...it,
    ann: it.person('ann', 'auditor'),
    async refund(amount) {
      order += 1
      const flow = await it.runtime.open({ agent: AGENT, trigger: `ticket ${order}` })
      await flow.propose({ policy_kind: 'REFUND', params: { order: `o_${order}`, amount } })
      return flow.dfid
    },
    async sweep() {
      await it.runtime.engine.oversight.sweepMonitors()
    },
  }
}

type Point = { readonly leaf: number; readonly value: string | null; readonly says: string }

test('a series has a point for every execution, with its sample size', async (t) => {
  const it = await watching(t)
  const none = await get(it.ann, SERIES)
  assert.deepEqual([none.body.points, none.body.monitor.state], [[], 'NO_DATA'])
  for (const amount of ['10.00', '20.00', '30.00', '40.00', '50.00']) await it.refund(amount)
  await it.sweep()
  const { status, body } = await get(it.ann, SERIES)
  assert.equal(status, 200)
  assert.deepEqual(
    body.points.map(({ value, samples, says }: Point & { samples: number }) => [
      value,
      samples,
      says,
    ]),
    [
      ['10', 1, 'no_data'],
      ['15', 2, 'no_data'],
      ['20', 3, 'ok'],
      ['25', 4, 'ok'],
      ['35', 4, 'ok'],
    ],
  )
  assert.deepEqual(body.bounds, { max: '50', min: null })
  assert.equal(body.monitor.sentence, 'mean refund_usd over the last 4 executions above 50')
  assert.deepEqual([body.complete, body.executions, body.monitor.state], [true, 5, 'OK'])
  await it.refund('45.00')
  await it.sweep()
  assert.equal((await get(it.ann, SERIES)).body.monitor.state, 'WARNING')
})

test('behind a point are the flows of its window', async (t) => {
  const it = await watching(t)
  const flows: string[] = []
  for (const amount of ['10.00', '20.00', '30.00', '40.00', '50.00'])
    flows.push(await it.refund(amount))
  await it.sweep()
  const { points } = (await get(it.ann, SERIES)).body
  const behind = async (leaf: number): Promise<readonly string[]> => {
    const at = `/v1/monitors/mean_refund/flows?agent=${AGENT}&leaf=${leaf}`
    return (await get(it.ann, at)).body.flows
  }
  assert.deepEqual(await behind(points.at(-1).leaf), flows.slice(1).toReversed())
  assert.deepEqual(await behind(points[1].leaf), flows.slice(0, 2).toReversed())
  assert.deepEqual(await behind(999_999), [])
})

test('a trip, a lift and a new contract are marks; after the lift a window starts anew', async (t) => {
  const it = await watching(t)
  for (const amount of ['10.00', '90.00', '90.00']) await it.refund(amount)
  await it.sweep()
  const tripped = (await get(it.ann, SERIES)).body
  assert.equal(tripped.monitor.state, 'TRIPPED')
  assert.equal(tripped.points.at(-1).says, 'trip')
  const move = { agent_id: AGENT, to: 'ACTIVE', actor: 'operator', justification: 'fine' } as const
  assert.ok((await it.runtime.engine.moveAgent(move)).ok)
  const { contracts } = await it.runtime.engine.context.authorities.loadLatest()
  const contract = contracts.get(AGENT)?.[0]?.contract
  assert.ok(contract !== undefined)
  await it.runtime.deploy({ ...contract, version: '2.0.0' })
  await it.refund('10.00')
  await it.sweep()
  const { body } = await get(it.ann, SERIES)
  assert.deepEqual(
    body.marks.map(({ kind }: { kind: string }) => kind),
    ['suspended', 'lifted', 'contract'],
  )
  assert.deepEqual([body.points.at(-1).samples, body.monitor.state], [1, 'NO_DATA'])
  const stop = { ...move, to: 'SUSPENDED', justification: 'by hand' } as const
  assert.ok((await it.runtime.engine.moveAgent(stop)).ok)
  assert.equal((await get(it.ann, SERIES)).body.monitor.state, 'PAUSED')
})

test('a monitor is rehearsed over the past, and nothing is put in force', async (t) => {
  const it = await watching(t)
  for (const amount of ['10.00', '40.00', '45.00']) await it.refund(amount)
  const rehearse = (source: string): ReturnType<typeof post> =>
    post(it.ann, '/v1/monitors/rehearsal', { body: { source } })
  const strict = {
    ...MEAN,
    name: 'stricter',
    statistic: { ...(MEAN.statistic as object), max: '30' },
  }
  const { body } = await rehearse(JSON.stringify(strict))
  assert.deepEqual([body.ok, body.executions, body.trips.length], [false, 3, 1])
  assert.deepEqual([body.trips[0].value, body.trips[0].threshold], ['31.666667', '30'])
  assert.equal(body.trips[0].flows.length, 3)
  const { monitors } = (await get(it.ann, '/v1/monitors')).body
  assert.equal(monitors.length, 1)
  assert.deepEqual(problemOf(await rehearse('name: [')), [422, 'MONITOR_INVALID'])
  assert.deepEqual(problemOf(await rehearse('{}')), [422, 'MONITOR_INVALID'])
})

test('what watches nobody is unknown, and only people look', async (t) => {
  const it = await watching(t)
  const other = await get(it.ann, '/v1/monitors/mean_refund/series?agent=nobody')
  assert.deepEqual(problemOf(other), [404, 'MONITOR_UNKNOWN'])
  const missing = await get(it.ann, '/v1/monitors/mean_refund/series')
  assert.deepEqual(problemOf(missing), [422, 'SCHEMA_INVALID'])
  const bot = await it.agent()
  assert.deepEqual(problemOf(await get(bot, SERIES)), [403, 'ROLE_MISSING'])
})
