/** A runtime on an SQLite store that outlives it, with a clock that a test moves by hand. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type FlowState, type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import {
  createRuntime,
  type FlowProposal,
  type Runtime,
  type RuntimeOptions,
} from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { FlowRow } from '../../ports/store.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import type { Engine } from '../engine.ts'
import { type HandClock, handClock } from './hand-clock.test-support.ts'

export type FlowStage = {
  readonly clock: HandClock
  /** What would stand on stderr. */
  readonly told: readonly string[]
  /** Those that run now: after a restart they are others. */
  runtime(): Runtime
  engine(): Engine
  /** The contract of `refunds_bot`, changed. */
  deploy(change?: JsonObject): Promise<void>
  /** Ends the runtime and starts another on the same store. */
  restart(): Promise<void>
  flow(dfid: string): Promise<FlowRow>
  flows(): Promise<readonly FlowRow[]>
  /** Kind and payload of what the ledger holds of a flow. */
  entries(dfid: string): Promise<readonly (readonly [string, JsonObject])[]>
  /** The ledger must verify, and every flow have led a legal life. */
  close(): Promise<void>
}

export const AGENT = 'refunds_bot'

export const refund = (amount = '20.00', step_id = 'step-1'): FlowProposal => ({
  policy_kind: 'REFUND',
  step_id,
  params: { order: `o-${step_id}`, amount },
})

export async function flowStage(options: RuntimeOptions = {}): Promise<FlowStage> {
  const folder = temporaryFolder()
  const clock = handClock()
  const told: string[] = []
  const start = async (): Promise<Runtime> => {
    const made = await createRuntime({
      store: `sqlite:${join(folder, 'store.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [exampleCapability(() => {})],
      clock,
      background: false,
      report: (line) => void told.push(line),
      ...options,
    })
    await made.start()
    return made
  }
  let runtime = await start()
  return {
    clock,
    told,
    runtime: () => runtime,
    engine: () => runtime.engine,
    async deploy(change = {}) {
      await runtime.deploy({ ...CONTRACT, ...change })
    },
    async restart() {
      await runtime.close()
      runtime = await start()
    },
    async flow(dfid) {
      return (await runtime.store.readFlow(dfid)) ?? assert.fail(`no flow ${dfid}`)
    },
    flows: () => runtime.store.listFlows({ limit: LIMITS.entriesPerPage }),
    async entries(dfid) {
      const entries = await runtime.store.listFlowEntries(dfid)
      return entries.map(({ envelope, payload }) => {
        return [envelope.kind, JSON.parse(payload ?? '{}') as JsonObject] as const
      })
    },
    async close() {
      const lines: string[] = []
      await runtime.engine.checkpoint()
      await exportLedger(runtime.store, (line) => void lines.push(line))
      for (const flow of await runtime.store.listFlows({ limit: LIMITS.entriesPerPage }))
        assertLegal(flow)
      assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [], 'the ledger verifies')
      await runtime.close()
    },
  }
}

/** The arrows of the protocol, written out. */
export const NEXT: Readonly<Record<FlowState, readonly FlowState[]>> = {
  CREATED: ['ACTIVE', 'ABORTED'],
  ACTIVE: ['VALIDATING', 'CLOSED', 'ESCALATED', 'ABORTED'],
  VALIDATING: ['ACCEPTED', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  ESCALATED: ['ACCEPTED', 'VALIDATING', 'ACTIVE', 'EXECUTING', 'CLOSED', 'ABORTED'],
  ACCEPTED: ['EXECUTING', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  EXECUTING: ['CLOSED', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  CLOSED: [],
  ABORTED: [],
}

/** What is stored of a flow's life is a path along the arrows, and ends where the flow is. */
function assertLegal({ dfid, history, state }: FlowRow): void {
  let at: FlowState | null = null
  for (const { from, to } of history) {
    const allowed: readonly FlowState[] = at === null ? ['CREATED'] : NEXT[at]
    assert.ok(from === at && allowed.includes(to), `${dfid}: ${from} → ${to} after ${at}`)
    at = to
  }
  assert.equal(at, state, dfid)
}

/** Without the salt, which is random. */
export function plain({ salt: _, ...rest }: JsonObject): JsonValue {
  return rest
}
