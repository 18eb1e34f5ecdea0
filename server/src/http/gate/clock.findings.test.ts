/** One clock that is wrong ends nothing for anybody. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createRuntime, type Runtime } from '../../../../runtime/src/compose.ts'
import { refund } from '../../../../runtime/src/engine/flow/flow-stage.test-support.ts'
import { handClock } from '../../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import {
  CONTRACT,
  exampleCapability,
} from '../../../../runtime/src/evidence/example.test-support.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import type { Clock } from '../../../../runtime/src/ports/clock.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { Readiness } from './readiness.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

type Stage = {
  /** Ends what runs, and starts another on the same store. */
  start(): Promise<Runtime>
  /** Sets the clock of the machine; no time passes. */
  set(ms: number): void
  pass(ms: number): Promise<void>
  /** What the last start reported. */
  said(): readonly string[]
}

/** A machine whose clock can be set, on a file. */
async function stage(t: TestContext): Promise<Stage> {
  const folder = temporaryFolder()
  const hand = handClock()
  let offset = 0
  const clock: Clock = { ...hand, now: () => hand.now() + offset }
  let runtime: Runtime | null = null
  let lines: string[] = []
  t.after(() => runtime?.close())
  return {
    async start() {
      await runtime?.close()
      lines = []
      runtime = await createRuntime({
        store: `sqlite:${join(folder, 'store.db')}`,
        stateDirectory: join(folder, 'state'),
        capabilities: [exampleCapability(() => {})],
        clock,
        background: false,
        report: (line) => void lines.push(line),
      })
      await runtime.start()
      return runtime
    },
    set(ms) {
      offset += ms
    },
    pass: (ms) => hand.advance(ms),
    said: () => lines,
  }
}

async function assertVerifies({ engine, store }: Runtime): Promise<void> {
  const lines: string[] = []
  await engine.checkpoint()
  await exportLedger(store, (line) => void lines.push(line))
  assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [])
}

test('finding 21a: a clock that is set 400 days ahead ends no flow, and nothing is decided by it', async (t) => {
  const it = await stage(t)
  const runtime = await it.start()
  await runtime.deploy(CONTRACT)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  it.set(400 * DAY)
  const answer = await flow.propose(refund())
  assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'CLOCK_SKEW'])
  assert.equal(answer.feedback?.transient, true)
  assert.equal((await runtime.engine.runDue()).expired, 0)
  const opened = await runtime.engine.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal(opened.ok ? '' : opened.error.code, 'CLOCK_SKEW')
  // What stops an agent is not what a wrong clock may stop.
  assert.ok((await runtime.engine.kill('refunds_bot', 'to be sure')).ok)
  it.set(-400 * DAY)
  assert.equal((await runtime.store.readFlow(flow.dfid))?.state, 'ACTIVE')
  await assertVerifies(runtime)
})

test('finding 21a: once the clock is right again, what was refused passes', async (t) => {
  const it = await stage(t)
  const runtime = await it.start()
  await runtime.deploy(CONTRACT)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  it.set(400 * DAY)
  assert.equal((await flow.propose(refund())).reason_code, 'CLOCK_SKEW')
  it.set(-400 * DAY)
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  await assertVerifies(runtime)
})

test('finding 21a: a runtime that starts 400 days ahead of its ledger decides nothing until an operator confirms', async (t) => {
  const it = await stage(t)
  const first = await it.start()
  await first.deploy(CONTRACT)
  const { dfid } = await first.open({ agent: 'refunds_bot', trigger: 'ticket' })
  it.set(400 * DAY)
  const second = await it.start()
  assert.equal((await second.engine.propose(dfid, refund())).reason_code, 'CLOCK_SKEW')
  await second.engine.runDue()
  assert.equal((await second.store.readFlow(dfid))?.state, 'ACTIVE')

  const confirmed = await second.engine.oversight.confirmClock('the machine stood still for a year')
  assert.ok(confirmed.ok)
  await second.engine.runDue()
  assert.equal((await second.store.readFlow(dfid))?.state, 'ABORTED', 'by then it has expired')
  const flow = await second.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  const [last] = (await second.store.listEntries('authority', 0, 1000)).slice(-1)
  assert.equal(last?.envelope.kind, 'anchor')
  await assertVerifies(second)
})

test('a clock that was set back is not followed until it is confirmed, also by the next process', async (t) => {
  const it = await stage(t)
  const first = await it.start()
  await first.deploy(CONTRACT)
  it.set(-HOUR)
  const refused = await first.engine.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal(refused.ok ? '' : refused.error.code, 'CLOCK_SKEW')
  const second = await it.start()
  assert.equal(second.store.time.findSkew()?.kind, 'behind')
  assert.ok((await second.engine.oversight.confirmClock('it was an hour ahead')).ok)
  const again = await second.engine.oversight.confirmClock('twice')
  assert.equal(again.ok ? '' : again.error.code, 'NOTHING_TO_ACCEPT')
  const third = await it.start()
  assert.equal(third.store.time.findSkew(), null)
  const flow = await third.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  it.set(-HOUR)
  assert.equal(
    (await it.start()).store.time.findSkew()?.kind,
    'behind',
    'it was not confirmed there',
  )
  it.set(HOUR)
  await assertVerifies(await it.start())
})

test('a machine that slept for up to seven days goes on by itself', async (t) => {
  const it = await stage(t)
  const runtime = await it.start()
  await runtime.deploy(CONTRACT)
  it.set(LIMITS.clockStepMs)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  await it.pass(30 * DAY)
  const later = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal((await later.propose(refund())).outcome, 'ACCEPTED', 'time that passes is no step')
  await assertVerifies(runtime)
})

test('behind a clock that was confirmed further back, what ends by time still ends', async (t) => {
  const it = await stage(t)
  const runtime = await it.start()
  await runtime.deploy(CONTRACT)
  it.set(6 * DAY)
  await runtime.deploy({ ...CONTRACT, version: '1.1.0' })
  it.set(-6 * DAY)
  assert.ok((await runtime.engine.oversight.confirmClock('it was six days ahead')).ok)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  await it.pass(2 * DAY)
  assert.equal((await flow.propose(refund())).reason_code, 'WRIT_EXPIRED')
  const again = await it.start()
  assert.equal(again.store.time.findSkew(), null)
  assert.equal((await again.engine.runDue()).expired, 1)
  await assertVerifies(again)
})

test('a runtime whose clock is not believed is not ready, and says so when it starts', async (t) => {
  const it = await stage(t)
  const before = await it.start()
  const codes = async ({ engine }: Runtime): Promise<readonly string[]> =>
    (await new Readiness(engine).findProblems()).map(({ code }) => code)
  await before.deploy(CONTRACT)
  assert.equal((await codes(before)).includes('CLOCK_SKEW'), false)
  assert.deepEqual(it.said(), [])
  for (const days of [30, -60]) {
    it.set(days * DAY)
    const runtime = await it.start()
    assert.equal((await codes(runtime)).includes('CLOCK_SKEW'), true)
    assert.match(it.said().join('\n'), /nothing is begun.*CLOCK_SKEW.*\n.*rubicon clock confirm/)
  }
})
