/** A runtime with a clock that a test moves by hand, and a market that it moves, too. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Failure,
  formatInstant,
  type JsonObject,
  type Result,
  type SecurityEventPayload,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createRuntime, type Flow, type Runtime, type RuntimeOptions } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { Capability } from '../../ports/capability.ts'
import { type HandClock, handClock } from '../flow/hand-clock.test-support.ts'
import type { OpenRequest } from '../flow/open.ts'
import type { ContextStore } from '../observe/context-store.ts'

export const AGENT = 'refunds_bot'

export type LayerStage = {
  readonly runtime: Runtime
  readonly layers: ContextStore
  readonly clock: HandClock
  readonly sent: JsonObject[]
  now(): string
  /** The contract of `refunds_bot`, changed. */
  deploy(change?: JsonObject): Promise<void>
  open(request?: Partial<OpenRequest>): Promise<Flow>
  /** What the ledger holds of attempts to give orders. */
  events(): Promise<readonly SecurityEventPayload['details'][]>
  /** The ledger must verify. */
  close(): Promise<void>
}

export type StageOptions = RuntimeOptions & {
  readonly capability?: Partial<Capability>
  readonly contract?: JsonObject
}

export async function layerStage(options: StageOptions = {}): Promise<LayerStage> {
  const { capability = {}, contract = {}, store = 'memory', ...rest } = options
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-layers-'))
  const clock = handClock()
  const sent: JsonObject[] = []
  const runtime = await createRuntime({
    store: store === 'sqlite' ? `sqlite:${join(folder, 'store.db')}` : store,
    stateDirectory: join(folder, 'state'),
    clock,
    background: false,
    capabilities: [{ ...refundWith(sent), ...capability }],
    ...rest,
  })
  let version = 0
  const deploy = async (change: JsonObject = {}): Promise<void> => {
    await runtime.deploy({ ...CONTRACT, ...change, version: `1.${version++}.0` })
  }
  await deploy(contract)
  return {
    runtime,
    layers: runtime.engine.contextStore,
    clock,
    sent,
    now: () => formatInstant(clock.now()),
    deploy,
    open: (request = {}) => runtime.open({ agent: AGENT, trigger: 'ticket', ...request }),
    async events() {
      const entries = await runtime.store.listEntries('main', 0, 1000)
      return entries
        .map(({ payload }) => JSON.parse(payload ?? '{}') as SecurityEventPayload)
        .filter(({ source }) => source === 'sanitiser')
        .map(({ details }) => details)
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

function refundWith(sent: JsonObject[]): Capability {
  return {
    kind: 'REFUND',
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    params: { type: 'object' },
    measures: { amount: (params) => params.amount },
    execute: ({ params }) => {
      sent.push(params)
      return { result: 'done' }
    },
  }
}

export function done<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  return assert.fail(`${result.error.code}: ${result.error.summary}`)
}

export function refusedWith(result: Result<unknown, Failure>): string | null {
  return result.ok ? null : result.error.code
}
