import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Notice } from '../../ports/notifier.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

const PRICE = 'market.price'

const buy: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'high',
  params: { type: 'object' },
  jit_fields: ['price'],
  jit: () => ({ price: { path: PRICE, kind: 'telemetry' } }),
  execute: () => ({}),
}

type Market = { readonly stage: FlowStage; price: string }

async function market(options: RuntimeOptions, notify?: readonly string[]): Promise<Market> {
  const held = { price: '99.50' }
  const stage = await flowStage({
    capabilities: [buy],
    sources: [
      {
        source_id: 'exchange',
        label: 'trusted',
        paths: ['*'],
        async read(paths) {
          const observed_at = new Date(stage.clock.now()).toISOString()
          return paths.map((path) => ({ path, value: held.price, observed_at, version: '1' }))
        },
      },
    ],
    ...options,
  })
  const answer: JsonObject = notify === undefined ? {} : { notify }
  await stage.deploy({
    permissions: { policy_kinds: ['REFUND'] },
    jit_verification: {
      drift_envelope: { price_pct: '0.5' },
      on_drift_exceeded: { action: 'ABORT', ...answer },
    },
  })
  return Object.assign(held, { stage })
}

async function drifted(market: Market): Promise<string> {
  const { stage } = market
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'up', state: [PRICE] })
  market.price = '101.20'
  const { reason_code } = await flow.propose({ policy_kind: 'REFUND', params: {} })
  assert.equal(reason_code, 'STATE_DRIFT_DETECTED')
  return flow.dfid
}

async function notices({ stage }: Market): Promise<readonly Notice[]> {
  const due = await stage.runtime().store.listRecords('notice', 'due', { limit: 10 })
  return due.map(({ body }) => body.notice)
}

test('a drift is told on every channel that the contract names, once each', async () => {
  const exchange = await market({}, ['ops-channel', 'Risk desk', 'ops-channel'])
  const dfid = await drifted(exchange)
  const told = await notices(exchange)
  assert.deepEqual(told.map(({ channel }) => channel).toSorted(), ['Risk desk', 'ops-channel'])
  const { at, channel: _, ...notice } = told[0] ?? assert.fail('nobody was told')
  assert.equal(at, (await exchange.stage.flow(dfid)).updated_at)
  assert.deepEqual(notice, {
    id: `${dfid}:1:drift`,
    kind: 'drift',
    agent_id: AGENT,
    dfid,
    reason_code: 'STATE_DRIFT_DETECTED',
    details: { attempt: 1, field: 'price', percent: notice.details.percent ?? null },
  })
  await exchange.stage.close()
})

test('what moved after the acceptance is told as well', async () => {
  const exchange: Market = await market(
    {
      executors: 'separate',
      failpoints: {
        reach: (point) => {
          if (point === 'propose.after_compile') exchange.price = '101.20'
        },
      },
    },
    ['ops-channel'],
  )
  const flow = await exchange.stage.runtime().open({ agent: AGENT, trigger: 'up', state: [PRICE] })
  const { reason_code } = await flow.propose({ policy_kind: 'REFUND', params: {} })
  assert.equal(reason_code, 'STATE_DRIFT_DETECTED')
  const told = await notices(exchange)
  assert.deepEqual(
    told.map(({ kind, dfid }) => [kind, dfid]),
    [['drift', flow.dfid]],
  )
  await exchange.stage.close()
})

test('a contract that names nobody has nobody told, and other refusals are no drift', async () => {
  const exchange = await market({})
  await drifted(exchange)
  assert.deepEqual(await notices(exchange), [])
  await exchange.stage.close()

  const quiet = await market({}, ['ops-channel'])
  const flow = await quiet.stage.runtime().open({ agent: AGENT, trigger: 'up', state: [PRICE] })
  assert.equal((await flow.propose({ policy_kind: 'SELL', params: {} })).outcome, 'REJECTED')
  assert.deepEqual(await notices(quiet), [])
  await quiet.stage.close()
})
