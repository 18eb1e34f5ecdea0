/**
 * The runtime that is killed: real keys, real SQLite on disk, many proposals at once. It stands still
 * at the failpoint it was told, so that SIGKILL lands exactly there.
 */
import { appendFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../runtime/src/adapters/system/clock.ts'
import { createObservability } from '../../../runtime/src/adapters/telemetry/observability.ts'
import {
  createRuntime,
  createScriptedProvider,
  type Flow,
  type Runtime,
} from '../../../runtime/src/compose.ts'
import type { Failpoints } from '../../../runtime/src/ports/failpoint.ts'
import type { Notifier } from '../../../runtime/src/ports/notifier.ts'
import type { SemanticAuditor } from '../../../runtime/src/ports/semantic-auditor.ts'
import type { SoftGuard } from '../../../runtime/src/ports/soft-guard.ts'
import { createCanary } from '../canary.ts'
import { Rng } from '../rng.ts'
import { createExceptionalLoad, handleLeadFlows, isExceptional, PEOPLE } from './exceptions.ts'
import { KILL_CAPABILITIES, listenToProvider } from './hands.ts'
import { CONTRACTS, MONITOR, RUNNERS, TOPICS } from './law.ts'
import { openWork } from './open-work.ts'
import type { ChildLine, KillKind, Orders } from './protocol.ts'
import { handleRivalFlows } from './rivals.ts'

/** Fewer where the kill is not about them: then the others come to it. */
const ACTORS = { many: 30, few: 6 } as const
const KINDS: readonly KillKind[] = ['LOOKUP', 'PAY', 'PAY', 'ORDER', 'ORDER', 'WIRE']

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders

/** Until the kernel of the machine has it: a line that is written survives this process. */
function print(line: ChildLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

let hits = 0
const failpoints: Failpoints = {
  reach(point) {
    if (orders.stopAt?.point !== point) return
    hits += 1
    if (hits < orders.stopAt.hit) return
    print({ said: 'reached', point })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
}

/** Told, as far as it knows, two times out of three. */
let rung = 0
const pager: Notifier = {
  name: 'pager',
  async send(notice) {
    rung += 1
    if (orders.load && rung % 3 === 0) throw new Error('nobody answers')
    appendFileSync(join(orders.folder, 'notices.jsonl'), `${JSON.stringify(notice)}\n`)
  },
}

const story: SoftGuard = {
  name: 'story',
  async check({ proposal }) {
    return { mismatch: proposal.policy_kind === 'WIRE', why: createCanary('story') }
  },
}

const reader: SemanticAuditor = {
  name: 'reader',
  review: async (steps) =>
    steps.map(({ dfid, step_id }) => ({ dfid, step_id, verdict: 'aligned', why: '' })),
}

const PRICE = { input: '1', output: '2' }

async function start(): Promise<Runtime> {
  const log = join(orders.folder, 'log.jsonl')
  const observability = await createObservability({
    clock: systemClock,
    log: (line) => appendFileSync(log, `${line}\n`),
    traces: `file:${join(orders.folder, 'spans.jsonl')}`,
  })
  const runtime = await createRuntime({
    store: `sqlite:${join(orders.folder, 'store', 'rubicon.db')}`,
    stateDirectory: join(orders.folder, 'state'),
    capabilities: KILL_CAPABILITIES,
    topics: TOPICS,
    people: PEOPLE,
    failpoints,
    executors: orders.life % 2 === 0 ? 'separate' : 'inline',
    telemetry: observability.telemetry,
    report: (line) => appendFileSync(log, `${line}\n`),
    notifiers: { operator: pager },
    softGuards: [story],
    auditors: [reader],
    models: { scripted: createScriptedProvider({ script: () => 'yes', price: PRICE }) },
  })
  handleLeadFlows(runtime)
  handleRivalFlows(runtime, propose, new Rng(orders.life))
  for (const contract of CONTRACTS) await runtime.deploy(contract)
  await runtime.monitor(MONITOR)
  await runtime.engine.handshake({ agent: 'spare' })
  return runtime
}

async function act(runtime: Runtime, rng: Rng): Promise<void> {
  const steps = rng.drawChance(0.1) ? 'many' : 'one'
  const flow = await runtime.open({ agent: rng.pick(RUNNERS), trigger: 'load', steps })
  const count = steps === 'one' ? 1 : 3
  for (let step = 1; step <= count; step++) {
    const amount = String(rng.drawBetween(1, 40))
    const proposal = {
      policy_kind: rng.pick(KINDS),
      params: { amount, to: 'x' },
      step_id: `s${step}`,
    }
    await propose(flow, proposal)
    if (rng.drawChance(0.2)) await propose(flow, proposal)
  }
}

async function propose(flow: Flow, proposal: Parameters<Flow['propose']>[0]): Promise<void> {
  const {
    outcome,
    trace_id,
    execution,
    reason_code = null,
  } = await flow.propose(proposal, {
    waitMs: 600,
  })
  const status = execution?.status ?? null
  print({ said: 'told', dfid: flow.dfid, outcome, trace_id, status, reason_code })
}

async function load(runtime: Runtime): Promise<never> {
  const rng = new Rng(orders.life)
  const runActor = async (own: Rng): Promise<void> => {
    for (;;) await act(runtime, own)
  }
  const actors = isExceptional(orders.stopAt?.point) ? ACTORS.few : ACTORS.many
  for (let i = 0; i < actors; i++) runActor(rng.fork()).catch(fail)
  for (const work of createExceptionalLoad({ runtime, propose, print, fork: () => rng.fork() }))
    work().catch(fail)
  for (;;) {
    await sleep(60)
    await runtime.engine.checkpoint()
    for (const to of ['SUSPENDED', 'ACTIVE'] as const)
      await runtime.engine.moveAgent({
        agent_id: 'spare',
        to,
        actor: 'operator',
        justification: 'load',
      })
  }
}

async function settle(runtime: Runtime): Promise<void> {
  let open = 1
  for (let i = 0; i < 600 && open > 0; i++) {
    await sleep(100)
    open = await openWork(runtime.store)
  }
  await runtime.close()
  print({ said: 'settled', open })
  process.exit(0)
}

function fail(error: unknown): never {
  print({
    said: 'failed',
    why: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
  })
  process.exit(1)
}

listenToProvider()
try {
  const runtime = await start()
  print({ said: 'ready' })
  await (orders.load ? load(runtime) : settle(runtime))
} catch (error) {
  fail(error)
}
