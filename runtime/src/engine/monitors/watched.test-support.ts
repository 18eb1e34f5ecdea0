/** A flow stage whose agent is watched, and what its monitors leave in the ledger. */
import assert from 'node:assert/strict'
import type { Answer, JsonObject, MonitorTripPayload } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { LeafEntry } from '../../ports/store.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

export type Watched = FlowStage & {
  /** One refund in a flow of its own. */
  refund(amount: string): Promise<Answer>
  /** The process ends here, once. */
  kill(point: Failpoint): void
  leaves(): Promise<readonly LeafEntry[]>
  trips(): Promise<readonly MonitorTripPayload['details'][]>
  status(): Promise<string | undefined>
  lift(): Promise<void>
}

export const MEAN: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean_refund',
  agents: [AGENT],
  statistic: { kind: 'mean', value: 'measure:amount', max: '50' },
  window: { executions: 4 },
  min_samples: 3,
}

export async function watchedStage(
  contract: JsonObject = {},
  options: RuntimeOptions = {},
): Promise<Watched> {
  let armed: Failpoint | null = null
  const stage = await flowStage({
    ...options,
    failpoints: {
      reach(point) {
        if (point !== armed) return
        armed = null
        throw new Error(`killed at ${point}`)
      },
    },
  })
  await stage.deploy(contract)
  let order = 0
  const leaves = async (): Promise<readonly LeafEntry[]> => {
    const { store } = stage.runtime()
    return store.listLeaves(0, await store.countLeaves())
  }
  return {
    ...stage,
    leaves,
    async refund(amount) {
      order += 1
      await stage.clock.advance(1000)
      const flow = await stage.runtime().open({ agent: AGENT, trigger: `ticket ${order}` })
      return flow.propose({ policy_kind: 'REFUND', params: { order: `o-${order}`, amount } })
    },
    kill(point) {
      armed = point
    },
    async trips() {
      return (await leaves())
        .filter(({ envelope }) => envelope.kind === 'evidence')
        .map(({ payload }) => JSON.parse(payload ?? '{}') as MonitorTripPayload)
        .filter(({ source }) => source === 'monitor')
        .map(({ details }) => details)
    },
    async status() {
      return (await stage.engine().context.authorities.loadLatest()).statuses.get(AGENT)
    },
    async lift() {
      const move = { agent_id: AGENT, to: 'ACTIVE', actor: 'operator' } as const
      const moved = await stage.engine().moveAgent({ ...move, justification: 'looked into' })
      assert.ok(moved.ok)
    },
  }
}
