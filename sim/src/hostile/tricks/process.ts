/** A second process on the same store, started with other rules: it must act on nothing. */
import type { JsonObject } from 'rubicon-kernel'
import { MALLORY, shopPolicies } from '../shop.ts'
import { shopCapabilities } from '../shop-capabilities.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'rules_not_in_force'
const ETHER: JsonObject = { instrument: 'ETH-USD', quantity: '1' }

async function actThrough(stage: Stage, second: ReturnType<Stage['secondProcess']>): Promise<void> {
  const started = await second.start()
  if (!started.ok) return
  stage.reach()
  const state = ['market.price.ETH-USD']
  const opened = await second.open({ agent: MALLORY, trigger: 'shelf', state })
  if (!opened.ok) return
  const { dfid } = opened.value.flow
  const proposal = { dfid, agent_id: MALLORY, policy_kind: 'BUY', params: ETHER }
  stage.hear(await second.propose(dfid, proposal))
}

export const PROCESS_TRICKS: readonly Trick[] = [
  {
    name: 'act_through_a_process_with_fewer_rules',
    goal,
    patch: 'held-rules-decide',
    async attempt(stage) {
      const capabilities = shopCapabilities((one) => stage.sendSecond(one))
      await actThrough(stage, stage.secondProcess(capabilities, []))
    },
  },
  {
    name: 'act_through_a_process_with_another_capability',
    goal,
    patch: 'held-capabilities-decide',
    async attempt(stage) {
      const capabilities = shopCapabilities((one) => stage.sendSecond(one)).map((capability) =>
        capability.kind === 'BUY'
          ? { ...capability, version: '2', risk: 'low' as const }
          : capability,
      )
      await actThrough(stage, stage.secondProcess(capabilities, shopPolicies()))
    },
  },
]
