import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { createRuntime, type Runtime } from '../../../../runtime/src/compose.ts'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { judgeByLaw, readStore, verifyFile, writeLedgerOf } from '../ledger-file.ts'
import { createCompany } from './company.ts'
import {
  buildCompanyContracts,
  DEPLOYER,
  LOYALTY,
  MARKETING,
  REFUNDS,
  SUPPORT,
  TRADER,
} from './contracts.ts'
import { planEveryday, writeHistory } from './history.ts'
import { startCompanyTraffic } from './today.ts'

type Told = { readonly kind: string; readonly payload: JsonObject }

async function readEntries({ store }: Runtime): Promise<readonly Told[]> {
  const entries = await store.listLeaves(0, await store.countLeaves())
  return entries.map(({ envelope: { kind }, payload }) => {
    return { kind, payload: JSON.parse(payload ?? '{}') as JsonObject }
  })
}

function listAgents(rows: JsonValue | undefined): readonly JsonValue[] {
  return (rows as readonly JsonObject[]).map(({ agent }) => agent ?? null)
}

test('every day of the week has something, and no hour of the last one has most of it', () => {
  const hour = 3_600_000
  const last = Date.UTC(2026, 5, 8)
  const times = planEveryday(last - 7 * 24 * hour, last)
  assert.deepEqual(times, times.toSorted())
  assert.deepEqual(times, planEveryday(last - 7 * 24 * hour, last))
  const days = Array.from({ length: 7 }, (_, day) => {
    const until = last - day * 24 * hour
    return times.filter((at) => at > until - 24 * hour && at <= until).length
  })
  assert.ok(Math.min(...days) >= 4, days.join())
  const hours = new Map<number, number>()
  for (const at of times.filter((one) => one > last - 24 * hour)) {
    const ago = Math.floor((last - at) / hour)
    hours.set(ago, (hours.get(ago) ?? 0) + 1)
  }
  assert.ok(hours.size >= 12 && Math.max(...hours.values()) <= 6, [...hours.values()].join())
})

test('the week of the company has every kind of answer in it, up to the present, and holds', async () => {
  const folder = temporaryFolder()
  const company = createCompany()
  const { capabilities, policies, topics, topologies } = company
  const rules = { capabilities, policies, topics, topologies }
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const options = { store, stateDirectory: join(folder, 'state'), ...rules }
  const now = Date.now()
  assert.equal(await writeHistory(company, options, now), true)
  assert.equal(await writeHistory(company, options, now), false, 'once')
  const runtime = await createRuntime({
    ...options,
    sources: company.createSources(Date.now),
    models: company.models,
    background: false,
  })
  await runtime.start()

  const entries = await readEntries(runtime)
  const has = (kind: string, member: string, value: string): boolean =>
    entries.some((entry) => entry.kind === kind && entry.payload[member] === value)
  for (const code of ['LIMIT_EXCEEDED', 'STATE_DRIFT_DETECTED', 'RESOURCE_SCOPE', 'POLICY_DENIED'])
    assert.ok(has('rejection', 'reason_code', code), code)
  assert.ok(has('evidence', 'source', 'model'), 'models were asked')
  assert.ok(has('settle', 'reason_code', 'OUTCOME_UNKNOWN'), 'an answer was lost')
  assert.ok(has('evidence', 'finding', 'applied'), 'and found out')
  assert.ok(has('evidence', 'status', 'COMPENSATED'), 'half a job was taken back')
  assert.ok(has('evidence', 'reason_code', 'MONITOR_TRIPPED'), 'a monitor tripped')
  assert.ok(has('evidence', 'finding', 'atom'), 'something was decided under an atom')
  assert.ok(has('rejection', 'reason_code', 'PREEMPTED'), 'somebody lost to another')
  const [alarm] = entries.filter(({ kind }) => kind === 'event')
  assert.deepEqual(
    [listAgents(alarm?.payload.woken), listAgents(alarm?.payload.not_woken)],
    [[DEPLOYER, MARKETING], [SUPPORT]],
  )
  const proven = entries.filter(({ kind, payload }) => {
    return kind === 'dispatch' && (payload.proposal as JsonObject)?.evidence_hash !== undefined
  })
  assert.equal(proven.length, 1, 'an invoice was paid with a proof')
  const costs = entries
    .filter(({ kind }) => kind === 'dispatch')
    .map(({ payload }) => payload.intent as JsonObject)
    .filter(({ policy_kind }) => policy_kind === 'SELL')
    .map(({ cost }) => (cost as JsonObject).order_usd)
  assert.ok(costs.length > 0)
  assert.ok(
    costs.every((amount) => Number(amount) > 0),
    'the budget of the treasury is drawn on',
  )
  const decisions = entries
    .filter(({ kind }) => kind === 'approval')
    .map(({ payload }) => (payload.body as JsonObject).decision)
  assert.deepEqual([...new Set(decisions)].sort(), ['ABORT', 'MODIFY', 'OVERRIDE'])

  const waiting = await runtime.engine.oversight.escalations()
  const impacts = new Set(
    waiting.filter(({ kind }) => kind === 'proposal').map(({ impact }) => impact),
  )
  assert.deepEqual([...impacts].sort(), ['HIGH_IMPACT', 'LOW_IMPACT'], 'both wait')
  const alike = waiting.filter(
    ({ impact, agent_id }) => impact === 'LOW_IMPACT' && agent_id === MARKETING,
  )
  assert.ok(alike.length >= 3, 'several can be decided together')
  assert.equal(waiting.filter(({ kind }) => kind === 'outcome').length, 1, 'an outcome is unknown')
  const { monitors } = await runtime.engine.oversight.monitors()
  const standing = new Map(monitors.map(({ agent_id, verdict }) => [agent_id, verdict]))
  assert.equal(standing.get(LOYALTY)?.kind, 'trip', 'a monitor has tripped')
  assert.equal(standing.get(TRADER)?.value, '5920', 'and one is near its threshold of 7000')
  const flows = await runtime.store.listFlows({ limit: 500 })
  const parents = new Set(flows.map(({ parent_dfid }) => parent_dfid))
  const [lorry] = flows.filter(({ dfid }) => parents.has(dfid))
  const below = flows.filter(({ parent_dfid }) => parent_dfid === lorry?.dfid)
  assert.equal(below.length, 3, 'a flow has others below it')
  assert.ok(
    below.some(({ attempts, rejections }) => attempts === 2 && rejections === 1),
    'and attempts that differ',
  )
  assert.ok(flows.every(({ opened_at }) => Date.parse(opened_at) <= now))
  const days = new Set(flows.map(({ opened_at }) => opened_at.slice(0, 10)))
  assert.ok(days.size >= 7, 'on every day of the week')
  const flagged = flows.filter(
    ({ tags, agent_id }) => tags.includes('NEEDS_REVIEW') && agent_id === REFUNDS,
  )
  assert.equal(flagged.length, 1, 'what a guard flagged waits for whoever looks')
  assert.ok(has('evidence', 'finding', 'reviewed'), 'and a person has looked at another')
  const agents = new Set(flows.map(({ agent_id }) => agent_id))
  assert.equal(agents.size, buildCompanyContracts().length, 'everybody was at work')
  await runtime.close()

  const file = join(folder, 'ledger.ndjson')
  await readStore({ store, tenant: 'default' }, (left) => writeLedgerOf(left, file))
  assert.deepEqual(verifyFile(file).findings, [])
  assert.deepEqual(judgeByLaw(file).findings, [])
})

test('the company starts though nobody carries out what is decided', async () => {
  // Its time stands still: whoever waits for an effect waits for ever.
  const company = createCompany()
  const clock = handClock()
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    clock,
    background: false,
    executors: 'elsewhere',
    capabilities: company.capabilities,
    policies: company.policies,
    topics: company.topics,
    topologies: company.topologies,
    sources: company.createSources(clock.now),
    models: company.models,
  })
  const traffic = await startCompanyTraffic(runtime, company)
  const executions = await runtime.store.listExecutions({ limit: 10 })
  assert.ok(executions.length >= 2)
  assert.ok(executions.every(({ status }) => status === 'ACCEPTED'))
  await traffic.stop()
  await runtime.close()
})
