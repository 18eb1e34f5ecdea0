/** The decision that is measured: a refund under a contract with limits and three policies. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, JsonObject, Policy } from 'rubicon-kernel'
import {
  type Capability,
  createRuntime,
  type DeclaredSource,
  type Flow,
  type FlowProposal,
  type Runtime,
  type RuntimeOptions,
} from 'rubicon-runtime'
import { runLanes } from './measure.ts'

export const REFUND: Capability = {
  kind: 'REFUND',
  version: '1',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: {
      order: { type: 'string', maxLength: 64 },
      amount: { type: 'string', maxLength: 32 },
      currency: { enum: ['USD', 'EUR'] },
    },
    required: ['order', 'amount', 'currency'],
    additionalProperties: false,
  },
  scopes: { currencies: '/currency' },
  measures: { amount: (params) => params.amount },
  // The effect is stubbed: what is measured is everything around it.
  execute: (intent) => ({ result: { refunded: intent.params.amount ?? null }, receipt: 'r-1' }),
}

export const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Refund what customers are owed, and nothing else.',
  permissions: {
    policy_kinds: ['REFUND'],
    currencies: ['USD', 'EUR'],
    limits: [{ id: 'amount', kind: 'range', measure: 'amount', min: '0.01', max: '500.00' }],
  },
  safety_rules: {
    rejections_per_hour: 10_000_000,
    min_confidence_threshold: '0.6',
    budget_per_flow: { calls: '1000', usd: '1000.00' },
  },
}

/** Files, which are pinned by their bytes: a store that processes share takes no others. */
const POLICIES: readonly string[] = [
  './policies/positive-amount.ts',
  './policies/order-named.ts',
  './policies/risk-ceiling.ts',
].map((path) => join(import.meta.dirname, path))

/**
 * `full`: a live rate that must not have moved since the agent saw it, and holds on the order and on a
 * till from which all of them take. What it costs is shown beside the foundation, which has neither.
 */
export type Profile = 'foundation' | 'full'

const RATE = 'rates.USD'

const fullRefund: Capability = {
  ...REFUND,
  reads: () => ({ state: [RATE] }),
  jit_fields: ['rate'],
  jit: () => ({ rate: { path: RATE, kind: 'telemetry' } }),
  resources: (params) => [
    { id: `order:${String(params.order)}`, amount: '1' },
    { id: 'till', amount: String(params.amount), capacity: '1000000.00' },
  ],
}

const fullContract: JsonObject = {
  ...CONTRACT,
  jit_verification: { drift_envelope: { rate_pct: '1.0' }, max_state_age_ms: 60_000 },
}

const liveRate: DeclaredSource = {
  source_id: 'bench',
  label: 'trusted',
  paths: [RATE],
  async read(paths) {
    const observed_at = new Date().toISOString()
    return paths.map((path) => ({ path, value: '1.00', observed_at, version: observed_at }))
  },
}

export type Subject = {
  readonly runtime: Runtime
  readonly folder: string
  /** What is proposed next. */
  buildProposal(): FlowProposal
  /** Opens flows, so that `decide` measures decisions and not openings. */
  prepare(flows: number): Promise<void>
  /** One decision on a prepared flow: propose, compile, dispatch, effect, settled and durable. */
  decide(): Promise<void>
  /** The same with the opening of its flow. */
  openAndDecide(): Promise<void>
  /** The same in one act. */
  act(): Promise<void>
  close(): Promise<void>
}

export type SubjectOptions = Pick<RuntimeOptions, 'signer' | 'checker' | 'sha256' | 'store'> & {
  readonly extra?: readonly Policy[]
  readonly profile?: Profile
}

export async function createSubject(options: SubjectOptions = {}): Promise<Subject> {
  const { extra = [], profile = 'foundation', ...ports } = options
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  const isFull = profile === 'full'
  const start = async (): Promise<Runtime> => {
    const started = await createRuntime({
      store: `sqlite:${join(folder, 'bench.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [isFull ? fullRefund : REFUND],
      policies: [...POLICIES, ...extra],
      sources: [liveRate],
      ...ports,
    })
    await started.deploy(isFull ? fullContract : CONTRACT)
    return started
  }
  // Nothing is left behind by a runtime that does not start.
  const runtime = await start().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const prepared: Flow[] = []
  let order = 0
  const open = (): Promise<Flow> =>
    runtime.open({
      agent: 'refunds_bot',
      trigger: `ticket ${order}`,
      ...(isFull ? { state: [RATE] } : {}),
    })
  const buildProposal = () => {
    order += 1
    const params = { order: `o-${order}`, amount: '20.00', currency: 'USD' }
    return { policy_kind: 'REFUND', params, confidence: 0.9 }
  }
  const propose = async (flow: Flow): Promise<void> =>
    assertDone(await flow.propose(buildProposal()))
  return {
    runtime,
    folder,
    buildProposal,
    async prepare(flows) {
      await runLanes(flows, 64, async () => void prepared.push(await open()))
      // The openings are sealed here, so that decisions pay for their own entries only.
      await runtime.engine.checkpoint()
    },
    async decide() {
      const flow = prepared.pop()
      if (flow === undefined) throw new Error('prepare flows before they are measured')
      await propose(flow)
    },
    openAndDecide: async () => propose(await open()),
    async act() {
      const seen = isFull
        ? [{ path: RATE, value: '1.00', observed_at: new Date().toISOString() }]
        : []
      const trigger = `ticket ${order}`
      const { answer } = await runtime.act({
        agent: 'refunds_bot',
        trigger,
        seen,
        ...buildProposal(),
      })
      assertDone(answer)
    },
    async close() {
      await runtime.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function assertDone(answer: Answer): void {
  if (answer.execution?.status !== 'SUCCESS')
    throw new Error(`a measured decision did not succeed: ${JSON.stringify(answer)}`)
}
