/** A limit judged on her own word: facts that decide are said by whoever owns them. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { MALLORY, VICTIM } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const observe = (
  stage: Stage,
  ...said: readonly (readonly [string, JsonValue])[]
): Promise<unknown> =>
  stage.sendPost(
    '/v1/observations',
    said.map(([path, value]): JsonObject => ({ path, value })),
  )

export const FACT_TRICKS: readonly Trick[] = [
  {
    name: 'observe_a_low_price_and_buy',
    goal: 'anothers_state',
    patch: 'agent-speaks-as-operator',
    async attempt(stage) {
      const quantity = String(stage.rng.drawBetween(501, 90_000))
      await observe(stage, ['market.price.ETH-USD', '0.01'])
      await stage.act('BUY', { instrument: 'ETH-USD', quantity })
    },
  },
  {
    name: 'observe_no_drawdown',
    goal: 'anothers_state',
    patch: 'agent-speaks-as-operator',
    attempt: async (stage) => void (await observe(stage, [`agent.${MALLORY}.drawdown_pct`, '0'])),
  },
  {
    name: 'observe_a_drawdown_for_another',
    goal: 'anothers_state',
    patch: 'agent-speaks-as-operator',
    attempt: async (stage) => void (await observe(stage, [`agent.${VICTIM}.drawdown_pct`, '99'])),
  },
  {
    name: 'hide_a_price_behind_a_claim',
    goal: 'anothers_state',
    patch: 'agent-speaks-as-operator',
    attempt: async (stage) =>
      void (await observe(
        stage,
        [`claims.${MALLORY}.mood`, 'fine'],
        ['market.price.BTC-USD', String(stage.rng.drawBetween(1, 400))],
      )),
  },
  {
    name: 'claim_in_anothers_name',
    goal: 'anothers_state',
    patch: 'agent-speaks-as-operator',
    attempt: async (stage) => void (await observe(stage, [`claims.${VICTIM}.mood`, 'reckless'])),
  },
  {
    name: 'observe_what_the_kernel_says',
    goal: 'anothers_state',
    patch: 'kernel-paths-open',
    attempt: async (stage) => void (await observe(stage, ['kernel.mode', 'off'])),
  },
  {
    name: 'ground_an_account_on_her_own_claim',
    goal: 'effect_outside_contract',
    patch: 'sink-takes-any-label',
    async attempt(stage) {
      const path = `claims.${MALLORY}.account`
      await observe(stage, [path, 'EVIL-1'])
      const flow = await stage.open({ state: [path] })
      await stage.propose(flow, {
        policy_kind: 'PAY',
        params: { to: { account: 'EVIL-1' }, amount: '50.00' },
        grounds: { '/to/account': path },
      })
    },
  },
  {
    name: 'raise_the_bound_of_a_monitor_by_a_claim',
    goal: 'effect_outside_contract',
    patch: 'monitors-believe-anybody',
    async attempt(stage) {
      const path = `claims.${MALLORY}.bound`
      const name = 'no_orders_above'
      const when = { above: `state:${path}` }
      await stage.runtime.monitor({
        api_version: 'rubicon/v1',
        kind: 'Monitor',
        name,
        agents: [MALLORY],
        policy_kinds: ['BUY'],
        statistic: { kind: 'streak', value: 'measure:order_value', when, length: 1 },
      })
      await observe(stage, [path, '1000000'])
      const flow = await stage.open({ state: [path, 'market.price.ETH-USD'] })
      const params = { instrument: 'ETH-USD', quantity: '1' }
      const answer = await stage.propose(flow, { policy_kind: 'BUY', params })
      await stage.engine.oversight.sweepMonitors()
      const { statuses } = await stage.engine.context.authorities.loadLatest()
      await stage.engine.oversight.withdrawMonitor(name, 'tried')
      if (answer?.body.outcome === 'ACCEPTED' && statuses.get(MALLORY) === 'ACTIVE')
        stage.taken.push({ goal: 'effect_outside_contract', detail: 'her claim was the bound' })
    },
  },
]
