import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPILE_STAGES, COMPILER_VERSION } from 'rubicon-kernel'
import {
  buy,
  DESK,
  deskContract,
  marketCapability,
  newMarket,
  sell,
  TRADER,
  traderContract,
} from '../../engine/compensate/saga-stage.test-support.ts'
import { AGENT, refund } from '../../engine/flow/flow-stage.test-support.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Effect } from '../../ports/capability.ts'
import { assertOneTrace, attribute, feed, observed } from './observed.test-support.ts'
import type { OtlpSpan } from './otlp.ts'

const STAGES: readonly string[] = [...COMPILE_STAGES.map(({ name }) => `stage ${name}`)]

const named = (spans: readonly OtlpSpan[], name: string): readonly OtlpSpan[] =>
  spans.filter((span) => span.name === name)

const inside = (inner: OtlpSpan | undefined, outer: OtlpSpan | undefined): boolean =>
  inner !== undefined &&
  outer !== undefined &&
  BigInt(inner.startTimeUnixNano) >= BigInt(outer.startTimeUnixNano) &&
  BigInt(inner.endTimeUnixNano) <= BigInt(outer.endTimeUnixNano)

test('a trace shows trigger, context, proposals, every stage, dispatch, effect and settlement', async () => {
  const { stage, spans, close } = await observed()
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund('900.00'))).outcome, 'REJECTED')
  assert.equal((await flow.propose(refund('20.00'))).outcome, 'ACCEPTED')
  const own = assertOneTrace(await spans(), flow.dfid)

  const [root] = named(own, `invoke_agent ${AGENT}`)
  assert.equal(attribute(root, 'rubicon.state'), 'CLOSED')
  assert.equal(attribute(root, 'gen_ai.operation.name'), 'invoke_agent')
  const [trigger] = named(own, 'trigger')
  const [context] = named(own, 'context')
  assert.equal(context?.parentSpanId, trigger?.spanId)
  assert.ok(inside(context, trigger))

  const [refused, allowed, more] = named(own, 'proposal')
  assert.equal(more, undefined)
  assert.equal(refused?.status.code, 2)
  assert.equal(attribute(refused, 'rubicon.reason_code'), 'LIMIT_EXCEEDED')
  assert.equal(attribute(refused, 'rubicon.gate'), 2)
  assert.equal(attribute(allowed, 'rubicon.verdict'), 'staged')
  const stagesOf = (proposal: OtlpSpan | undefined): readonly OtlpSpan[] =>
    own.filter(({ parentSpanId, name }) => {
      return parentSpanId === proposal?.spanId && name.startsWith('stage ')
    })
  const last = STAGES.indexOf('stage preconditions') + 1
  assert.deepEqual(
    stagesOf(refused).map(({ name }) => name),
    STAGES.slice(0, last),
  )
  assert.equal(attribute(stagesOf(refused).at(-1), 'rubicon.said'), 'reject')
  assert.deepEqual(
    stagesOf(allowed).map(({ name }) => name),
    [...STAGES, 'stage emission'],
  )
  for (const span of stagesOf(allowed)) assert.ok(inside(span, allowed), span.name)

  const [dispatch] = named(own, 'dispatch')
  const [effect] = named(own, 'execute_tool REFUND')
  const [settlement] = named(own, 'settlement')
  assert.equal(dispatch?.parentSpanId, allowed?.spanId)
  assert.equal(effect?.parentSpanId, dispatch?.spanId)
  assert.equal(settlement?.parentSpanId, dispatch?.spanId)
  const starts = [dispatch, effect, settlement].map((span) => BigInt(span?.startTimeUnixNano ?? 0))
  assert.deepEqual(starts.toSorted(), starts, 'one after the other')
  for (const span of [dispatch, effect, settlement]) assert.ok(inside(span, allowed))
  assert.equal(attribute(effect, 'gen_ai.tool.call.id'), attribute(allowed, 'gen_ai.tool.call.id'))
  await close()
})

test('finding 41c: the root of a trace is there from the start, and covers what hangs under it', async () => {
  const { stage, spans, close } = await observed()
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const root = async (): Promise<OtlpSpan | undefined> =>
    named(await spans(), `invoke_agent ${AGENT}`).at(-1)
  const begun = await root()
  assert.equal(attribute(begun, 'rubicon.state'), 'ACTIVE')
  for (const span of await spans()) assert.ok(inside(span, begun), span.name)
  assert.equal((await flow.propose(refund('900.00'))).outcome, 'REJECTED')
  assert.equal((await flow.propose(refund('20.00'))).outcome, 'ACCEPTED')
  const ended = await root()
  assert.equal(attribute(ended, 'rubicon.state'), 'CLOSED')
  assert.deepEqual(
    [ended?.spanId, ended?.startTimeUnixNano],
    [begun?.spanId, begun?.startTimeUnixNano],
  )
  for (const span of await spans()) assert.ok(inside(span, ended), span.name)
  await close()
})

test('finding 41d: a trace says who provides the agents, and which release made it', async () => {
  const { stage, spans, text, close } = await observed()
  await stage.deploy()
  await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const [root] = named(await spans(), `invoke_agent ${AGENT}`)
  assert.equal(attribute(root, 'gen_ai.provider.name'), 'rubicon')
  const release = COMPILER_VERSION.split('/')[1]
  const said = await text()
  assert.ok(said.includes(`{"key":"service.version","value":{"stringValue":"${release}"}}`), said)
  assert.ok(said.includes(`"scope":{"name":"rubicon","version":"${release}"}`), said)
  await close()
})

test('an effect that one process sent and another settled stands in one trace', async () => {
  let sends = 0
  const lost = {
    ...exampleCapability(() => {}),
    idempotency: { carrier: 'header', window_s: 86_400 },
    execute: (): Effect => {
      sends += 1
      if (sends === 1) throw new Error('the line went dead')
      return { result: { refunded: '20.00' } }
    },
  }
  const { stage, clock, spans, restart, close } = await observed({ capabilities: [lost] })
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).execution?.status, 'UNKNOWN')
  await restart()
  clock.skip(60_000)
  await stage.engine().reconcile()
  assert.equal((await stage.flow(flow.dfid)).state, 'CLOSED')
  const own = assertOneTrace(await spans(), flow.dfid)
  const sent = named(own, 'execute_tool REFUND')
  assert.deepEqual(
    sent.map((span) => [attribute(span, 'rubicon.send'), attribute(span, 'rubicon.status')]),
    [
      [1, 'unknown'],
      [2, 'applied'],
    ],
  )
  const settled = named(own, 'settlement')
  assert.deepEqual(
    settled.map((span) => attribute(span, 'rubicon.status')),
    ['UNKNOWN', 'SUCCESS'],
  )
  assert.deepEqual(
    settled.map(({ parentSpanId }) => parentSpanId),
    named(own, 'dispatch').map(({ spanId }) => spanId),
  )
  await close()
})

test('with executors of their own, what was accepted and given back is in the trace', async () => {
  let price = '10'
  const capability = {
    ...exampleCapability(() => {}),
    jit_fields: ['price'],
    jit: () => ({ price: { path: 'price', kind: 'telemetry' as const } }),
  }
  const { stage, spans, close } = await observed({
    executors: 'separate',
    capabilities: [capability],
    sources: [feed(() => price)],
    failpoints: {
      reach: (point) => {
        if (point === 'propose.after_compile') price = '20'
      },
    },
  })
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', state: ['price'] })
  const answer = await flow.propose(refund())
  assert.equal(answer.reason_code, 'STATE_DRIFT_DETECTED')
  await flow.cancel('enough')
  const own = assertOneTrace(await spans(), flow.dfid)
  const [settlement] = named(own, 'settlement')
  assert.equal(attribute(settlement, 'rubicon.status'), 'ABANDONED')
  assert.equal(settlement?.parentSpanId, named(own, 'accept')[0]?.spanId)
  assert.equal(named(own, 'dispatch').length, 0)
  assert.equal(named(own, 'context').length, 2, 'the agent was shown what had changed')
  await close()
})

test('a child is a trace of its own that links to its parent', async () => {
  const { stage, spans, close } = await observed()
  const permissions = { policy_kinds: ['REFUND', 'SPAWN_CHILD'] }
  await stage.deploy({ permissions, safety_rules: { budget_per_flow: { tokens: 100 } } })
  await stage.deploy({ agent_id: 'helper_bot' })
  const parent = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  const opened = { agent: 'helper_bot', trigger: 'part', parent: parent.dfid }
  const child = await stage.runtime().open(opened)
  await child.propose(refund())
  await parent.close()
  const all = await spans()
  const [above] = named(assertOneTrace(all, parent.dfid), `invoke_agent ${AGENT}`)
  const [below] = named(assertOneTrace(all, child.dfid), 'invoke_agent helper_bot')
  assert.deepEqual(below?.links, [{ traceId: above?.traceId, spanId: above?.spanId }])
  assert.equal(attribute(below, 'rubicon.parent_dfid'), parent.dfid)
  assert.deepEqual(above?.links, [])
  await close()
})

test('the time that a flow waits for a person is a span', async () => {
  const { stage, clock, spans, close } = await observed()
  const limit = { id: 'amount', kind: 'range', measure: 'amount', max: '10', on_breach: 'escalate' }
  await stage.deploy({ permissions: { policy_kinds: ['REFUND'], limits: [limit] } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ESCALATED')
  clock.skip(60_000)
  await flow.cancel('never mind')
  const own = assertOneTrace(await spans(), flow.dfid)
  const [waited] = named(own, 'escalation')
  const ns = BigInt(waited?.endTimeUnixNano ?? 0) - BigInt(waited?.startTimeUnixNano ?? 0)
  assert.ok(ns >= 60_000_000_000n && ns < 60_100_000_000n, String(ns))
  assert.equal(attribute(waited, 'rubicon.state'), 'ABORTED')
  await close()
})

test('what a person approved is judged again, and runs in the trace of its flow', async () => {
  const { stage, clock, spans, close } = await observed()
  const limit = { id: 'amount', kind: 'range', measure: 'amount', max: '10', on_breach: 'escalate' }
  await stage.deploy({ permissions: { policy_kinds: ['REFUND'], limits: [limit] } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ESCALATED')
  clock.skip(60_000)
  const engine = stage.engine()
  const [waiting] = await engine.oversight.escalations()
  const { request } = (await engine.oversight.escalation(waiting?.id ?? '')) ?? assert.fail()
  await stage.runtime().person('ann')
  const decided = await engine.oversight.decideEscalation(
    request.id,
    {
      decision: 'OVERRIDE',
      intent_digest: request.intent_digest,
      shown_snapshot: request.shown_snapshot,
      lifts: request.triggers.map(({ id }) => id),
      valid_until: '2026-06-01T12:30:00.000Z',
      justification: 'the customer is right',
      acknowledged_impact: request.impact,
      acknowledgement: request.acknowledge ?? '',
    },
    { kind: 'person', principal: 'ann' },
  )
  assert.ok(decided.ok, decided.ok ? '' : decided.error.summary)
  assert.equal((await stage.flow(flow.dfid)).state, 'CLOSED')
  const own = assertOneTrace(await spans(), flow.dfid)
  const [asked, released, more] = named(own, 'proposal')
  assert.equal(more, undefined)
  assert.equal(attribute(asked, 'rubicon.outcome'), 'ESCALATED')
  assert.equal(attribute(released, 'rubicon.outcome'), 'ACCEPTED')
  assert.equal(named(own, 'dispatch')[0]?.parentSpanId, released?.spanId)
  assert.equal(named(own, 'escalation').length, 1)
  await close()
})

test('what is taken back is a span of the flow that had done it, linked to who chose so', async () => {
  const market = newMarket()
  const capabilities = [marketCapability(market, 'SELL'), marketCapability(market, 'BUY')]
  const { stage, spans, close } = await observed({ capabilities })
  await stage.runtime().deploy(deskContract())
  await stage.runtime().deploy(traderContract())
  market.does = { BUY: 'refuse' }
  const trade = { agent: TRADER, trigger: 'rotate', steps: 'many' } as const
  const flow = await stage.runtime().open(trade)
  await sell(flow)
  await buy(flow)
  const desk = { agent: DESK, trigger: 'put it right', steps: 'many' } as const
  const chooser = await stage.runtime().open(desk)
  assert.equal((await chooser.compensate(flow.dfid, 'REVERT')).outcome, 'ACCEPTED')
  await chooser.close()
  const all = await spans()
  const own = assertOneTrace(all, flow.dfid)
  const [undone] = named(own, 'compensation')
  const [choice] = named(assertOneTrace(all, chooser.dfid), 'proposal')
  assert.deepEqual(undone?.links, [{ traceId: choice?.traceId, spanId: choice?.spanId }])
  assert.equal(attribute(undone, 'rubicon.status'), 'SUCCESS')
  const [dispatch] = own.filter(({ parentSpanId }) => parentSpanId === undone?.spanId)
  assert.equal(dispatch?.name, 'dispatch')
  const below = own.filter(({ parentSpanId }) => parentSpanId === dispatch?.spanId)
  assert.deepEqual(below.map(({ name }) => name).toSorted(), [
    'execute_tool COMPENSATE',
    'settlement',
  ])
  await close()
})

test('what an agent reports of its tokens stands on its flow', async () => {
  const { stage, spans, close } = await observed()
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.usage({ tokens: 700, input_tokens: 500 })
  await flow.usage({ tokens: 300, output_tokens: 200 })
  await flow.propose(refund())
  const [root] = named(assertOneTrace(await spans(), flow.dfid), `invoke_agent ${AGENT}`)
  assert.equal(attribute(root, 'rubicon.tokens'), 1_000)
  assert.equal(attribute(root, 'gen_ai.usage.input_tokens'), 500)
  assert.equal(attribute(root, 'gen_ai.usage.output_tokens'), 200)
  await close()
})
