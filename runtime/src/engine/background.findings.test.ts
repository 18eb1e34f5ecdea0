/** What a capability returns, or does not, keeps nobody from watching. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime, type Runtime } from '../compose.ts'
import { CONTRACT } from '../evidence/example.test-support.ts'
import type { Capability, ProbeAnswer } from '../ports/capability.ts'
import type { Store, Unit } from '../ports/store.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { type HandClock, handClock } from './flow/hand-clock.test-support.ts'

type Stage = {
  readonly runtime: Runtime
  readonly clock: HandClock
  readonly store: Store
  sent(): number
  /** Effects whose answer is lost, one flow each. */
  lose(count: number): Promise<readonly string[]>
  status(dfid: string): Promise<string>
  /** Lets the engine's own rounds run for so long. */
  pass(ms: number): Promise<void>
}

const hangs = (): Promise<never> => new Promise(() => {})
const loses = async (): Promise<never> => {
  throw new Error('connection reset')
}

/** With rounds of its own, as in production; its probe answers what the test says. */
async function stage(
  t: TestContext,
  ask: () => unknown,
  again: () => Promise<never> = loses,
  lateS = 1,
): Promise<Stage> {
  const clock = handClock()
  let sent = 0
  const capability: Capability = {
    kind: 'REFUND',
    effect: 'queryable',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    execute: () => {
      sent += 1
      if (sent > 1) return again()
      throw new Error('connection reset')
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: lateS,
      ask: () => ask() as Promise<ProbeAnswer>,
    },
  }
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [capability],
    clock,
    report: () => {},
  })
  await runtime.deploy(CONTRACT)
  const { store } = runtime
  t.after(async () => {
    let isClosed = false
    const closing = runtime.close().finally(() => {
      isClosed = true
    })
    // What hangs is waited for until its deadline.
    while (!isClosed) await clock.advance(10_000)
    await closing
  })
  return {
    runtime,
    clock,
    store,
    sent: () => sent,
    async lose(count) {
      const dfids: string[] = []
      for (let i = 0; i < count; i++) {
        const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
        await flow.propose({ policy_kind: 'REFUND', params: { amount: '20.00' } })
        dfids.push(flow.dfid)
      }
      return dfids
    },
    async status(dfid) {
      const [row] = await store.listExecutions({ dfid, limit: 1 })
      return row?.status ?? 'none'
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 500) await clock.advance(500)
    },
  }
}

const flowsBy = async ({ store }: Stage, trigger: string): Promise<number> => {
  const flows = await store.listFlowSummaries({ limit: 100 })
  return flows.filter((flow) => flow.trigger === trigger).length
}

/** Without time going on: signing is done by another thread, and takes some turns. */
async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await isSo()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.fail(what)
}

/** What probes found of a flow's effect, by the ledger. */
async function findings({ store }: Stage, dfid: string): Promise<readonly string[]> {
  const entries = await store.listFlowEntries(dfid)
  const evidence = entries.filter(({ envelope }) => envelope.kind === 'evidence')
  return evidence.map(({ payload }) => String(JSON.parse(payload ?? '{}').finding))
}

/** What has to go on whatever becomes of an effect: a timer fires, and a checkpoint is signed. */
async function assertWatching(it: Stage, ms: number): Promise<void> {
  const { runtime, store } = it
  const before = await flowsBy(it, 'every second')
  const signed = (await store.readCheckpoint())?.size ?? 0
  await runtime.engine.timers.schedule({
    agent: 'refunds_bot',
    trigger: 'every second',
    every_ms: 1000,
  })
  await it.pass(ms)
  await eventually(async () => (await flowsBy(it, 'every second')) > before, 'no timer fired')
  const size = async (): Promise<number> => (await store.readCheckpoint())?.size ?? 0
  await eventually(async () => (await size()) > signed, 'no checkpoint was signed')
}

const UNREADABLE: readonly (readonly [string, unknown])[] = [
  ['a cost finer than anything is counted', applied({ cost: { usd: '0.0000001' } })],
  ['a cost that is no text', applied({ cost: { usd: { toString: 1 } } })],
  ['a cost below zero', applied({ cost: { usd: '-1' } })],
  ['a cost of a measure without a name', applied({ cost: { '': '1' } })],
  ['observations that are no list', applied({ observations: 'seen' })],
  ['an effect that is no object', applied('done')],
  ['a member that nobody knows', applied({ dleta: [] })],
  ['a finding that nobody knows', { finding: 'probably' }],
  ['a finding that only looks like one', { finding: ['absent'] }],
  ['a detail that is no text', { finding: 'inconclusive', detail: 5 }],
  ['nothing', null],
  ['a text', 'applied'],
  ['what throws when it is read', new Proxy({}, { ownKeys: () => assert.fail('read') })],
]

function applied(effect: unknown): unknown {
  return { finding: 'applied', effect }
}

for (const [what, answer] of UNREADABLE)
  test(`finding 20a: a probe that returns ${what} stops no timer and no checkpoint, and goes to a person`, async (t) => {
    const it = await stage(t, () => answer)
    const [dfid = ''] = await it.lose(1)
    await it.pass(2000)
    await assertWatching(it, LIMITS.checkpointEveryMs + 2000)
    await it.pass(30_000)
    const isAsked = async (): Promise<boolean> => (await it.status(dfid)) === 'MANUAL_REVIEW'
    await eventually(isAsked, 'nobody was asked')
    assert.deepEqual(await findings(it, dfid), Array(LIMITS.probeAttempts).fill('inconclusive'))
  })

test('finding 20a: an effect that cannot be looked into at all goes to a person, and keeps no other from it', async (t) => {
  const it = await stage(t, () => applied({ result: 'done' }))
  const [bad = '', good = ''] = await it.lose(2)
  const { store } = it.runtime.engine.context
  const commit = store.commit.bind(store)
  t.mock.method(store, 'commit', async (unit: Unit) => {
    const isHit = unit.writes.some(
      (write) => write.kind === 'append' && write.entry === 'evidence' && write.dfid === bad,
    )
    if (isHit) throw new TypeError('a bug')
    return commit(unit)
  })
  await it.pass(2000)
  await eventually(
    async () => (await it.status(good)) === 'SUCCESS',
    'the other was not looked into',
  )
  await it.pass(20_000)
  await eventually(async () => (await it.status(bad)) === 'MANUAL_REVIEW', 'nobody was asked')
})

test('finding 20b: five probes that hang keep no timer waiting', async (t) => {
  const it = await stage(t, hangs)
  await it.lose(5)
  await it.pass(1000)
  await it.runtime.engine.timers.schedule({ agent: 'refunds_bot', trigger: 'soon', every_ms: 1000 })
  await it.pass(2500)
  await eventually(async () => (await flowsBy(it, 'soon')) > 0, 'it did not fire')
})

test('finding 20b: probes that hang are asked at the same time, within a bound', async (t) => {
  let asked = 0
  const it = await stage(t, () => {
    asked += 1
    return hangs()
  })
  await it.lose(LIMITS.reconciledOfOneKind + 5)
  await it.pass(1000)
  assert.equal(asked, LIMITS.reconciledOfOneKind, 'as many as there is room for, and no more')
  await it.pass(11_000)
  assert.ok(asked > LIMITS.reconciledOfOneKind, 'whoever waited had its turn')
})

test('finding 20b: a resend that hangs keeps no timer waiting', async (t) => {
  const it = await stage(t, () => ({ finding: 'absent' }), hangs)
  await it.lose(1)
  await it.pass(5000)
  await eventually(async () => it.sent() === 2, 'it was not sent again')
  await it.runtime.engine.timers.schedule({ agent: 'refunds_bot', trigger: 'soon', every_ms: 1000 })
  await it.pass(2500)
  await eventually(async () => (await flowsBy(it, 'soon')) > 0, 'it did not fire')
})

test('finding 21b: an effect that never arrived is not taken to a person while its absence can still be proven', async (t) => {
  const it = await stage(t, () => ({ finding: 'absent' }), hangs, 30)
  const [dfid = ''] = await it.lose(1)
  await it.pass(29_000)
  assert.equal(await it.status(dfid), 'UNKNOWN')
  assert.equal(it.sent(), 1)
  await it.pass(10_000)
  await eventually(async () => it.sent() === 2, 'it was not sent again')
  assert.deepEqual(await findings(it, dfid), Array(LIMITS.probeAttempts).fill('absent'))
})
