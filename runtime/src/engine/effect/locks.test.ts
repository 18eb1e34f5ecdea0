import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createRuntime, type Flow, type Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { Capability, Effect } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { Executors } from '../engine-context.ts'
import { type HandClock, handClock } from '../flow/hand-clock.test-support.ts'

type Stage = {
  readonly runtime: Runtime
  readonly clock: HandClock
  readonly sent: string[]
  open(): Promise<Flow>
  ask(amount: string, flow?: Flow): Promise<Answer>
  /** What holds the account now, oldest first. */
  holds(): Promise<readonly string[]>
  /** The next time that the engine reaches this point it stops there; the answer lets it go on. */
  stopAt(point: Failpoint): { readonly reached: Promise<void>; resume(): void }
  close(): Promise<void>
}

const done = (): Effect => ({ result: 'done', receipt: 'r-1' })

async function stage(
  options: {
    readonly executors?: Executors
    readonly execute?: () => Effect | Promise<Effect>
    readonly more?: Partial<Capability>
  } = {},
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-locks-'))
  const clock = handClock()
  const sent: string[] = []
  const stops = new Map<Failpoint, () => Promise<void>>()
  const capability: Capability = {
    kind: 'REFUND',
    effect: 'unsafe',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    resources: ({ amount }) => [{ id: 'account', amount: String(amount), capacity: '100' }],
    execute: ({ params }) => {
      sent.push(String(params.amount))
      return (options.execute ?? done)()
    },
    ...options.more,
  }
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    capabilities: [capability],
    clock,
    executors: options.executors ?? 'inline',
    failpoints: {
      reach: async (point) => {
        const stop = stops.get(point)
        stops.delete(point)
        await stop?.()
      },
    },
  })
  await runtime.deploy(CONTRACT)
  const open = (): Promise<Flow> => runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  return {
    runtime,
    clock,
    sent,
    open,
    async ask(amount, flow) {
      const asked = flow ?? (await open())
      return asked.propose({ policy_kind: 'REFUND', params: { amount } })
    },
    async holds() {
      const records = await runtime.store.listRecords('lock', 'account', { limit: 100 })
      return records.map(({ body }) => `${body.amount}${body.quarantined ? ' unknown' : ''}`)
    },
    stopAt(point) {
      const reached = Promise.withResolvers<void>()
      const resumed = Promise.withResolvers<void>()
      stops.set(point, () => {
        reached.resolve()
        return resumed.promise
      })
      return { reached: reached.promise, resume: resumed.resolve }
    },
    async close() {
      const lines: string[] = []
      await runtime.engine.checkpoint()
      await exportLedger(runtime.store, (line) => void lines.push(line))
      assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [], 'the ledger verifies')
      await runtime.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lets time pass until there is an answer. */
async function passing(clock: HandClock, answer: Promise<Answer>): Promise<Answer> {
  let isAnswered = false
  void answer.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) await clock.advance(25)
  return answer
}

for (const executors of ['inline', 'separate'] as const) {
  test(`${executors}: amounts are held together until their effects are over`, async () => {
    const answered = Promise.withResolvers<void>()
    const it = await stage({ executors, execute: () => answered.promise.then(done) })
    const first = [it.ask('40'), it.ask('40')]
    while (it.sent.length < 2) await new Promise((resolve) => setImmediate(resolve))
    const third = await it.ask('60')
    assert.equal(third.reason_code, 'INSUFFICIENT_LIQUIDITY')
    assert.equal(third.gate, 4)
    assert.deepEqual(third.feedback?.details, {
      resource: 'account',
      wanted: '60',
      capacity: '100',
      held: '80',
    })
    assert.deepEqual(await it.holds(), ['40', '40'])
    const last = it.ask('20')
    while (it.sent.length < 3) await new Promise((resolve) => setImmediate(resolve))
    answered.resolve()
    for (const answer of await Promise.all([...first, last]))
      assert.equal(answer.execution?.status, 'SUCCESS')
    await it.runtime.engine.context.inFlight.awaitDrained()
    assert.deepEqual(await it.holds(), [])
    assert.equal((await it.ask('100')).execution?.status, 'SUCCESS')
    await it.close()
  })
}

test('without a capacity whoever holds it holds all of it', async () => {
  const answered = Promise.withResolvers<void>()
  const more = { resources: () => [{ id: 'account', amount: '1' }] }
  const it = await stage({ more, execute: () => answered.promise.then(done) })
  const first = it.ask('1')
  while (it.sent.length < 1) await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await it.ask('2')).reason_code, 'RESOURCE_CONTENTION')
  answered.resolve()
  assert.equal((await first).execution?.status, 'SUCCESS')
  assert.equal((await it.ask('3')).execution?.status, 'SUCCESS')
  await it.close()
})

test('a capability may wait for a resource, but not for ever', async () => {
  const answered = Promise.withResolvers<void>()
  const more = { resources: () => [{ id: 'account', amount: '1' }], lockWaitMs: 100 }
  const it = await stage({ more, execute: () => answered.promise.then(done) })
  const first = it.ask('1')
  while (it.sent.length < 1) await new Promise((resolve) => setImmediate(resolve))
  const late = await passing(it.clock, it.ask('2'))
  assert.equal(late.reason_code, 'RESOURCE_CONTENTION_TIMEOUT')
  const patient = it.ask('3')
  await it.clock.advance(25)
  answered.resolve()
  await first
  assert.equal((await passing(it.clock, patient)).execution?.status, 'SUCCESS')
  await it.close()
})

test('a resource whose effect is unknown is quarantined until somebody knows', async () => {
  const it = await stage({
    execute: () => {
      throw new Error('connection reset')
    },
  })
  assert.equal((await it.ask('60')).execution?.status, 'UNKNOWN')
  assert.deepEqual(await it.holds(), ['60 unknown'])
  assert.equal((await it.ask('60')).reason_code, 'RESOURCE_QUARANTINED')
  assert.equal(it.sent.length, 1)
  await it.close()
})

test('an effect that was definitively not applied frees what it held', async () => {
  const { NotApplied } = await import('../../ports/capability.ts')
  const it = await stage({
    execute: () => {
      throw new NotApplied('no such account')
    },
  })
  assert.equal((await it.ask('60')).execution?.status, 'FAILED')
  assert.deepEqual(await it.holds(), [])
  await it.close()
})

test('an accepted intent is dispatched by an executor, under an entry of its own', async () => {
  const it = await stage({ executors: 'separate' })
  const flow = await it.open()
  assert.equal((await it.ask('40', flow)).execution?.status, 'SUCCESS')
  const kinds = (await it.runtime.store.listFlowEntries(flow.dfid)).map(
    (entry) => entry.envelope.kind,
  )
  assert.deepEqual(kinds, ['writ', 'accepted', 'dispatch', 'commit'])
  await it.close()
})

test('an executor that sleeps past the end of its hold is fenced off', async () => {
  const it = await stage({ executors: 'separate' })
  const sleeper = it.stopAt('dispatch.before_commit')
  const flow = await it.open()
  const first = it.ask('60', flow)
  await sleeper.reached
  assert.equal((await it.ask('60')).reason_code, 'INSUFFICIENT_LIQUIDITY')
  await it.clock.advance(20_000)
  assert.equal((await it.ask('60')).execution?.status, 'SUCCESS', 'the hold has run out')
  sleeper.resume()
  await it.runtime.engine.context.inFlight.awaitDrained()
  // The first answer may be PENDING, since nobody waits for ever.
  assert.notEqual((await first).execution?.status, 'SUCCESS')
  assert.deepEqual(it.sent, ['60'], 'the sleeper sent nothing')
  const row = await it.runtime.store.readFlow(flow.dfid)
  assert.equal(row?.state, 'ACTIVE')
  assert.deepEqual(await it.runtime.store.listExecutions({ dfid: flow.dfid, limit: 1 }), [])
  assert.equal((await it.ask('60', flow)).execution?.status, 'SUCCESS', 'the claim was given back')
  await it.close()
})

test('a contract that is revoked between acceptance and dispatch ends the flow, unsent', async () => {
  const it = await stage({ executors: 'elsewhere' })
  const flow = await it.open()
  const first = it.ask('60', flow)
  assert.equal((await passing(it.clock, first)).execution?.status, 'PENDING')
  const revoked = await it.runtime.engine.revoke({
    target: 'contract',
    id: 'refunds_bot',
    reason: 'kill switch',
  })
  assert.ok(revoked.ok)
  const { carryOutAccepted } = await import('./carry-out.ts')
  assert.equal(await carryOutAccepted(it.runtime.engine.context), 1)
  await it.runtime.engine.context.inFlight.awaitDrained()
  assert.deepEqual(it.sent, [])
  assert.deepEqual(await it.holds(), [])
  assert.equal((await it.runtime.store.readFlow(flow.dfid))?.state, 'ABORTED')
  const last = (await it.runtime.store.listFlowEntries(flow.dfid)).at(-1)
  assert.match(last?.payload ?? '', /"reason_code":"CONTRACT_REVOKED".*"status":"ABANDONED"/)
  await it.close()
})

test('a flow can be cancelled until its dispatch, and gives everything back', async () => {
  const it = await stage({ executors: 'elsewhere' })
  const flow = await it.open()
  const asked = it.ask('60', flow)
  while ((await it.holds()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  await flow.cancel('changed my mind')
  assert.deepEqual(await it.holds(), [])
  assert.equal((await passing(it.clock, asked)).outcome, 'REJECTED')
  assert.equal((await it.runtime.store.readFlow(flow.dfid))?.state, 'ABORTED')
  await it.close()
})
