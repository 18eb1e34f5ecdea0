/**
 * A desk and its trader: the trader sells and buys at a market that does what a test says, the desk
 * answers for it. On an SQLite store that outlives the runtime.
 */
import assert from 'node:assert/strict'
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { type Capability, type Effect, NotApplied } from '../../ports/capability.ts'
import type { ExecutionRow } from '../../ports/store.ts'
import { type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

export const TRADER = 'trader'
export const DESK = 'desk'

/** What the market does with a call, by its name: `SELL`, `BUY`, `undo SELL`, `close SELL`. */
export type Does = 'fill' | 'refuse' | 'busy' | 'lose'

export type Market = {
  /** Calls as they came, oldest first. */
  readonly calls: string[]
  /** Keys under which they came. */
  readonly keys: string[]
  does: Record<string, Does>
}

export type SagaStage = FlowStage & {
  readonly market: Market
  /** Opens a flow of several steps for the trader. */
  trade(): Promise<Flow>
  /** A flow in which A was sold and B could not be bought. */
  half(): Promise<string>
  /** A flow of the desk, which may choose. */
  desk(): Promise<Flow>
  row(dfid: string, step: string): Promise<ExecutionRow | undefined>
  statuses(dfid: string): Promise<Record<string, string>>
  sagaEntries(dfid: string): Promise<readonly string[]>
}

export function newMarket(): Market {
  return { calls: [], keys: [], does: {} }
}

function answer(market: Market, call: string, key: string): Effect {
  market.calls.push(call)
  market.keys.push(key)
  const does = market.does[call] ?? 'fill'
  if (does === 'refuse') throw new NotApplied('the market refuses')
  if (does === 'busy') throw new NotApplied('the market is busy', { transient: true })
  if (does === 'lose') throw new Error('connection reset')
  return { result: { call } }
}

export function marketCapability(
  market: Market,
  kind: string,
  more: Partial<Capability> = {},
): Capability {
  const position = (id: unknown): Effect['delta'] => [
    { op: 'create', kind: 'order', id: `${kind}:${id}`, value: 'filled' },
  ]
  return {
    kind,
    effect: 'keyed',
    risk: 'medium',
    reversible: true,
    idempotency: { carrier: 'header', window_s: 86_400 },
    params: {
      type: 'object',
      properties: { asset: { type: 'string' } },
      required: ['asset'],
      additionalProperties: false,
    },
    resources: ({ asset }) => [{ id: `asset:${asset}`, amount: '1' }],
    execute: ({ params }, io) => ({
      ...answer(market, kind, io.idempotencyKey),
      delta: position(params.asset) ?? [],
    }),
    compensate: (_, io) => answer(market, `undo ${kind}`, io.idempotencyKey),
    compensations: { CLOSE_ALL: (_, io) => answer(market, `close ${kind}`, io.idempotencyKey) },
    ...more,
  }
}

export const traderContract = (change: JsonObject = {}): JsonObject => ({
  ...CONTRACT,
  agent_id: TRADER,
  parent_agent: DESK,
  permissions: { policy_kinds: ['SELL', 'BUY', 'COMPENSATE', 'SPAWN_CHILD'] },
  compensation: ['REVERT', 'ALERT_HUMAN'],
  ...change,
})

export const deskContract = (change: JsonObject = {}): JsonObject => ({
  ...CONTRACT,
  agent_id: DESK,
  permissions: { policy_kinds: ['SELL', 'BUY', 'COMPENSATE', 'SPAWN_CHILD'] },
  compensation: ['REVERT', 'ALERT_HUMAN'],
  ...change,
})

export type SagaOptions = Partial<RuntimeOptions> & {
  readonly market?: Market
  readonly trader?: JsonObject
  readonly desk?: JsonObject
}

export async function sagaStage(options: SagaOptions = {}): Promise<SagaStage> {
  const { market = newMarket(), trader = {}, desk = {}, ...more } = options
  const it = await flowStage({
    capabilities: [marketCapability(market, 'SELL'), marketCapability(market, 'BUY')],
    ...more,
  })
  await it.runtime().deploy(deskContract(desk))
  await it.runtime().deploy(traderContract(trader))
  const trade = (): Promise<Flow> =>
    it.runtime().open({ agent: TRADER, trigger: 'rotate the book', steps: 'many' })
  return {
    ...it,
    market,
    trade,
    async half() {
      const flow = await trade()
      const does = { ...market.does }
      market.does = { ...does, BUY: 'refuse' }
      assert.equal((await sell(flow)).execution?.status, 'SUCCESS')
      assert.equal((await buy(flow)).execution?.status, 'FAILED')
      market.does = does
      return flow.dfid
    },
    desk: () => it.runtime().open({ agent: DESK, trigger: 'put it right', steps: 'many' }),
    async row(dfid, step) {
      const rows = await it.runtime().store.listExecutions({ dfid, limit: 100 })
      return rows.find(({ step_id }) => step_id === step)
    },
    async statuses(dfid) {
      const rows = await it.runtime().store.listExecutions({ dfid, limit: 100 })
      return Object.fromEntries(rows.map(({ step_id, status }) => [step_id, status]))
    },
    async sagaEntries(dfid) {
      const entries = await it.entries(dfid)
      return entries
        .filter(([kind, { source }]) => kind === 'evidence' && source === 'saga')
        .map(([, { status }]) => String(status))
    },
  }
}

export const sell = (flow: Flow, asset = 'A', step_id = 'sell'): Promise<Answer> =>
  flow.propose({ policy_kind: 'SELL', step_id, params: { asset } })

export const buy = (flow: Flow, asset = 'B', step_id = 'buy'): Promise<Answer> =>
  flow.propose({ policy_kind: 'BUY', step_id, params: { asset } })

/** Somebody acts when the engine gets there the next time. */
export function interruption(): {
  readonly failpoints: NonNullable<SagaOptions['failpoints']>
  at(point: string, act: () => Promise<unknown>): void
} {
  let planned: { readonly point: string; readonly act: () => Promise<unknown> } | null = null
  return {
    failpoints: {
      async reach(point) {
        if (planned?.point !== point) return
        const { act } = planned
        planned = null
        await act()
      },
    },
    at(point, act) {
      planned = { point, act }
    },
  }
}
