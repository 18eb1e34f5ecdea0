import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, WorkingContext } from 'rubicon-kernel'
import {
  buy,
  DESK,
  deskContract,
  marketCapability,
  newMarket,
  sell,
  TRADER,
  traderContract,
} from '../../../../runtime/src/engine/compensate/saga-stage.test-support.ts'
import { freshKey, get, post, served } from '../served.test-support.ts'

test('finding 26a: over HTTP whoever is to choose is told what it chooses about', async (t) => {
  const market = newMarket()
  market.does = { BUY: 'refuse' }
  const { runtime, agent } = await served(t, {
    background: false,
    capabilities: [marketCapability(market, 'SELL'), marketCapability(market, 'BUY')],
    contracts: [deskContract(), traderContract()] as unknown as readonly Contract[],
  })
  const flow = await runtime.open({ agent: TRADER, trigger: 'rotate', steps: 'many' })
  await sell(flow)
  await buy(flow)
  await runtime.engine.runDue()

  const desk = await agent(DESK)
  const { body: mine } = await get(desk, '/v1/flows')
  const dfid: string = mine.flows[0].dfid
  const read = await get(desk, `/v1/flows/${dfid}`)
  assert.ok(JSON.stringify(read.body).includes(`kernel.compensation.${flow.dfid}`))
  const looked = await post(desk, `/v1/flows/${dfid}/refresh`, { body: {}, headers: freshKey() })
  const { state } = looked.body as WorkingContext
  const told = state[0]?.value as { readonly [name: string]: readonly { step_id: string }[] }
  assert.deepEqual(
    ['failed', 'applied', 'uncertain'].map((name) => told[name]?.map(({ step_id }) => step_id)),
    [['buy'], ['sell'], []],
  )
  assert.deepEqual(told.menu, ['REVERT', 'ALERT_HUMAN'])
})
