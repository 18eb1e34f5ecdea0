/** Finding 1: whoever is judged on a fact cannot write it. End to end, as it was made to happen. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { formatDecimal, type JsonObject, multiplyDecimal, toDecimal } from 'rubicon-kernel'
import type { Capability } from '../../../../runtime/src/ports/capability.ts'
import { buildContract } from '../../demo/contract.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { post, problemOf, type Served, served } from '../served.test-support.ts'

const TRADER = 'trader_x'
const OTHER = 'trader_y'
const PRICE = 'market.price'
const CLAIM = `claims.${TRADER}.price`
const drawdownOf = (agent: string): string => `agent.${agent}.drawdown_pct`
const NOT_OWNED = [403, 'FACT_NOT_OWNED'] as const

const buy: Capability = {
  kind: 'BUY',
  effect: 'keyed',
  risk: 'low',
  params: {
    type: 'object',
    properties: { quantity: { type: 'string' } },
    required: ['quantity'],
    additionalProperties: false,
  },
  reads: () => ({ state: [PRICE] }),
  measures: {
    order_value_usd({ quantity = null }, view) {
      const price = toDecimal(view.state(PRICE)?.value ?? null)
      const amount = toDecimal(quantity)
      if (price === undefined || amount === undefined) return undefined
      return formatDecimal(multiplyDecimal(price, amount))
    },
  },
  execute: () => ({}),
}

/** Written in good faith by somebody who asks the agent for the price. */
const buyOnWord: Capability = {
  ...buy,
  kind: 'BUY_ON_WORD',
  reads: () => ({ state: [CLAIM] }),
  measures: { order_value_usd: (_params, view) => view.state(CLAIM)?.value },
}

type Desk = Served & {
  readonly olga: HttpPlace
  observe(who: HttpPlace, path: string, value: string): ReturnType<typeof post>
  /** What becomes of an order of the trader, in a flow of its own. */
  order(bot: HttpPlace, quantity: string, policy_kind?: string): Promise<string>
}

async function desk(t: TestContext): Promise<Desk> {
  const contract = (agent: string, safety_rules: JsonObject) =>
    buildContract(agent, ['BUY', 'BUY_ON_WORD'], {
      permissions: { max_order_value_usd: '50000' },
      safety_rules,
    })
  const contracts = [contract(TRADER, { max_drawdown_limit_pct: '4' }), contract(OTHER, {})]
  const it = await served(t, { capabilities: [buy, buyOnWord], contracts })
  const olga = it.person('olga', 'operator')
  return {
    ...it,
    olga,
    observe: (who, path, value) => post(who, '/v1/observations', { body: { path, value } }),
    async order(bot, quantity, policy_kind = 'BUY') {
      const { dfid, context } = await it.open(bot)
      const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
      const made = { dfid, agent_id, context_ref, mission_context_hash }
      const body = { ...made, policy_kind, params: { quantity } }
      const { body: said } = await post(bot, `/v1/flows/${dfid}/proposals`, { body })
      return said.reason_code ?? said.outcome
    },
  }
}

test("finding 1a: an agent's observation never decides its own limit", async (t) => {
  const { agent, olga, observe, order } = await desk(t)
  const bot = await agent(TRADER)
  assert.equal((await observe(olga, PRICE, '2500')).status, 200)
  assert.equal((await observe(olga, drawdownOf(TRADER), '50')).status, 200)
  assert.equal(await order(bot, '1'), 'DRAWDOWN_LIMIT')
  assert.deepEqual(problemOf(await observe(bot, drawdownOf(TRADER), '0')), NOT_OWNED)
  assert.equal(await order(bot, '1'), 'DRAWDOWN_LIMIT')

  assert.equal((await observe(olga, drawdownOf(TRADER), '0')).status, 200)
  assert.equal(await order(bot, '1'), 'ACCEPTED')
  assert.equal(await order(bot, '15500'), 'LIMIT_EXCEEDED')
  assert.deepEqual(problemOf(await observe(bot, PRICE, '0.01')), NOT_OWNED)
  assert.equal(await order(bot, '15500'), 'LIMIT_EXCEEDED')
  const claimed = await observe(bot, CLAIM, '0.01')
  assert.equal(claimed.body.observed?.[0].label, 'agent')
  assert.equal(await order(bot, '15500'), 'LIMIT_EXCEEDED')
  assert.equal(await order(bot, '15500', 'BUY_ON_WORD'), 'MEASURE_UNAVAILABLE')
})

test("finding 1b: an agent's observation never decides the limit of another", async (t) => {
  const { agent, olga, observe, order } = await desk(t)
  const bot = await agent(TRADER)
  const rival = await agent(OTHER)
  assert.equal((await observe(olga, PRICE, '2500')).status, 200)
  assert.equal((await observe(olga, drawdownOf(TRADER), '0')).status, 200)
  for (const [path, value] of [
    [PRICE, '0.01'],
    [PRICE, '99999999'],
    [drawdownOf(TRADER), '50'],
    [`claims.${TRADER}.price`, '1'],
  ] as const)
    assert.deepEqual(problemOf(await observe(rival, path, value)), NOT_OWNED, path)
  assert.equal(await order(bot, '1'), 'ACCEPTED')
  assert.equal(await order(bot, '15500'), 'LIMIT_EXCEEDED')
})
