import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Answer, LIMITS } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import {
  type Capability,
  type Effect,
  NotApplied,
  type ProbeAnswer,
} from '../../ports/capability.ts'
import { type HandClock, handClock } from '../flow/hand-clock.test-support.ts'

type Script = {
  /** What each send does, in order; the last one repeats. */
  readonly sends: readonly (() => Effect | Promise<Effect>)[]
  readonly effect?: Capability['effect']
  readonly window_s?: number
  readonly probe?: () => ProbeAnswer
  readonly more?: Partial<Capability>
}

type Stage = {
  readonly runtime: Runtime
  readonly clock: HandClock
  sent(): number
  /** The fence of each send. */
  fences(): readonly number[]
  propose(steps?: 'one' | 'many'): Promise<Answer>
  /** Lets time pass and waits for what it sets in motion. */
  later(ms: number): Promise<void>
  status(): Promise<string>
  kinds(): Promise<readonly string[]>
  close(): Promise<void>
}

async function stage(script: Script): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-outcome-'))
  const clock = handClock()
  let sent = 0
  const fences: number[] = []
  const capability: Capability = {
    kind: 'REFUND',
    effect: script.effect ?? 'keyed',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    ...(script.window_s === undefined
      ? {}
      : { idempotency: { carrier: 'header', window_s: script.window_s } }),
    execute: (_, { fence }) => {
      fences.push(fence)
      const send = script.sends[Math.min(sent, script.sends.length - 1)]
      sent += 1
      assert.ok(send !== undefined)
      return send()
    },
    ...(script.probe === undefined
      ? {}
      : { probe: { absence_authoritative: true, max_late_arrival_s: 60, ask: script.probe } }),
    ...script.more,
  }
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: join(folder, 'state'),
    capabilities: [capability],
    clock,
    report: () => {},
  })
  await runtime.deploy(CONTRACT)
  let last = ''
  return {
    runtime,
    clock,
    sent: () => sent,
    fences: () => fences,
    async propose(steps = 'one') {
      const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket', steps })
      last = flow.dfid
      return flow.propose({ policy_kind: 'REFUND', params: { amount: '20.00' } })
    },
    async later(ms) {
      await clock.advance(ms)
      await runtime.engine.reconcile()
      await runtime.engine.context.inFlight.awaitDrained()
    },
    async status() {
      const [row] = await runtime.store.listExecutions({ dfid: last, limit: 10 })
      return row?.status ?? 'none'
    },
    async kinds() {
      return (await runtime.store.listFlowEntries(last)).map(({ envelope }) => envelope.kind)
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

const lost = (): never => {
  throw new Error('connection reset')
}
const done = (): Effect => ({ result: 'done', receipt: 'r-1' })

test('a lost answer is UNKNOWN, not failed, and is not sent again by the proposal', async () => {
  const it = await stage({ sends: [lost], effect: 'unsafe' })
  const answer = await it.propose()
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.equal(answer.execution?.status, 'UNKNOWN')
  assert.equal(it.sent(), 1)
  assert.deepEqual(await it.kinds(), ['writ', 'dispatch', 'settle'])
  await it.close()
})

test('an unsafe effect whose answer was lost goes to a person, never to the provider again', async () => {
  const it = await stage({ sends: [lost], effect: 'unsafe' })
  await it.propose()
  for (let i = 0; i < 10; i++) await it.later(60_000)
  assert.equal(await it.status(), 'MANUAL_REVIEW')
  assert.equal(it.sent(), 1)
  await it.close()
})

test('a keyed effect is resent with the same key inside the window, with an entry of its own', async () => {
  const it = await stage({ sends: [lost, done], window_s: 3600 })
  await it.propose()
  await it.later(5_000)
  assert.equal(await it.status(), 'SUCCESS')
  assert.equal(it.sent(), 2)
  assert.deepEqual(await it.kinds(), ['writ', 'dispatch', 'settle', 'resend', 'commit'])
  const { epoch } = it.runtime.store
  assert.deepEqual(it.fences(), [epoch, epoch])
  await it.close()
})

test('a keyed effect outside the window is not resent', async () => {
  const it = await stage({ sends: [lost, done], window_s: 30 })
  await it.propose()
  await it.later(600_000)
  assert.equal(await it.status(), 'MANUAL_REVIEW')
  assert.equal(it.sent(), 1)
  await it.close()
})

test('a probe that finds the effect applied settles it without a second send', async () => {
  const probe = (): ProbeAnswer => ({ finding: 'applied', effect: { result: 'found' } })
  const it = await stage({ sends: [lost], effect: 'queryable', probe })
  await it.propose()
  await it.later(5_000)
  assert.equal(await it.status(), 'SUCCESS')
  assert.equal(it.sent(), 1)
  assert.deepEqual(await it.kinds(), ['writ', 'dispatch', 'settle', 'evidence', 'commit'])
  await it.close()
})

test('an absence that a late arrival could undo is no absence yet; a later one allows a new send', async () => {
  const it = await stage({
    sends: [lost, done],
    effect: 'queryable',
    probe: () => ({ finding: 'absent' }),
  })
  await it.propose()
  await it.later(2_000)
  assert.equal(await it.status(), 'UNKNOWN')
  assert.equal(it.sent(), 1)
  await it.later(61_000)
  for (let i = 0; i < 5; i++) await it.later(5_000)
  assert.equal(await it.status(), 'SUCCESS')
  assert.equal(it.sent(), 2)
  await it.close()
})

test('a definitive refusal is FAILED and gives the budget back', async () => {
  const it = await stage({
    sends: [
      () => {
        throw new NotApplied('card declined')
      },
    ],
  })
  const answer = await it.propose()
  assert.equal(answer.execution?.status, 'FAILED')
  assert.equal(answer.execution?.reason_code, 'EFFECT_FAILED')
  const [row] = await it.runtime.store.listExecutions({ limit: 1 })
  assert.equal(await it.runtime.store.readCounter(`${row?.dfid}:calls`), 0)
  await it.close()
})

test('a transient refusal is sent again after a pause, and in the end fails', async () => {
  const refuse = (): never => {
    throw new NotApplied('busy', { transient: true })
  }
  const it = await stage({ sends: [refuse, refuse, done] })
  await it.propose()
  for (let i = 0; i < 5; i++) await it.later(5_000)
  assert.equal(await it.status(), 'SUCCESS')
  assert.equal(it.sent(), 3)
  await it.close()

  const never = await stage({ sends: [refuse] })
  await never.propose()
  for (let i = 0; i < 20; i++) await never.later(60_000)
  assert.equal(await never.status(), 'FAILED')
  assert.equal(never.sent(), 5)
  await never.close()
})

test('a failed postcondition commits no delta, and the flow is dirty and with a person', async () => {
  const it = await stage({
    sends: [() => ({ result: 1, delta: [{ op: 'create', kind: 'refund', id: 'x', value: 1 }] })],
    more: { postcondition: () => 'the balance did not move' },
  })
  const answer = await it.propose()
  assert.equal(answer.execution?.status, 'MANUAL_REVIEW')
  assert.equal(answer.execution?.reason_code, 'POSTCONDITION_FAILED')
  const flow = await it.runtime.store.readFlow(answer.dfid)
  assert.equal(flow?.state, 'ESCALATED')
  assert.deepEqual(flow?.tags, ['DIRTY', 'NEEDS_REVIEW'])
  assert.deepEqual(await it.runtime.store.listWorld('main', null, 10), [])
  await it.close()
})

test('an answer that is not of the declared form is not a success', async () => {
  const it = await stage({
    sends: [() => ({ result: 5 })],
    more: { result: { type: 'string' } },
  })
  const answer = await it.propose()
  assert.equal(answer.execution?.status, 'UNKNOWN')
  assert.equal(answer.execution?.reason_code, 'OBSERVATION_INVALID')
  await it.close()
})

test('a delta that does not fit the World any more leaves the flow dirty, not half committed', async () => {
  const it = await stage({
    sends: [
      () => ({
        delta: [{ op: 'replace', kind: 'refund', id: 'x', expected_version: 7, value: 1 }],
      }),
    ],
  })
  const answer = await it.propose()
  assert.equal(answer.execution?.reason_code, 'DELTA_CONFLICT')
  assert.ok((await it.runtime.store.readFlow(answer.dfid))?.tags.includes('DIRTY'))
  await it.close()
})

test('a slow effect answers PENDING, and its outcome is recorded all the same', async () => {
  let finish: (effect: Effect) => void = () => {}
  const it = await stage({
    sends: [
      () =>
        new Promise<Effect>((resolve) => {
          finish = resolve
        }),
    ],
  })
  const flow = await it.runtime.open({ agent: 'refunds_bot', trigger: 'slow' })
  const proposal = { policy_kind: 'REFUND', params: { amount: '20.00' } }
  const first = flow.propose(proposal, { waitMs: 100 })
  while (it.sent() === 0) await new Promise((resolve) => setImmediate(resolve))
  await it.clock.advance(100)
  assert.equal((await first).execution?.status, 'PENDING')
  const second = flow.propose(proposal, { waitMs: 60_000 })
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
  finish({ result: 'late' })
  const repeated = await second
  assert.equal(repeated.outcome, 'REPEATED')
  assert.equal(repeated.execution?.result, 'late')
  assert.equal(it.sent(), 1)
  await it.close()
})

test('nothing is sent again once the agent is suspended', async () => {
  const it = await stage({ sends: [lost, done], window_s: 3600 })
  await it.propose()
  await it.runtime.engine.moveAgent({
    agent_id: 'refunds_bot',
    to: 'SUSPENDED',
    actor: 'operator',
    justification: 'incident 7',
  })
  for (let i = 0; i < 5; i++) await it.later(5_000)
  assert.equal(await it.status(), 'MANUAL_REVIEW')
  assert.equal(it.sent(), 1)
  await it.close()
})

test('a step that failed after one that succeeded leaves the flow dirty', async () => {
  const it = await stage({
    sends: [
      done,
      () => {
        throw new NotApplied('no')
      },
    ],
  })
  const flow = await it.runtime.open({ agent: 'refunds_bot', trigger: 'two steps', steps: 'many' })
  const params = { amount: '20.00' }
  await flow.propose({ policy_kind: 'REFUND', params, step_id: 'sell' })
  await flow.propose({ policy_kind: 'REFUND', params, step_id: 'buy' })
  const row = await it.runtime.store.readFlow(flow.dfid)
  assert.equal(row?.state, 'ABORTED')
  assert.deepEqual(row?.tags, ['DIRTY'])
  await it.close()
})

/** Cut to what is kept of it, it ends in half a surrogate pair. */
const CUT_IN_PAIR = `${'x'.repeat(LIMITS.wordsLength - 1)}\u{1f600}`

const FOREIGN: readonly (Script & { readonly name: string; readonly becomes: string })[] = [
  {
    name: 'an error',
    sends: [
      () => {
        throw new Error(CUT_IN_PAIR)
      },
    ],
    effect: 'unsafe',
    becomes: 'UNKNOWN',
  },
  {
    name: 'a refusal',
    sends: [
      () => {
        throw new NotApplied(CUT_IN_PAIR)
      },
    ],
    becomes: 'FAILED',
  },
  {
    name: 'the details of a refusal',
    sends: [
      () => {
        throw new NotApplied('busy', { details: { said: '\ud83d' } })
      },
    ],
    becomes: 'FAILED',
  },
  {
    name: 'a postcondition',
    sends: [done],
    more: { postcondition: () => CUT_IN_PAIR },
    becomes: 'MANUAL_REVIEW',
  },
  {
    name: 'a probe',
    sends: [lost],
    probe: () => ({ finding: 'inconclusive', detail: CUT_IN_PAIR }),
    becomes: 'UNKNOWN',
  },
]

for (const { name, becomes, ...script } of FOREIGN)
  test(`what ${name} says does not keep an outcome from being recorded`, async () => {
    const it = await stage(script)
    await it.propose()
    if (script.probe !== undefined) await it.later(5_000)
    assert.equal(await it.status(), becomes)
    assert.equal(it.sent(), 1)
    await it.close()
  })
