/** What is sent again is judged again: by the time, the approval and the state of its agent of then. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, type JsonObject } from 'rubicon-kernel'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { type Capability, type Effect, NotApplied } from '../../ports/capability.ts'
import type { ExecutionRow } from '../../ports/store.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { buy, type SagaStage, sagaStage, sell } from '../compensate/saga-stage.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

const HOUR_MS = 3_600_000

const busy = (): never => {
  throw new NotApplied('busy', { transient: true })
}
const lost = (): never => {
  throw new Error('connection reset')
}
const done = (): Effect => ({ result: 'done' })

type Provider = { sends: number; does: () => Effect }

type Sends = FlowStage & {
  readonly provider: Provider
  ask(more?: JsonObject): Promise<Flow>
  /** Lets time pass, and what it sets in motion end. */
  later(ms: number): Promise<void>
  row(flow: Flow): Promise<ExecutionRow>
}

async function sendStage(
  does: () => Effect,
  capability: Partial<Capability> = {},
  options: RuntimeOptions = {},
): Promise<Sends> {
  const provider: Provider = { sends: 0, does }
  const stage = await flowStage({
    capabilities: [
      {
        ...exampleCapability(() => {}),
        idempotency: { carrier: 'header', window_s: 86_400 },
        resources: () => [{ id: 'till', amount: '1' }],
        execute() {
          provider.sends += 1
          return provider.does()
        },
        ...capability,
      },
    ],
    ...options,
  })
  await stage.deploy()
  return {
    ...stage,
    provider,
    async ask(more = {}) {
      const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
      assert.equal((await flow.propose({ ...refund(), ...more })).outcome, 'ACCEPTED')
      return flow
    },
    async later(ms) {
      await stage.clock.advance(ms)
      await stage.engine().reconcile()
      await stage.engine().context.inFlight.awaitDrained()
    },
    async row({ dfid }) {
      const [row] = await stage.runtime().store.listExecutions({ dfid, limit: 1 })
      return row ?? assert.fail('no execution')
    },
  }
}

async function holders(stage: FlowStage): Promise<number> {
  return (await stage.runtime().store.listRecords('lock', 'till', { limit: 10 })).length
}

for (const executors of ['inline', 'separate'] as const)
  test(`finding 18a: ${executors}: what was not applied is not sent twenty hours later`, async () => {
    const it = await sendStage(busy, {}, { executors })
    const flow = await it.ask()
    assert.equal((await it.row(flow)).status, 'NOT_APPLIED')
    it.provider.does = done
    await it.later(20 * HOUR_MS)
    assert.equal(it.provider.sends, 1, 'it was sent once, when it was decided')
    const row = await it.row(flow)
    assert.equal(row.status, 'FAILED')
    assert.equal(row.details?.refused, 'STALE_CONTEXT', 'whoever asks is told why')
    assert.equal(await holders(it), 0, 'what it held is free again')
    assert.equal(await it.runtime().store.readCounter(`${flow.dfid}:calls`), 0)
    await it.close()
  })

test('finding 18a: nothing is sent again after the time until which it was proposed', async () => {
  for (const [does, status] of [
    [busy, 'FAILED'],
    [lost, 'MANUAL_REVIEW'],
  ] as const) {
    const it = await sendStage(does)
    const flow = await it.ask({ valid_until: formatInstant(it.clock.now() + 60_000) })
    it.provider.does = done
    await it.later(60_000)
    assert.equal(it.provider.sends, 1)
    const row = await it.row(flow)
    assert.equal(row.status, status)
    assert.equal(row.details?.refused, 'TTL_EXPIRED')
    await it.close()
  }
})

test('finding 18b: nothing is sent again after the end of its approval', async () => {
  const provider: Provider = { sends: 0, does: busy }
  const execute = (): Effect => {
    provider.sends += 1
    return provider.does()
  }
  const it = await desk({ capability: { execute } })
  const { flow } = await it.ask('600.00')
  assert.ok((await it.decide()).ok)
  assert.equal(provider.sends, 1)
  provider.does = done
  await it.clock.advance(60_000)
  await it.engine().reconcile()
  assert.equal(provider.sends, 1, 'the approval was for a minute')
  const [row] = await it.runtime().store.listExecutions({ dfid: flow.dfid, limit: 1 })
  assert.equal(row?.status, 'FAILED')
  assert.equal(row?.details?.refused, 'APPROVAL_EXPIRED')
  await it.close()
})

test('finding 18c: nothing is sent again while its agent is in maintenance', async () => {
  const it = await sagaStage()
  it.market.does = { BUY: 'busy' }
  const waits = await it.trade()
  assert.equal((await buy(waits, 'C')).execution?.status, 'PENDING')
  it.market.does = {}
  await it.half()
  const before = it.market.calls.length
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal(it.market.calls.length, before, 'half a job comes first')
  const row = await it.row(waits.dfid, 'buy')
  assert.equal(row?.status, 'FAILED')
  assert.equal(row?.details?.refused, 'AGENT_MAINTENANCE')
  await it.close()
})

test('what is allowed now is sent again, and the kernel signs what it looked at', async () => {
  const it = await sendStage(busy)
  const flow = await it.ask()
  it.provider.does = done
  await it.later(5_000)
  assert.equal((await it.row(flow)).status, 'SUCCESS')
  const entries = await it.entries(flow.dfid)
  assert.deepEqual(
    entries.map(([kind]) => kind),
    ['writ', 'dispatch', 'settle', 'resend', 'commit'],
  )
  const body = entries[3]?.[1].body as JsonObject
  assert.equal(body.send, 2)
  assert.equal(body.why, 'not_applied')
  assert.equal(body.send_before, formatInstant(it.clock.now() + 30_000))
  await it.close()
})

test('a budget and a resource that it holds itself do not stand in its way', async () => {
  const it = await sendStage(busy, {
    resources: () => [{ id: 'till', amount: '1', capacity: '1' }],
  })
  await it.deploy({
    version: '1.1.0',
    safety_rules: { budget_per_agent: { window_s: 3_600, calls: 1 } },
  })
  const flow = await it.ask()
  it.provider.does = done
  await it.later(5_000)
  assert.equal((await it.row(flow)).status, 'SUCCESS')
  await it.close()
})

test('nothing is sent again under a key that the provider may have forgotten', async () => {
  const it = await sendStage(busy, { idempotency: { carrier: 'header', window_s: 90 } })
  const flow = await it.ask()
  it.provider.does = done
  await it.later(31_000)
  assert.equal(it.provider.sends, 1)
  assert.equal((await it.row(flow)).status, 'FAILED')
  await it.close()
})

/** Until the undoing is known not to have been applied. */
async function chooseWhileBusy(it: SagaStage, dfid: string): Promise<void> {
  it.market.does = { 'undo SELL': 'busy' }
  const chooser = await it.desk()
  void chooser.compensate(dfid, 'REVERT')
  while (Object.values(await it.statuses(dfid)).includes('NOT_APPLIED') === false)
    await it.clock.advance(0)
}

test('what takes back goes on in maintenance, by the authority of whoever chose so', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  await chooseWhileBusy(it, dfid)
  it.market.does = {}
  await it.clock.advance(5_000)
  for (let round = 0; round < 3; round++) await it.engine().reconcile()
  const kinds = (await it.entries(dfid)).map(([kind]) => kind)
  assert.ok(kinds.includes('resend'), kinds.join(' '))
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()
})

test('what takes back is not sent again once whoever chose so is stopped', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  await chooseWhileBusy(it, dfid)
  const stop = { agent_id: 'desk', to: 'SUSPENDED', actor: 'operator' } as const
  await it.engine().moveAgent({ ...stop, justification: 'incident' })
  it.market.does = {}
  const before = it.market.calls.length
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal(it.market.calls.length, before)
  assert.ok(!(await it.entries(dfid)).some(([kind]) => kind === 'resend'))
  await it.close()
})

test('a step of a flow that sold before is not left half done in silence', async () => {
  const it = await sagaStage()
  const flow = await it.trade()
  await sell(flow)
  it.market.does = { BUY: 'busy' }
  await buy(flow)
  it.market.does = {}
  await it.clock.advance(20 * HOUR_MS)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(flow.dfid)).tags, ['DIRTY'], 'what may not be sent again failed')
  await it.close()
})
