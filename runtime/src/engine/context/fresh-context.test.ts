import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, type RejectionPayload, type WorkingContext } from 'rubicon-kernel'
import type { Capability } from '../../ports/capability.ts'
import type { FlowRow, Store } from '../../ports/store.ts'
import { AGENT, done, type LayerStage, layerStage } from './layer-stage.test-support.ts'

const PRICE = 'market.price'
const ENVELOPE = { drift_envelope: { price_pct: '0.5' } }
const jit: NonNullable<Capability['jit']> = () => ({ price: { path: PRICE, kind: 'telemetry' } })
const BUY = { policy_kind: 'REFUND', params: { amount: '1' } }

async function market(change: object = {}): Promise<LayerStage> {
  const contract = { jit_verification: { ...ENVELOPE, ...change } }
  return layerStage({ capability: { jit, jit_fields: ['price'] }, contract })
}

async function quote({ layers, clock }: LayerStage, value: string): Promise<void> {
  await clock.advance(1)
  done(await layers.observe({ path: PRICE, value }))
}

const shown = ({ state }: WorkingContext): unknown => state.map(({ value }) => value)

test('a price that moved voids the decision, and comes with the refusal', async () => {
  const it = await market()
  await quote(it, '99.50')
  const flow = await it.open({ state: [PRICE] })
  const first = flow.context
  assert.deepEqual(shown(first), ['99.50'])
  await quote(it, '101.20')
  const refused = await flow.propose(BUY)
  assert.equal(refused.reason_code, 'STATE_DRIFT_DETECTED')
  assert.equal(it.sent.length, 0)
  const { context } = refused
  assert.ok(context !== undefined && context.snapshot_id !== first.snapshot_id)
  assert.deepEqual(shown(context), ['101.20'])
  const [why] = context.memory
  assert.deepEqual([why?.reason_code, why?.attempt], ['STATE_DRIFT_DETECTED', 1])
  assert.equal(flow.context, context)
  const row = await it.runtime.store.readFlow(flow.dfid)
  assert.deepEqual([row?.snapshot_id, row?.snapshot_at], [context.snapshot_id, it.now()])
  const [, rejection] = await it.runtime.store.listFlowEntries(flow.dfid)
  const stored = JSON.parse(rejection?.payload ?? '{}') as RejectionPayload
  assert.equal(stored.snapshot_id, context.snapshot_id)
  assert.deepEqual((stored.snapshot as unknown as WorkingContext).state, context.state)

  const again = await flow.propose(BUY)
  assert.equal(again.execution?.status, 'SUCCESS')
  assert.equal(it.sent.length, 1)
  await it.close()
})

test('what the agent was shown survives the memory of the process', async () => {
  const it = await market()
  await quote(it, '99.50')
  const flow = await it.open({ state: [PRICE] })
  await quote(it, '101.20')
  await flow.propose(BUY)
  const row = (await it.runtime.store.readFlow(flow.dfid)) ?? assert.fail('no flow')
  const { SnapshotCache } = await import('../ledger/snapshot-cache.ts')
  const seen = (snapshot_id: string): Promise<unknown> =>
    new SnapshotCache(it.runtime.store)
      .loadSeen({ ...row, snapshot_id }, [PRICE])
      .then((facts) => facts.map(({ value }) => value))
  assert.deepEqual(await seen(row.snapshot_id), ['101.20'])
  assert.deepEqual(await seen('sha256:other'), [])
  const refreshed = await flow.refresh()
  assert.deepEqual(await seen(refreshed.snapshot_id), ['101.20'])
  await it.close()
})

test('a value that must not move is shown with the refusal, whether it was asked for or not', async () => {
  const it = await market()
  await quote(it, '99.50')
  const flow = await it.open()
  assert.deepEqual(flow.context.state, [])
  const refused = await flow.propose(BUY)
  assert.equal(refused.reason_code, 'STATE_DRIFT_DETECTED')
  assert.deepEqual(shown(flow.context), ['99.50'])
  assert.equal((await flow.propose(BUY)).execution?.status, 'SUCCESS')
  await it.close()
})

test('a context that is too old, or another one, is replaced by a fresh one', async () => {
  const it = await market({ max_context_age_seconds: 30 })
  await quote(it, '99.50')
  const flow = await it.open({ state: [PRICE] })
  const first = flow.context.snapshot_id
  await it.clock.advance(30_001)
  const stale = await flow.propose(BUY)
  assert.equal(stale.reason_code, 'STALE_CONTEXT')
  const foreign = await flow.propose({ ...BUY, context_ref: first })
  assert.equal(foreign.reason_code, 'STALE_CONTEXT')
  assert.notEqual(foreign.context?.snapshot_id, first)
  assert.equal((await flow.propose(BUY)).execution?.status, 'SUCCESS')
  await it.close()
})

test('a refusal for another reason, or the last one, brings no context', async () => {
  const it = await market()
  await quote(it, '99.50')
  const flow = await it.open({ state: [PRICE] })
  const over = await flow.propose({ ...BUY, params: { amount: '501' } })
  assert.equal(over.reason_code, 'LIMIT_EXCEEDED')
  assert.equal(over.context, undefined)
  const other = await it.open({ state: [PRICE] })
  for (let i = 1; ; i++) {
    await quote(it, i % 2 === 0 ? '99.50' : '200')
    const answer = await other.propose(BUY)
    if (answer.outcome === 'REJECTED') assert.ok(answer.context !== undefined)
    else {
      assert.equal(answer.reason_code, 'CONTENTION_EXHAUSTION')
      assert.equal(answer.context, undefined)
      break
    }
  }
  await it.close()
})

test('a contract may do without, and so does a refusal whose context cannot be had', async () => {
  const without = await market({
    on_drift_exceeded: { action: 'ABORT', retry_with_fresh_context: false },
  })
  await quote(without, '99.50')
  const flow = await without.open({ state: [PRICE] })
  await quote(without, '101.20')
  const refused = await flow.propose(BUY)
  assert.deepEqual([refused.reason_code, refused.context], ['STATE_DRIFT_DETECTED', undefined])
  await without.close()

  const it = await market()
  await quote(it, '99.50')
  const small = await it.open({ state: [PRICE] })
  const { snapshot_id } = small.context
  await quote(it, 'word '.repeat(9000))
  const large = await it.layers.refresh(small.dfid)
  assert.equal(large.ok ? null : large.error.code, 'CONTEXT_OVER_BUDGET')
  const moved = await small.propose(BUY)
  assert.deepEqual([moved.reason_code, moved.context], ['STATE_DRIFT_DETECTED', undefined])
  assert.equal((await it.runtime.store.readFlow(small.dfid))?.snapshot_id, snapshot_id)
  await it.close()
})

test('a flow is shown so many new contexts, and no more', async () => {
  const it = await market()
  const flow = await it.open({ steps: 'many' })
  const by = LIMITS.refreshesPerFlow - 1
  const id = `${flow.dfid} refreshes`
  await it.runtime.store.commit({ guards: [], writes: [{ kind: 'count', id, by }] })
  assert.ok((await it.layers.refresh(flow.dfid)).ok)
  const before = await it.runtime.store.countLeaves()
  const last = await it.layers.refresh(flow.dfid)
  assert.equal(last.ok ? null : last.error.code, 'REFRESHES_FULL')
  assert.equal(await it.runtime.store.countLeaves(), before)
  await it.close()
})

test('what is remembered of snapshots is bounded by its size', async () => {
  const { SnapshotCache } = await import('../ledger/snapshot-cache.ts')
  let read = 0
  const listFlowEntries = async (): Promise<readonly never[]> => {
    read += 1
    return []
  }
  const cache = new SnapshotCache({ listFlowEntries } as unknown as Store)
  const fact = { path: 'a', source: 's', label: 'trusted', observed_at: '', version: '1' } as const
  const large = { state: [{ ...fact, value: 'x'.repeat(LIMITS.snapshotsBytes / 2) }], world: [] }
  const isKnown = async (snapshot_id: string): Promise<boolean> => {
    const before = read
    await cache.loadShown({ dfid: 'f', snapshot_id } as FlowRow)
    return read === before
  }
  cache.remember('small', { state: [], world: [] })
  cache.remember('first', large)
  assert.deepEqual([await isKnown('small'), await isKnown('first')], [true, true])
  cache.remember('second', large)
  assert.deepEqual([await isKnown('first'), await isKnown('second')], [false, true])
})

test('an agent looks again only where it may propose', async () => {
  const it = await market()
  await quote(it, '99.50')
  const flow = await it.open({ state: [PRICE], steps: 'many' })
  await quote(it, '101.20')
  const fresh = await flow.refresh({ state: ['market.*'] })
  assert.deepEqual(shown(fresh), ['101.20'])
  assert.equal((await flow.propose(BUY)).execution?.status, 'SUCCESS')
  const code = async (dfid: string): Promise<string | null> => {
    const result = await it.layers.refresh(dfid)
    return result.ok ? null : result.error.code
  }
  assert.equal(await code('nobody'), 'FLOW_UNKNOWN')
  await it.runtime.engine.moveAgent({
    agent_id: AGENT,
    to: 'SUSPENDED',
    actor: 'operator',
    justification: 'looked at',
  })
  assert.equal(await code(flow.dfid), 'AGENT_NOT_ACTIVE')
  done(await it.runtime.engine.revoke({ target: 'contract', id: AGENT, reason: 'over' }))
  assert.equal(await code(flow.dfid), 'CONTRACT_REVOKED')
  await flow.close()
  assert.equal(await code(flow.dfid), 'FLOW_NOT_OPEN')
  await it.close()
})
