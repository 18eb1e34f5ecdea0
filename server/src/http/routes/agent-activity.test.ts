import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { AGENT, get, post, problemOf, refund, served } from '../served.test-support.ts'

const PATH = '/v1/agent-activity'

test('each agent has its verdicts over time, and the sums are those of the overview', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  const empty = await get(ann, PATH)
  assert.deepEqual([empty.status, empty.body.agents], [200, []])
  const bot = await it.agent()
  for (const amount of ['20.00', '30.00', '20000.00', '1200.00']) {
    const flow = await it.open(bot)
    await post(bot, `/v1/flows/${flow.dfid}/proposals?wait_ms=0`, { body: refund(flow, amount) })
  }
  const { body } = await get(ann, PATH)
  const [one, ...others] = body.agents
  assert.deepEqual(others, [])
  const { agent_id, accepted, rejected, escalated, silent } = one
  assert.deepEqual(
    { agent_id, accepted, rejected, escalated, silent },
    { agent_id: AGENT, accepted: 2, rejected: 1, escalated: 1, silent: false },
  )
  assert.equal(one.series.length, 24)
  const sum = one.series.reduce((total: number, count: number) => total + count, 0)
  assert.equal(sum, 4, 'every verdict lies in a step')
  assert.ok(Date.parse(one.last_seen) >= Date.parse(body.since))
  const { body: overview } = await get(ann, '/v1/overview')
  const fullest = overview.moved.find(({ agent }: { agent: string }) => agent === AGENT) ?? null
  assert.deepEqual(one.budget, fullest)
})

test('who was at work last has a budget beside it, however many agents came later', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const flow = await it.open(bot)
  await post(bot, `/v1/flows/${flow.dfid}/proposals?wait_ms=0`, { body: refund(flow, '20.00') })
  for (let n = 0; n < 201; n++)
    await it.runtime.deploy({ ...buildRefundsContract(), agent_id: `later_${n}` })
  const { body } = await get(it.person('ann', 'auditor'), PATH)
  assert.equal(body.complete, true)
  assert.notEqual(body.agents[0].budget, null)
})

test('a span without verdicts is a flat line, and who may not look at agents is refused', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  await it.open(bot)
  const ann = it.person('ann', 'operator')
  const { body } = await get(ann, `${PATH}?range=1h`)
  assert.deepEqual(new Set(body.agents[0].series), new Set([0]))
  assert.equal((await get(bot, PATH)).status, 403)
  assert.deepEqual(problemOf(await get(ann, `${PATH}?range=2h`)), [422, 'SCHEMA_INVALID'])
  assert.deepEqual(problemOf(await get(ann, `${PATH}?since=2020-01-01`)), [422, 'SCHEMA_INVALID'])
})
