import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { AGENT, flowStage, refund } from '../../engine/flow/flow-stage.test-support.ts'
import { handClock } from '../../engine/flow/hand-clock.test-support.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { type Capability, type Effect, NotApplied } from '../../ports/capability.ts'
import type { CheckpointSink } from '../../ports/checkpoint-sink.ts'
import { NO_TELEMETRY, type Telemetry } from '../../ports/telemetry.ts'
import { feed, type Observed, observed } from './observed.test-support.ts'
import { samples } from './prometheus.test-support.ts'

/** Label values, joined, and the value, of every sample; of those with labels, where they have risen. */
async function counted(
  { metrics }: Observed,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const found = samples((await metrics()).get(name)).filter(
    ([labels, value]) =>
      value !== '0' || Object.keys(labels).length === 0 || !name.endsWith('_total'),
  )
  return Object.fromEntries(
    found.map(([labels, value]) => [Object.values(labels).join(' '), value]),
  )
}

const AMOUNT = { id: 'amount', kind: 'range', measure: 'amount', max: '500.00' }
const ASKED: JsonObject = {
  permissions: { policy_kinds: ['REFUND'], limits: [{ ...AMOUNT, on_breach: 'escalate' }] },
}

test('proposals are counted by what their agent heard, repeats as calls that were saved', async () => {
  const heard = await observed()
  const { stage } = heard
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.propose(refund('900.00'))
  await flow.propose(refund('20.00'))
  await flow.propose(refund('20.00'))
  await stage.engine().propose('no such flow', { policy_kind: 'REFUND' })
  assert.deepEqual(await counted(heard, 'rubicon_proposals_total'), {
    'REJECTED LIMIT_EXCEEDED': '1',
    'ACCEPTED none': '1',
    'REPEATED none': '1',
    'REJECTED FLOW_UNKNOWN': '1',
  })
  assert.deepEqual(await counted(heard, 'idempotency_hit_rate'), { '': '1' })
  assert.deepEqual(await counted(heard, 'rubicon_effects_total'), { SUCCESS: '1' })
  assert.deepEqual(await counted(heard, 'rubicon_flows_ended_total'), { CLOSED: '1' })
  assert.deepEqual(await counted(heard, 'stale_context_reject_rate'), { '': '0' })
  const latency = (await heard.metrics()).get('validation_latency_ms')
  assert.equal(latency?.metrics[0]?.buckets?.['+Inf'], '3')
  await heard.close()
})

test('a domain code is counted as the kernel code that it stands for', async () => {
  const heard = await observed()
  const { stage } = heard
  const limit = { ...AMOUNT, reason_code: 'REFUND_TOO_BIG' }
  await stage.deploy({
    reason_codes: { REFUND_TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: 'too big' } },
    permissions: { policy_kinds: ['REFUND'], limits: [limit] },
  })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  for (const _ of [1, 2, 3]) await flow.propose(refund('900.00'))
  assert.deepEqual(await counted(heard, 'rubicon_proposals_total'), {
    'REJECTED LIMIT_EXCEEDED': '2',
    'EXHAUSTED LIMIT_EXCEEDED': '1',
  })
  await heard.close()
})

test('a world that moved is a stale context, whether it moved before the verdict or after', async () => {
  let price = 10
  let afterVerdict = (): void => {}
  const capability: Capability = {
    ...exampleCapability(() => {}),
    jit_fields: ['price'],
    jit: () => ({ price: { path: 'price', kind: 'telemetry' } }),
  }
  const heard = await observed({
    executors: 'separate',
    capabilities: [capability],
    sources: [feed(() => String(price))],
    failpoints: {
      reach: (point) => (point === 'propose.after_compile' ? afterVerdict() : undefined),
    },
  })
  const { stage } = heard
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', state: ['price'] })
  price = 20
  await flow.propose(refund())
  assert.deepEqual(await counted(heard, 'stale_context_reject_rate'), { '': '1' })
  afterVerdict = () => {
    price += 10
  }
  await flow.propose(refund())
  assert.deepEqual(await counted(heard, 'stale_context_reject_rate'), { '': '2' })
  assert.deepEqual(await counted(heard, 'rubicon_effects_total'), { ABANDONED: '1' })
  await heard.close()
})

test('finding 30f: a decision on State or on a context that is too old counts as none', async () => {
  const capability: Capability = {
    ...exampleCapability(() => {}),
    jit_fields: ['price'],
    jit: () => ({ price: { path: 'price', kind: 'telemetry' } }),
  }
  const heard = await observed({ capabilities: [capability], sources: [feed(() => '10')] })
  const { stage, clock } = heard
  const aged = { drift_envelope: {}, max_state_age_ms: 5_000, max_context_age_seconds: 60 }
  await stage.deploy({ jit_verification: aged })
  const stale = (): Promise<object> => counted(heard, 'stale_context_reject_rate')
  const opened = { agent: AGENT, trigger: 'ticket', state: ['price'] }
  const flow = await stage.runtime().open(opened)
  clock.skip(10_000)
  assert.equal((await flow.propose(refund())).reason_code, 'STATE_UNAVAILABLE')
  assert.deepEqual(await stale(), { '': '1' })
  clock.skip(60_000)
  assert.equal((await flow.propose(refund())).reason_code, 'STALE_CONTEXT')
  assert.deepEqual(await stale(), { '': '2' })
  // Another context is no older one: whoever names it made a mistake, and nothing has moved.
  const other = await stage.runtime().open(opened)
  const foreign = { ...refund(), context_ref: `sha256:${'0'.repeat(64)}` }
  assert.equal((await other.propose(foreign)).reason_code, 'STALE_CONTEXT')
  assert.deepEqual(await stale(), { '': '2' })
  await heard.close()
})

test('an escalation is counted by agent and reason, and shown as waiting until it ends', async () => {
  const heard = await observed()
  const { stage } = heard
  await stage.deploy(ASKED)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { outcome, reason_code } = await flow.propose(refund('900.00'))
  assert.equal(outcome, 'ESCALATED')
  assert.deepEqual(await counted(heard, 'escalation_count'), { [`${AGENT} ${reason_code}`]: '1' })
  assert.deepEqual(await counted(heard, 'rubicon_escalations_pending'), { '': '1' })
  assert.deepEqual(await counted(heard, 'rubicon_flows_open'), { '': '1' })
  await flow.cancel('never mind')
  assert.deepEqual(await counted(heard, 'escalation_count'), { [`${AGENT} ${reason_code}`]: '1' })
  assert.deepEqual(await counted(heard, 'rubicon_escalations_pending'), { '': '0' })
  assert.deepEqual(await counted(heard, 'rubicon_flows_open'), { '': '0' })
  await heard.close()
})

test('tokens are counted a flow, at its end; a flow that reported none is not counted', async () => {
  const heard = await observed()
  const { stage } = heard
  await stage.deploy()
  for (const tokens of [400, 0, 1_000]) {
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
    if (tokens > 0) await flow.usage({ tokens })
    if (tokens > 0) await flow.usage({ tokens: 1 })
    await flow.propose(refund('20.00', `step-${tokens}`))
  }
  await heard.spans()
  const buckets = (await heard.metrics()).get('token_budget_burn')?.metrics[0]?.buckets
  assert.deepEqual([buckets?.['500'], buckets?.['2500'], buckets?.['+Inf']], ['1', '2', '2'])
  await heard.close()
})

test('holds, unknown outcomes and agents are gauges of what stands in the store', async () => {
  const lost: Capability = {
    ...exampleCapability(() => {}),
    resources: () => [
      { id: 'till', amount: '1' },
      { id: 'safe', amount: '1' },
    ],
    execute: (): Effect => {
      throw new Error('no answer')
    },
  }
  const heard = await observed({ capabilities: [lost] })
  const { stage } = heard
  await stage.deploy()
  const before = await counted(heard, 'resource_lock_contention')
  assert.deepEqual(before, { held: '0', limit: '65536' })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).execution?.status, 'UNKNOWN')
  assert.equal((await counted(heard, 'resource_lock_contention')).held, '2')
  assert.deepEqual(await counted(heard, 'rubicon_outcomes_unknown'), { '': '1' })
  assert.deepEqual(await counted(heard, 'rubicon_proposals_in_flight'), {
    held: '0',
    limit: '1024',
  })
  assert.deepEqual(await counted(heard, 'rubicon_agents'), { ACTIVE: '1' })
  assert.ok(Number((await counted(heard, 'rubicon_checkpoint_lag_entries'))['']) > 0)
  assert.ok(Number((await counted(heard, 'rubicon_checkpoint_age_seconds'))['']) > 0)
  await stage.engine().checkpoint()
  assert.deepEqual(await counted(heard, 'rubicon_checkpoint_lag_entries'), { '': '0' })
  assert.deepEqual(await counted(heard, 'rubicon_checkpoint_age_seconds'), { '': '0' })
  const killed = await stage.engine().kill(AGENT, 'enough')
  assert.ok(killed.ok)
  assert.deepEqual(await counted(heard, 'rubicon_agents'), { SUSPENDED: '1' })
  assert.equal((await counted(heard, 'rubicon_agent_moves_total')).SUSPENDED, '1')
  await heard.close()
})

test('a monitor that stops an agent is counted and told', async () => {
  const heard = await observed()
  const { stage } = heard
  await stage.deploy({ aggregate_thresholds: { max_average_amount_3x: '50' } })
  for (const step of ['a', 'b', 'c']) {
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
    await flow.propose(refund('60', step))
  }
  assert.equal((await stage.engine().oversight.sweepMonitors()).trips.length, 1)
  assert.deepEqual(await counted(heard, 'rubicon_monitor_trips_total'), { '': '1' })
  assert.equal((await counted(heard, 'rubicon_agent_moves_total')).SUSPENDED, '1')
  const tripped = heard.lines.find(({ event }) => event === 'monitor_tripped')
  assert.deepEqual([tripped?.agent_id, tripped?.reason_code], [AGENT, 'MONITOR_TRIPPED'])
  await heard.close()
})

test('a round of background work that fails is counted and told, without its message', async () => {
  const clock = handClock()
  let isAway = true
  const sink: CheckpointSink = {
    place: 'far away',
    latest: async () => null,
    latestOf: async () => null,
    async save() {
      if (isAway) throw new TypeError('ftp://jane:secret@host is away')
    },
  }
  const heard = await observed({ clock, sinks: [sink], background: true })
  await heard.stage.deploy()
  const told = (): JsonObject | undefined =>
    heard.lines.find(({ event }) => event === 'background_failed')
  for (let turn = 0; turn < 500 && told() === undefined; turn += 1) await clock.advance(1_000)
  isAway = false
  const failed = told()
  assert.equal((await counted(heard, 'rubicon_background_failures_total')).checkpoint, '1')
  assert.deepEqual(
    [failed?.level, failed?.job, failed?.error],
    ['error', 'checkpoint', 'TypeError'],
  )
  assert.match(String(failed?.where), /^golden-signals\.test\.ts:\d+$/)
  assert.ok(!(await heard.text()).includes('secret'))
  await heard.close()
})

test('lines tell the way of a flow, with parameters as their schema allows', async () => {
  const capability: Capability = {
    ...exampleCapability(() => {}),
    params: {
      type: 'object',
      properties: { order: { type: 'string' }, amount: { type: 'string', 'x-log': 'plain' } },
    },
    execute: (): Effect => {
      throw new NotApplied('no such order')
    },
  }
  const heard = await observed({ capabilities: [capability] })
  const { stage } = heard
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.propose(refund())
  const own = heard.lines.filter(({ dfid }) => dfid === flow.dfid)
  assert.deepEqual(
    own.map(({ event }) => event),
    ['flow_opened', 'effect_dispatched', 'effect_settled', 'flow_ended', 'proposal_answered'],
  )
  assert.deepEqual(own[1]?.params, { order: 'string(8)', amount: '20.00' })
  assert.deepEqual([own[2]?.status, own[2]?.reason_code], ['FAILED', 'EFFECT_FAILED'])
  assert.ok(own.every(({ agent_id }) => agent_id === AGENT))
  await heard.close()
})

test('when nobody listens nothing is made, and the store is the store', async () => {
  const stage = await flowStage({ telemetry: NO_TELEMETRY })
  const { context } = stage.engine()
  assert.equal(context.signals, null)
  assert.equal(context.store, stage.runtime().store)
  await stage.deploy()
  await stage.close()
})

test('whoever listens and fails changes nothing', async () => {
  const fails = (): never => {
    throw new Error('the disk of the log is full')
  }
  const telemetry: Telemetry = {
    enabled: true,
    count: fails,
    observe: fails,
    span: fails,
    log: fails,
  }
  const stage = await flowStage({ telemetry })
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  await stage.close()
})
