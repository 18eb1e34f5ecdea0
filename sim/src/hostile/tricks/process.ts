/** A second process on the same store, started with other rules: it must act on nothing. */
import { hashRules, type JsonObject } from 'rubicon-kernel'
import type { Engine } from '../../../../runtime/src/engine/engine.ts'
import type { DeclaredSource } from '../../../../runtime/src/ports/fact-source.ts'
import { MALLORY } from '../shop.ts'
import { buildShopCapabilities } from '../shop-capabilities.ts'
import { buildShopPolicies } from '../shop-rules.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'rules_not_in_force'
const ETHER: JsonObject = { instrument: 'ETH-USD', quantity: '1' }

async function actThrough(
  stage: Stage,
  second: ReturnType<Stage['createSecondEngine']>,
): Promise<void> {
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

/** An operator says yes to what an engine holds; the hash stays in a start script. */
async function agreeTo(engine: Engine): Promise<string> {
  const state = await engine.oversight.rules()
  const hash = state.ok ? (state.value.acceptance ?? '') : ''
  await engine.oversight.acceptRules({ hash })
  return hash
}

export const PROCESS_TRICKS: readonly Trick[] = [
  {
    name: 'act_through_a_process_with_fewer_rules',
    goal,
    patch: 'held-rules-decide',
    async attempt(stage) {
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one))
      await actThrough(stage, stage.createSecondEngine(capabilities, []))
    },
  },
  {
    name: 'act_through_a_process_with_another_capability',
    goal,
    patch: 'held-capabilities-decide',
    async attempt(stage) {
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one)).map(
        (capability) =>
          capability.kind === 'BUY'
            ? { ...capability, version: '2', risk: 'low' as const }
            : capability,
      )
      await actThrough(stage, stage.createSecondEngine(capabilities, buildShopPolicies()))
    },
  },
  {
    name: 'come_back_with_the_yes_from_before_a_roll_back',
    goal,
    patch: 'old-yes-counts-again',
    async attempt(stage) {
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one))
      const first = stage.createSecondEngine(capabilities, [])
      if (!(await first.start()).ok) return
      const acceptRules = await agreeTo(first)
      await agreeTo(stage.engine)
      await actThrough(stage, stage.createSecondEngine(capabilities, [], { acceptRules }))
    },
  },
  {
    name: 'act_through_a_process_with_policies_in_another_order',
    goal,
    patch: 'policies-compared-by-words',
    async attempt(stage) {
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one))
      await actThrough(
        stage,
        stage.createSecondEngine(capabilities, buildShopPolicies().toReversed()),
      )
    },
  },
  {
    name: 'declare_a_source_anew',
    goal: 'anothers_state',
    patch: 'declaration-takes-the-place',
    async attempt(stage) {
      // Whoever reads them would be told by her from then on, and what was said before is gone.
      const own: DeclaredSource = {
        source_id: 'exchange',
        label: 'operator',
        paths: ['market.*'],
        read: async () => [],
      }
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one))
      const second = stage.createSecondEngine(capabilities, buildShopPolicies(), { sources: [own] })
      const started = await second.start()
      stage.reach()
      if (!started.ok) return
      const { sources } = await second.context.authorities.loadLatest()
      const label = sources.byId.get('exchange')?.label
      if (label !== 'trusted')
        stage.taken.push({ goal: 'anothers_state', detail: `exchange is ${label} now` })
    },
  },
  {
    name: 'act_through_another_software_of_the_same_version',
    goal,
    patch: 'same-version-records-itself',
    async attempt(stage) {
      const { sha256 } = stage.engine.context
      const capabilities = buildShopCapabilities((one) => stage.sendSecond(one))
      const { book } = stage.createSecondEngine(capabilities, buildShopPolicies()).context
      const ruleSet = { ...book.ruleSet, reason_table: `sha256:${'0'.repeat(64)}` as const }
      const hash = hashRules(ruleSet, sha256)
      const unlike = { ...book, ruleSet, hash, rules: { ...book.rules, hash } }
      await actThrough(stage, stage.createSecondEngine([], [], { book: unlike }))
    },
  },
]
