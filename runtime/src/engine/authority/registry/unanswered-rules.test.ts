import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, type JsonObject, parseContract } from 'rubicon-kernel'
import { CONTRACT } from '../../../evidence/example.test-support.ts'
import type { Capability } from '../../../ports/capability.ts'
import { AGENT, type FlowStage, flowStage } from '../../flow/flow-stage.test-support.ts'
import { loadAgentDetail } from './agent-detail.ts'
import { formatUnansweredRule } from './unanswered-rules.ts'

const BUY: Capability = {
  kind: 'BUY',
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  params: {
    type: 'object',
    properties: { instrument: { type: 'string' } },
    required: ['instrument'],
    additionalProperties: false,
  },
  execute: () => ({}),
}

/** As the seed's flat form has it. */
const FLAT: JsonObject = {
  ...CONTRACT,
  permissions: { allowed_policy_types: ['BUY'], allowed_instruments: ['BTC-USD'] },
}

function parsed(document: JsonObject): Contract {
  const contract = parseContract(document)
  assert.ok(contract.ok, contract.ok ? '' : JSON.stringify(contract.error))
  return contract.value
}

async function bought(stage: FlowStage, instrument: string): Promise<string> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'the market opened' })
  const answer = await flow.propose({ policy_kind: 'BUY', params: { instrument } })
  return answer.reason_code ?? answer.outcome
}

/** What deployment says that nobody answers. */
async function unanswered(stage: FlowStage, document: JsonObject): Promise<readonly string[]> {
  const done = await stage.engine().deploy(parsed(document))
  assert.ok(done.ok, done.ok ? '' : done.error.code)
  return done.value.unanswered.map(({ policy_kind, rule }) => `${policy_kind} ${rule}`)
}

test('a set that the capability does not answer refuses what is in it as well as what is not', async () => {
  const stage = await flowStage({ capabilities: [BUY] })
  assert.deepEqual(await unanswered(stage, FLAT), ['BUY permissions.resources.instruments'])
  assert.equal(await bought(stage, 'DOGE-USD'), 'CONTRACT_UNANSWERED')
  assert.equal(await bought(stage, 'BTC-USD'), 'CONTRACT_UNANSWERED')
  const detail = await loadAgentDetail(stage.engine().context, AGENT)
  assert.match(detail?.problems[0]?.summary ?? '', /has no value for `permissions.resources.instr/)
  await stage.close()
})

test('answered, the set is what may be bought', async () => {
  const stage = await flowStage({
    capabilities: [{ ...BUY, scopes: { instruments: '/instrument' } }],
  })
  assert.deepEqual(await unanswered(stage, FLAT), [])
  assert.equal(await bought(stage, 'DOGE-USD'), 'RESOURCE_SCOPE')
  assert.equal(await bought(stage, 'BTC-USD'), 'ACCEPTED')
  await stage.close()
})

test('an envelope and a limit are named too, and what touches nothing answers nothing', async () => {
  const bound = {
    ...FLAT,
    permissions: { policy_kinds: ['BUY'], max_order_size_usd: 5 },
    jit_verification: { drift_envelope: { price_pct: '0.5' } },
  }
  const stage = await flowStage({ capabilities: [BUY] })
  assert.deepEqual(await unanswered(stage, bound), [
    'BUY jit_verification.drift_envelope.price_pct',
    'BUY permissions.limits.max_order_size_usd',
  ])
  assert.equal(await bought(stage, 'BTC-USD'), 'CONTRACT_UNANSWERED')
  await stage.close()
  const idle = await flowStage({ capabilities: [{ ...BUY, touches: 'none' }] })
  assert.deepEqual(await unanswered(idle, { ...FLAT, ...bound }), [])
  assert.equal(await bought(idle, 'BTC-USD'), 'ACCEPTED')
  await idle.close()
})

test('a kind that nobody has described yet is named, where there is something to answer', async () => {
  const stage = await flowStage({ capabilities: [] })
  assert.deepEqual(await unanswered(stage, FLAT), ['BUY null'])
  const free = { ...FLAT, version: '1.1.0', permissions: { policy_kinds: ['BUY'] } }
  assert.deepEqual(await unanswered(stage, free), [])
  await stage.close()
  assert.match(formatUnansweredRule({ policy_kind: 'BUY', rule: null }), /known yet/)
})
