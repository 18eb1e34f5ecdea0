import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Unit } from '../../ports/store.ts'
import type { RubiconError } from '../../rubicon-error.ts'
import {
  AGENT,
  type LayerStage,
  layerStage,
  type StageOptions,
} from '../context/layer-stage.test-support.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

const RATE = 'rates.USD'

const refund = (amount: string) => ({ policy_kind: 'REFUND', params: { amount } })

const act = (it: LayerStage, amount = '10.00', more: object = {}) =>
  it.runtime.act({ agent: AGENT, trigger: 'ticket 4711', ...refund(amount), ...more })

/** The units that are committed while `work` runs. */
async function unitsOf(it: LayerStage, work: () => Promise<unknown>): Promise<readonly Unit[]> {
  const { store } = it.runtime
  const units: Unit[] = []
  const commit = store.commit.bind(store)
  store.commit = (unit) => {
    units.push(unit)
    return commit(unit)
  }
  await work()
  store.commit = commit
  return units
}

async function kindsOf(it: LayerStage, dfid: string): Promise<readonly string[]> {
  return (await it.runtime.store.listFlowEntries(dfid)).map(({ envelope }) => envelope.kind)
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    ({ failure: { code, meta } }: RubiconError) => [code, meta],
  )
}

/** A rate that must not have moved by more than a hundredth. */
const MOVING: StageOptions = {
  capability: {
    reads: () => ({ state: [RATE] }),
    jit_fields: ['rate'],
    jit: () => ({ rate: { path: RATE, kind: 'telemetry' } }),
  },
  contract: { jit_verification: { drift_envelope: { rate_pct: '1.0' } } },
  sources: [{ source_id: 'exchange', label: 'trusted', paths: [RATE, 'stock.*'] }],
}

const observe = (it: LayerStage, path: string, value: string) =>
  it.runtime.observe({ path, value, source: 'exchange' })

test('an act is opened, decided and dispatched in one unit, and settled in another', async () => {
  const it = await layerStage({ store: 'sqlite' })
  await act(it)
  let dfid = ''
  const units = await unitsOf(it, async () => {
    const { answer, flow } = await act(it)
    assert.equal(answer.execution?.status, 'SUCCESS')
    assert.equal(answer.dfid, flow.dfid)
    dfid = flow.dfid
  })
  assert.equal(units.length, 2)
  const guarded = units[0]?.guards.map(({ kind }) => kind) ?? []
  for (const kind of ['flow_absent', 'claim_absent', 'authority_seq', 'before'] as const)
    assert.ok(guarded.includes(kind), `the opening and the decision are guarded: ${kind}`)
  assert.ok(!guarded.includes('flow_version'), 'there is no flow to have a version yet')
  assert.deepEqual(await kindsOf(it, dfid), ['writ', 'dispatch', 'commit'])
  const row = await it.runtime.store.readFlow(dfid)
  assert.deepEqual([row?.state, row?.attempts], ['CLOSED', 1])
  await it.close()
})

test('the entries of an act are those of an opening and a proposal', async () => {
  const it = await layerStage()
  const flow = await it.open({ trigger: 'ticket 4711' })
  await flow.propose(refund('10.00'))
  const { flow: acted } = await act(it)
  assert.deepEqual(await kindsOf(it, acted.dfid), await kindsOf(it, flow.dfid))
  const rows = await Promise.all([flow, acted].map(({ dfid }) => it.runtime.store.readFlow(dfid)))
  const steps = rows.map((row) => row?.history.map(({ from, to }) => [from, to]))
  assert.deepEqual(steps[1], steps[0])
  await it.close()
})

test('in the flow of a refused act its agent proposes again', async () => {
  const it = await layerStage()
  const { answer, flow } = await act(it, '5000.00')
  assert.equal(answer.reason_code, 'LIMIT_EXCEEDED')
  assert.deepEqual(await kindsOf(it, flow.dfid), ['writ', 'rejection'])
  const again = await flow.propose(refund('10.00'))
  assert.equal(again.outcome, 'ACCEPTED')
  await it.close()
})

test('an act that a person must decide waits for one', async () => {
  const policies = [
    {
      name: 'ask',
      version: '1',
      source: { kind: 'unpinned' as const },
      evaluate: () => ({
        decision: { kind: 'require_approval' as const, channel: 'human', reason: 'large' },
      }),
    },
  ]
  const it = await layerStage({ policies, people: ['ann'] })
  const { answer, flow } = await act(it)
  assert.equal(answer.outcome, 'ESCALATED')
  assert.deepEqual(await kindsOf(it, flow.dfid), ['writ', 'pending_approval'])
  assert.deepEqual(it.sent, [])
  await it.close()
})

test('an act that does not say what it saw of a value that may not move opens nothing', async () => {
  const it = await layerStage(MOVING)
  await observe(it, RATE, '1.00')
  assert.deepEqual(await codeOf(act(it)), ['CONTEXT_REQUIRED', { missing: [RATE] }])
  assert.deepEqual(await it.runtime.store.listFlows({ limit: 1 }), [])
  const seen = [{ path: RATE, value: '1.005', observed_at: it.now() }]
  const { answer } = await act(it, '10.00', { seen })
  assert.equal(answer.execution?.status, 'SUCCESS')
  await it.close()
})

test('an act on a value that has moved too far since is refused as a proposal is', async () => {
  const it = await layerStage(MOVING)
  await observe(it, RATE, '1.00')
  const seen = [{ path: RATE, value: '1.50', observed_at: it.now() }]
  const { answer } = await act(it, '10.00', { seen })
  assert.equal(answer.reason_code, 'STATE_DRIFT_DETECTED')
  assert.deepEqual(it.sent, [])
  await it.close()
})

test('an act without the State that its contract requires in a context opens nothing', async () => {
  const working_context = { layers: ['state'], requires: ['stock.shoes'] }
  const it = await layerStage({ ...MOVING, capability: {}, contract: { working_context } })
  await observe(it, 'stock.shoes', '3')
  assert.deepEqual(await codeOf(act(it)), ['CONTEXT_REQUIRED', { missing: ['stock.shoes'] }])
  const [fact] = await it.runtime
    .open({ agent: AGENT, trigger: 'look' })
    .then((f) => f.context.state)
  const observed_at = it.now()
  for (const [seen, wanted] of [
    [{ value: '4' }, ['CONTEXT_REQUIRED', { moved: ['stock.shoes'] }]],
    [{ version: 'an earlier one' }, ['CONTEXT_REQUIRED', { moved: ['stock.shoes'] }]],
    [{ value: '3' }, null],
    [{ version: fact?.version }, null],
  ] as const)
    assert.deepEqual(
      await codeOf(act(it, '1.00', { seen: [{ path: 'stock.shoes', observed_at, ...seen }] })),
      wanted,
    )
  const unknown = [{ path: 'stock.hats', value: '1', observed_at }]
  const both = [{ path: 'stock.shoes', value: '3', observed_at }, ...unknown]
  assert.deepEqual(await codeOf(act(it, '1.00', { seen: both })), [
    'CONTEXT_REQUIRED',
    { unknown: ['stock.hats'] },
  ])
  await it.close()
})

test('what an agent says it saw does not pass for what a source said, nor for what is to come', async () => {
  const it = await layerStage(MOVING)
  await observe(it, RATE, '1.00')
  const { flow } = await act(it, '1.00', {
    seen: [{ path: RATE, value: '1.001', observed_at: it.now() }],
  })
  const [opening] = await it.runtime.store.listFlowEntries(flow.dfid)
  const { snapshot } = JSON.parse(opening?.payload ?? '{}').flow
  const [{ source, label }] = snapshot.state
  assert.deepEqual([source, label], [`agent:${AGENT}`, 'agent'])
  for (const observed_at of ['2099-01-01T00:00:00.000Z', 'lately'])
    assert.deepEqual(
      (await codeOf(act(it, '1.00', { seen: [{ path: RATE, value: '1.00', observed_at }] }))) as [],
      ['SCHEMA_INVALID', undefined],
    )
  await it.close()
})

test('an act that is overtaken by a change of authority is opened under the new one', async () => {
  let overtake: (() => Promise<void>) | null = null
  const failpoints = {
    async reach(name: string) {
      if (name !== 'dispatch.before_commit' || overtake === null) return
      const once = overtake
      overtake = null
      await once()
    },
  }
  const it = await layerStage({ failpoints })
  overtake = () => it.deploy({ mission: 'Refund, and be quick.' })
  const { answer, flow } = await act(it)
  assert.equal(answer.execution?.status, 'SUCCESS')
  assert.equal((await it.runtime.store.listFlows({ limit: 10 })).length, 1)
  const row = await it.runtime.store.readFlow(flow.dfid)
  const { seq } = await it.runtime.engine.context.authorities.loadLatest()
  assert.ok((row?.contract_seq ?? 0) > 0 && (row?.contract_seq ?? 0) <= seq)
  assert.equal(it.sent.length, 1)
  await it.close()
})

test('where nothing is recorded of an act, no flow is opened', async () => {
  const it = await layerStage({ proposalsInFlight: 0 })
  const { answer } = await act(it)
  assert.equal(answer.reason_code, 'OVERLOADED')
  assert.deepEqual(await it.runtime.store.listFlows({ limit: 1 }), [])
  await it.close()
})

test('every act counts into the budget that all flows of its agent share', async () => {
  const safety_rules = { budget_per_agent: { window_s: '3600', calls: '2' } }
  const it = await layerStage({ contract: { safety_rules } })
  const codes: unknown[] = []
  for (let i = 0; i < 3; i++) codes.push((await act(it)).answer.reason_code)
  assert.deepEqual(codes, [undefined, undefined, 'BUDGET_EXCEEDED'])
  await it.close()
})

test('an act below another agent, or under a name of its own, is refused', async () => {
  const it = await layerStage()
  const named = await codeOf(act(it, '1.00', { dfid: 'mine' }))
  assert.deepEqual((named as unknown[])[0], 'DFID_SUPPLIED')
  const blank = await codeOf(it.runtime.act({ agent: AGENT, trigger: ' ', ...refund('1.00') }))
  assert.deepEqual((blank as unknown[])[0], 'SCHEMA_INVALID')
  await it.close()
})

test('of what its contract does not let it see an act is not told whether it guessed right', async () => {
  const permissions = { policy_kinds: ['REFUND'], reads: ['stock.*'] }
  const it = await layerStage({ ...MOVING, capability: {}, contract: { permissions } })
  await observe(it, RATE, '1.00')
  const observed_at = it.now()
  for (const value of ['1.00', '2.00'])
    assert.deepEqual(
      await codeOf(act(it, '1.00', { seen: [{ path: RATE, value, observed_at }] })),
      ['CONTEXT_REQUIRED', { unknown: [RATE] }],
    )
  await it.close()
})

test('about what its contract does not let it see an act asks nobody, and a watched value is no exception', async () => {
  const asked: string[] = []
  const permissions = { policy_kinds: ['REFUND'], reads: ['stock.*'] }
  const it: LayerStage = await layerStage({
    ...MOVING,
    contract: { ...MOVING.contract, permissions },
    sources: [
      {
        source_id: 'vault',
        label: 'trusted',
        paths: ['vault.*', RATE],
        async read(paths) {
          asked.push(...paths)
          throw new Error('nobody knows of that')
        },
      },
    ],
  })
  const observed_at = it.now()
  const hidden = { path: 'vault.a', value: '1', observed_at }
  for (const rate of [{ value: '1.00' }, { version: '1' }])
    assert.deepEqual(
      await codeOf(act(it, '1.00', { seen: [{ path: RATE, observed_at, ...rate }, hidden] })),
      ['CONTEXT_REQUIRED', { unknown: [RATE, 'vault.a'] }],
    )
  assert.deepEqual(asked, [])
  assert.deepEqual(await it.runtime.store.listFlows({ limit: 1 }), [])
  await it.close()
})

test('what an act relied on is read as strictly as a proposal', async () => {
  const it = await layerStage(MOVING)
  await observe(it, RATE, '1.00')
  const observed_at = it.now()
  const fact = { path: RATE, value: '1.00', observed_at }
  for (const seen of [
    null,
    'rates',
    { 0: fact },
    [null],
    [{ ...fact, value: Number.NaN }],
    [{ ...fact, value: new Date(0) }],
    [{ ...fact, value: '\ud800' }],
    [{ ...fact, version: 1 }],
    [{ ...fact, observed_at: 1 }],
    [fact, fact],
  ])
    assert.deepEqual(await codeOf(act(it, '1.00', { seen })), ['SCHEMA_INVALID', undefined])
  await it.close()
})

test('when an act looked is one moment, however that is written', async () => {
  const it = await layerStage(MOVING)
  await it.clock.advance(900)
  await observe(it, RATE, '1.00')
  const seen = [{ path: RATE, value: '1.00', observed_at: '2026-06-01T12:00:00Z' }]
  const { flow } = await act(it, '1.00', { seen })
  const row = await it.runtime.store.readFlow(flow.dfid)
  assert.equal(row?.snapshot_at, '2026-06-01T12:00:00.000Z')
  const execution_constraints = { validity_window_sec: 0 }
  const { answer } = await act(it, '1.00', { seen, execution_constraints })
  assert.equal(answer.reason_code, 'EXECUTION_CONSTRAINT_VIOLATED')
  await it.close()
})

test('an act is judged on its own writ and on what it relied on, however much else is remembered meanwhile', async () => {
  let crowd: (() => void) | null = null
  const failpoints = {
    async reach(name: string) {
      if (name === 'propose.before_load') crowd?.()
    },
  }
  const it = await layerStage({ ...MOVING, failpoints })
  await observe(it, RATE, '1.00')
  const seen = [{ path: RATE, value: '1.00', observed_at: it.now() }]
  const { flow } = await act(it, '1.00', { seen })
  const { writs, snapshots } = it.runtime.engine.context
  const [ref] = (await it.runtime.store.readFlow(flow.dfid))?.writs ?? []
  const other = ref === undefined ? null : await writs.load(ref)
  assert.ok(other !== null)
  crowd = () => {
    for (let i = 0; i <= 10_000; i++) {
      writs.remember({ ...other, id: `sha256:${i}` })
      snapshots.remember(`sha256:${i}`, { state: [], world: [] })
    }
  }
  const { answer } = await act(it, '1.00', { seen })
  assert.equal(answer.outcome, 'ACCEPTED')
  await it.close()
})

for (const store of ['memory', 'sqlite'])
  for (const point of ['propose.before_load', 'dispatch.before_commit'])
    test(`what is decided while the clock goes back a little verifies: ${store}, ${point}`, async () => {
      const clock = handClock()
      let aheadMs = 0
      let isArmed = false
      const failpoints = {
        async reach(name: string) {
          if (name === point && isArmed) aheadMs -= 300
        },
      }
      const moved = { ...clock, now: () => clock.now() + aheadMs }
      const it = await layerStage({ store, clock: moved, failpoints })
      const flow = await it.open()
      await clock.advance(5000)
      isArmed = true
      const { answer } = await act(it)
      assert.equal(answer.outcome, 'ACCEPTED')
      await clock.advance(5000)
      assert.equal((await flow.propose(refund('10.00'))).outcome, 'ACCEPTED')
      await it.close()
    })
