/**
 * The runtime that is killed: real keys, real SQLite on disk, many proposals at once. It stands still
 * at the failpoint it was told, so that SIGKILL lands exactly there.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRuntime, type Flow, type Runtime } from '../../../runtime/src/compose.ts'
import type { Failpoints } from '../../../runtime/src/ports/failpoint.ts'
import { Rng } from '../rng.ts'
import { KILL_CAPABILITIES, listenToProvider } from './hands.ts'
import type { ChildLine, KillKind, Orders } from './protocol.ts'

const ACTORS = 40
const KINDS: readonly KillKind[] = ['LOOKUP', 'PAY', 'PAY', 'ORDER', 'ORDER', 'WIRE']
const CONTRACT = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2020-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_FULL',
  mission: 'survive',
  permissions: { policy_kinds: ['LOOKUP', 'PAY', 'ORDER', 'WIRE'] },
  safety_rules: { budget_per_flow: { usd: '100' } },
}

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

async function start(): Promise<Runtime> {
  const runtime = await createRuntime({
    store: `sqlite:${join(orders.folder, 'store', 'rubicon.db')}`,
    stateDirectory: join(orders.folder, 'state'),
    capabilities: KILL_CAPABILITIES,
    failpoints,
    executors: orders.life % 2 === 0 ? 'separate' : 'inline',
  })
  await runtime.deploy({ ...CONTRACT, agent_id: 'runner' })
  await runtime.deploy({ ...CONTRACT, agent_id: 'spare' })
  await runtime.engine.handshake({ agent: 'spare' })
  return runtime
}

async function act(runtime: Runtime, rng: Rng): Promise<void> {
  const steps = rng.chance(0.3) ? 'many' : 'one'
  const flow = await runtime.open({ agent: 'runner', trigger: 'load', steps })
  const count = steps === 'one' ? 1 : 3
  for (let step = 1; step <= count; step++) {
    const amount = String(rng.between(1, 40))
    const proposal = {
      policy_kind: rng.pick(KINDS),
      params: { amount, to: 'x' },
      step_id: `s${step}`,
    }
    await propose(flow, proposal)
    if (rng.chance(0.2)) await propose(flow, proposal)
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
  const actor = async (own: Rng): Promise<void> => {
    for (;;) await act(runtime, own)
  }
  for (let i = 0; i < ACTORS; i++) actor(rng.fork()).catch(fail)
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
    const status = ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'] as const
    open = (await runtime.store.executions({ status, limit: 1000 })).length
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
