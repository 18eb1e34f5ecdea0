import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRefundsContract } from '../../demo/refunds.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, refund, type Served, served } from '../served.test-support.ts'

/** Two that pass, two that are refused (one of them twice), and one that waits. */
async function playDay(it: Served): Promise<HttpPlace> {
  const agent = await it.agent()
  for (const amount of ['20.00', '30.00', '20000.00', '1200.00']) {
    const flow = await it.open(agent, { trigger: `ticket for ${amount}` })
    const path = `/v1/flows/${flow.dfid}/proposals?wait_ms=0`
    await post(agent, path, { body: refund(flow, amount) })
  }
  const twice = await it.open(agent)
  for (const amount of ['9000.00', '9001.00'])
    await post(agent, `/v1/flows/${twice.dfid}/proposals`, { body: refund(twice, amount) })
  return agent
}

test('every figure of the overview is the number of flows in the list behind it', async (t) => {
  const it = await served(t)
  await playDay(it)
  const ann = it.person('ann', 'auditor')
  const { status, body } = await get(ann, '/v1/overview')
  assert.equal(status, 200, JSON.stringify(body) + it.reports.join())
  assert.deepEqual(body.decisions, {
    ...{ decided: 5, accepted: 2, rejected: 2, escalated: 1 },
    before: { decided: 0, accepted: 0, rejected: 0, escalated: 0 },
  })
  assert.deepEqual(body.reasons, [{ code: 'LIMIT_EXCEEDED', count: 2 }])
  assert.equal(body.indexed.leaf, body.indexed.size)
  const span = `since=${body.since}&until=${body.until}`
  for (const outcome of ['decided', 'accepted', 'rejected', 'escalated']) {
    const { body: list } = await get(ann, `/v1/flows?counts=true&${span}&outcome=${outcome}`)
    assert.equal(list.flows.length, body.decisions[outcome], outcome)
    assert.equal(list.counts.total, body.decisions[outcome], outcome)
    if (outcome !== 'decided')
      assert.equal(list.counts.by[outcome], body.decisions[outcome], outcome)
  }
  for (const { at, decided } of body.series) {
    if (decided === 0) continue
    const until = new Date(Date.parse(at) + body.step_ms).toISOString()
    const { body: list } = await get(
      ann,
      `/v1/flows?counts=true&since=${at}&until=${until}&outcome=decided`,
    )
    assert.equal(list.counts.total, decided)
  }
  assert.deepEqual(body.allowed, [{ measure: 'refund_usd', amount: '50', flows: 2 }])
  const { body: allowed } = await get(
    ann,
    `/v1/flows?counts=true&${span}&outcome=accepted&measure=refund_usd`,
  )
  assert.equal(allowed.counts.total, 2)
  for (const { code, count } of body.reasons) {
    const { body: list } = await get(
      ann,
      `/v1/flows?counts=true&${span}&outcome=rejected&reason=${code}`,
    )
    assert.equal(list.counts.total, count)
  }
})

test('the overview shows what waits, how long decisions took, and empty buckets', async (t) => {
  const it = await served(t)
  await playDay(it)
  const { body } = await get(it.person('ann', 'operator'), '/v1/overview')
  assert.equal(body.waiting.count, 1)
  const [request] = body.waiting.requests
  assert.deepEqual(
    [request.kind, request.object, request.amount, request.measure, request.impact],
    ['REFUND', 'order o_1, amount 1200.00', '1200', 'refund_usd', 'HIGH_IMPACT'],
  )
  assert.equal(body.took.count, 6)
  assert.ok(body.took.p50_ms <= body.took.p99_ms)
  assert.equal(body.step_ms, 900_000)
  assert.equal(body.series.length, 96)
  const sum = (name: string): number =>
    body.series.reduce((total: number, one: Record<string, number>) => total + (one[name] ?? 0), 0)
  assert.deepEqual([sum('accepted'), sum('rejected'), sum('escalated')], [2, 2, 1])
  const [asking] = body.moved
  assert.deepEqual([asking.agent, asking.measure, asking.used], ['refunds_bot', 'escalations', '1'])
  assert.equal(body.health.processes, 1)
})

test('what happened is told, newest first, and who is suspended is at risk', async (t) => {
  const it = await served(t)
  await it.agent()
  await it.runtime.engine.moveAgent({
    ...{ agent_id: 'refunds_bot', to: 'SUSPENDED', actor: 'operator' },
    justification: 'it talks too much',
  })
  const { body } = await get(it.person('ann', 'operator'), '/v1/overview')
  assert.deepEqual(
    body.happened.slice(0, 2).map(({ what, agent }: Record<string, unknown>) => [what, agent]),
    [
      ['suspended', 'refunds_bot'],
      ['deployed', 'refunds_bot'],
    ],
  )
  const { why, detail } = body.at_risk[0]
  assert.deepEqual([why, detail], ['suspended', 'it talks too much'])
})

test('an agent that its monitor has suspended is at risk once', async (t) => {
  const it = await served(t)
  const agent = await it.agent()
  const contract = buildRefundsContract()
  await it.runtime.deploy({
    ...contract,
    version: '1.1.0',
    aggregate_thresholds: { max_average_refund_usd_3x: '50.00' },
  })
  for (const amount of ['60.00', '61.00', '62.00']) {
    const flow = await it.open(agent, { trigger: `ticket for ${amount}` })
    await post(agent, `/v1/flows/${flow.dfid}/proposals`, { body: refund(flow, amount) })
  }
  await it.runtime.engine.oversight.sweepMonitors()
  const { body } = await get(it.person('ann', 'operator'), '/v1/overview')
  assert.equal(body.monitors[0].state, 'TRIPPED')
  assert.deepEqual(
    body.at_risk.map(({ agent: who, why }: { agent: string; why: string }) => [who, why]),
    [[contract.agent_id, 'suspended']],
  )
})

test('who was at work last has budgets in the overview, however many agents came later', async (t) => {
  const it = await served(t)
  await playDay(it)
  const ann = it.person('ann', 'operator')
  const { body: few } = await get(ann, '/v1/overview')
  assert.deepEqual(few.agents, { of: 1, looked_at: 1, suspended: 0 })
  for (let n = 0; n < 200; n++)
    await it.runtime.deploy({ ...buildRefundsContract(), agent_id: `later_${n}` })
  for (const to of ['SUSPENDED', 'RETIRED'] as const)
    await it.runtime.engine.moveAgent({
      ...{ agent_id: to === 'RETIRED' ? 'later_7' : 'later_8', to, actor: 'operator' },
      justification: 'one is enough',
    })
  const { body: many } = await get(ann, '/v1/overview')
  assert.deepEqual(many.agents, { of: 200, looked_at: 200, suspended: 1 })
  await it.runtime.deploy({ ...buildRefundsContract(), agent_id: 'later_200' })
  const { body: more } = await get(ann, '/v1/overview')
  assert.deepEqual(more.agents, { of: 201, looked_at: 200, suspended: 1 })
  assert.deepEqual(more.moved[0], few.moved[0])
})

test('a range ends with the step that is under way, so that its buckets stay where they are', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  for (const [range, step, buckets] of [
    ['1h', 60_000, 60],
    ['24h', 900_000, 96],
    ['7d', 10_800_000, 56],
    ['30d', 43_200_000, 60],
  ] as const) {
    const { body } = await get(ann, `/v1/overview?range=${range}`)
    assert.deepEqual([body.step_ms, body.series.length], [step, buckets])
    assert.equal(Date.parse(body.until) % step, 0)
    assert.equal(Date.parse(body.until) - Date.parse(body.since), step * buckets)
  }
  const both = await get(ann, '/v1/overview?range=1h&since=2026-02-01')
  assert.deepEqual(problemOf(both), [400, 'QUERY_UNREADABLE'])
})

test('an overview says when the ledger was last verified', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  const { body: before } = await get(ann, '/v1/overview')
  assert.equal(before.health.ledger.verified_at, null)
  await it.runtime.engine.scrub()
  const { body: after } = await get(ann, '/v1/overview')
  assert.notEqual(after.health.ledger.verified_at, null)
})

test('a span that ends before it begins is refused, and agents see no overview', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  const bad = await get(ann, '/v1/overview?since=2026-02-01&until=2026-01-01')
  assert.deepEqual(problemOf(bad), [400, 'QUERY_UNREADABLE'])
  const { status } = await get(await it.agent(), '/v1/overview')
  assert.equal(status, 403)
})
