import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import { loadExecution } from '../rows/all-executions.ts'
import {
  buy,
  marketCapability,
  newMarket,
  type SagaStage,
  sagaStage,
  sell,
} from './saga-stage.test-support.ts'

const MINUTE = 60_000

type Crowded = {
  readonly it: SagaStage
  readonly flow: Flow
  /** Before the market sells. */
  during: () => Promise<unknown>
}

/** A flow with more steps than a page holds, all of them before those that a test takes. */
async function crowded(): Promise<Crowded> {
  const market = newMarket()
  const selling = marketCapability(market, 'SELL')
  const look: Capability = {
    kind: 'LOOK',
    effect: 'read',
    risk: 'low',
    params: { type: 'object' },
    execute: () => ({ result: 'seen' }),
  }
  const stage = { during: async (): Promise<unknown> => undefined }
  const execute: Capability['execute'] = async (intent, io) => {
    await stage.during()
    return selling.execute(intent, io)
  }
  const it = await sagaStage({
    market,
    capabilities: [{ ...selling, execute }, marketCapability(market, 'BUY'), look],
    trader: { permissions: { policy_kinds: ['LOOK', 'SELL', 'BUY', 'COMPENSATE'] } },
  })
  const flow = await it.trade()
  await flow.propose({ policy_kind: 'LOOK', step_id: 'a', params: {} })
  const { store } = it.runtime()
  const first = await loadExecution(store, flow.dfid, 'a')
  assert.ok(first !== null)
  const writes = Array.from({ length: LIMITS.entriesPerPage }, (_, i) => {
    const step_id = `a${String(i).padStart(5, '0')}`
    const execution = { ...first, step_id, idempotency_key: `${first.idempotency_key}${i}` }
    return { kind: 'put_execution', execution } as const
  })
  assert.ok((await store.commit({ guards: [], writes })).ok)
  return Object.assign(stage, { it, flow })
}

test('a failure behind a thousand steps makes the flow dirty, and stops its agent', async () => {
  const { it, flow } = await crowded()
  assert.equal((await sell(flow, 'A', 'z1')).execution?.status, 'SUCCESS')
  it.market.does = { BUY: 'refuse' }
  assert.equal((await buy(flow, 'B', 'z2')).execution?.status, 'FAILED')
  const { state, tags } = await it.flow(flow.dfid)
  assert.deepEqual([state, tags], ['ABORTED', ['DIRTY']])
  assert.equal((await sell(await it.trade(), 'Z')).reason_code, 'AGENT_MAINTENANCE')
  it.market.does = {}
  const undone = await (await it.desk()).compensate(flow.dfid, 'REVERT')
  assert.equal(undone.execution?.status, 'SUCCESS')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'undo SELL'])
  await it.close()
})

test('a person settles a step behind a thousand others', async () => {
  const { it, flow } = await crowded()
  it.market.does = { BUY: 'lose' }
  await buy(flow, 'B', 'z1')
  for (let i = 0; i < 12; i++) {
    await it.clock.advance(MINUTE)
    await it.engine().reconcile()
  }
  const word = { evidence: { seen: 'none' }, justification: 'looked', by: 'olga' }
  const { oversight } = it.engine()
  const settled = await oversight.resolveExecution(flow.dfid, 'z1', {
    outcome: 'not_applied',
    ...word,
  })
  assert.equal(settled.ok && settled.value.status, 'FAILED')
  await it.close()
})

test('an outcome behind a thousand steps is recorded though the flow has moved meanwhile', async () => {
  const stage = await crowded()
  const { it, flow } = stage
  stage.during = () => it.engine().usage(flow.dfid, { tokens: 1 })
  assert.equal((await sell(flow, 'A', 'z1')).execution?.status, 'SUCCESS')
  await it.close()
})
