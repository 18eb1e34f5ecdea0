/** Acting on what was true once: contexts, deadlines, writs and contracts that are over. */
import { formatInstant } from 'rubicon-kernel'
import { buildShopContract, MALLORY, VICTIM } from '../shop.ts'
import { buildShopCapabilities } from '../shop-capabilities.ts'
import { buildShopPolicies } from '../shop-rules.ts'
import { type OpenFlow, type Stage, toFlowClaims } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'effect_outside_contract'
const ETHER = { policy_kind: 'BUY', params: { instrument: 'ETH-USD', quantity: '1' } } as const
const HOUR_MS = 3_600_000

/** A flow in which nothing may happen any more. */
async function openDoomed(
  stage: Stage,
  ...more: Parameters<Stage['open']>
): Promise<OpenFlow | null> {
  const flow = await stage.open(...more)
  if (flow !== null) stage.over.add(flow.dfid)
  return flow
}

export const TIME_TRICKS: readonly Trick[] = [
  {
    name: 'buy_at_a_price_that_moved',
    goal,
    patch: 'drift_not_checked',
    async attempt(stage) {
      const flow = await openDoomed(stage, { state: ['market.price.ETH-USD'] })
      const path = 'market.price.ETH-USD'
      await stage.runtime.observe({
        path,
        value: String(stage.rng.drawBetween(110, 400)),
        source: 'exchange',
      })
      await stage.propose(flow, ETHER)
      stage.clock.advance(1)
      await stage.runtime.observe({ path, value: '100', source: 'exchange' })
    },
  },
  {
    name: 'act_on_a_price_that_moved_since_she_saw_it',
    goal,
    patch: 'drift_not_checked',
    async attempt(stage) {
      const path = 'market.price.ETH-USD'
      const value = String(stage.rng.drawBetween(110, 400))
      await stage.runtime.observe({ path, value, source: 'exchange' })
      const seen = [{ path, value: '100', observed_at: stage.readNow() }]
      const { body } = await stage.sendPost('/v1/actions', { trigger: 'shelf', ...ETHER, seen })
      if (typeof body.dfid === 'string') stage.over.add(body.dfid)
      stage.clock.advance(1)
      await stage.runtime.observe({ path, value: '100', source: 'exchange' })
    },
  },
  {
    name: 'propose_on_a_context_of_before',
    goal,
    patch: 'context-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage, { steps: 'many' })
      await stage.sendPost(`/v1/flows/${flow?.dfid}/refresh`, { state: ['accounts.landlord'] })
      await stage.propose(flow, ETHER)
    },
  },
  {
    name: 'propose_long_after_looking',
    goal,
    patch: 'context-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage)
      stage.clock.advance(stage.rng.drawBetween(601, 3000) * 1000)
      await stage.propose(flow, ETHER)
    },
  },
  {
    name: 'dispatch_after_the_operators_word_ended',
    goal,
    patch: 'ended-words-decide',
    async attempt(stage) {
      const until = formatInstant(stage.clock.now() + stage.rng.drawBetween(1, 1000))
      const path = `agent.${MALLORY}.drawdown_pct`
      await stage.runtime.observe({ path, value: '0', until })
      let isPaused = false
      const second = stage.createSecondEngine(
        buildShopCapabilities((one) => void stage.sent.push(one)),
        buildShopPolicies(),
        {
          failpoints: {
            reach: (point) => {
              if (point !== 'dispatch.before_commit' || isPaused) return
              isPaused = true
              stage.clock.advance(stage.rng.drawBetween(1000, 9000))
            },
          },
        },
      )
      const started = await second.start()
      const flow = await openDoomed(stage)
      stage.reach()
      if (started.ok && flow !== null)
        stage.hear(await second.propose(flow.dfid, { ...toFlowClaims(flow), ...ETHER }))
    },
  },
  {
    name: 'propose_after_her_own_deadline',
    goal,
    patch: 'deadline-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage)
      const valid_until = formatInstant(stage.clock.now() - stage.rng.drawBetween(0, 5000))
      await stage.propose(flow, { ...ETHER, valid_until })
    },
  },
  {
    name: 'carry_the_mission_of_another',
    goal,
    patch: 'mission-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage)
      const theirs = await stage.runtime.open({ agent: VICTIM, trigger: 'look' })
      const { mission_context_hash } = theirs.context
      await stage.propose(flow, { ...ETHER, mission_context_hash })
    },
  },
  {
    name: 'use_a_writ_that_expired',
    goal,
    patch: 'writ-window-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage, { steps: 'many' })
      stage.clock.advance(25 * HOUR_MS)
      const fresh = await stage.sendPost(`/v1/flows/${flow?.dfid}/refresh`, {})
      const context_ref = fresh.body?.snapshot_id ?? flow?.context.snapshot_id ?? ''
      await stage.propose(flow, { ...ETHER, context_ref })
    },
  },
  {
    name: 'use_a_contract_that_was_revoked',
    goal,
    patch: 'revocations-not-checked',
    async attempt(stage) {
      const flow = await openDoomed(stage)
      const contract = buildShopContract(MALLORY, `1.0.${stage.advanceVersion()}`)
      await stage.engine.deploy(contract, { revokePrevious: true })
      await stage.propose(flow, ETHER)
    },
  },
]
