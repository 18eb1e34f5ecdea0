import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject } from 'rubicon-kernel'
import { createRandomModel, VOCABULARY } from '../../adapters/decoders/random-model.test-support.ts'
import {
  createMaskedProvider,
  createScriptedProvider,
  createXGrammarEngine,
  type Script,
} from '../../compose.ts'
import type { ModelProvider, ModelRequest } from '../../ports/model.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'
import type { Generation, GenerationRequest } from './generate.ts'

const REQUEST: GenerationRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'what is to be done?' }],
  max_tokens: 100,
  decode: { kinds: ['REFUND'] },
}
const PROPOSAL = { policy_kind: 'REFUND', params: { order: 'o-1', amount: '20.00' } }

function staged(script: Script): Promise<readonly [FlowStage, string]> {
  return stagedWith(createScriptedProvider({ script }))
}

async function stagedWith(acme: ModelProvider): Promise<readonly [FlowStage, string]> {
  const stage = await flowStage({ models: { acme } })
  const limits = [{ id: 'amount', kind: 'range', field: '/amount', max: '500.00' }]
  await stage.deploy({
    permissions: { policy_kinds: ['REFUND'], limits },
    safety_rules: { budget_per_flow: { tokens: '100000' } },
  })
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  return [stage, dfid]
}

async function refused(stage: FlowStage, dfid: string, change: object = {}): Promise<string> {
  const answer = await stage.engine().generate(dfid, { ...REQUEST, ...change })
  return answer.ok ? '' : answer.error.code
}

async function evidence(stage: FlowStage, dfid: string): Promise<readonly JsonObject[]> {
  const entries = await stage.entries(dfid)
  return entries.filter(([kind]) => kind === 'evidence').map(([, payload]) => payload)
}

test('a proposal that a model wrote inside of its grammar is accepted, and the hash stands on the record', async () => {
  const asked: ModelRequest[] = []
  const [stage, dfid] = await staged((request) => {
    asked.push(request)
    return JSON.stringify({ proposal: PROPOSAL })
  })
  const answer = await stage.engine().generate(dfid, REQUEST)
  assert.ok(answer.ok, JSON.stringify(answer))
  const made: Generation = answer.value
  assert.deepEqual(JSON.parse(JSON.stringify(made.proposal)), PROPOSAL)
  const [request] = asked
  assert.equal(request?.output?.name, 'proposal')
  assert.ok(isObject(request?.output?.schema) && !Object.hasOwn(request, 'decode'))
  const [entry] = await evidence(stage, dfid)
  assert.deepEqual([entry?.finding, entry?.grammar_hash], ['answered', made.grammar_hash])
  assert.match(made.grammar_hash ?? '', /^sha256:[0-9a-f]{64}$/)
  const { proposal = assert.fail() } = made
  assert.equal((await stage.engine().propose(dfid, { ...proposal })).outcome, 'ACCEPTED')
  await stage.close()
})

test('what is outside of the grammar, not whole or no JSON is refused, paid for, kept, and never repaired', async () => {
  const write = (change: object, params: object = {}): string =>
    JSON.stringify({
      proposal: { ...PROPOSAL, params: { ...PROPOSAL.params, ...params }, ...change },
    })
  const outside: Script = [
    'sure: {"proposal": {}}',
    `${write({})} `.slice(0, -3),
    write({ policy_kind: 'WITHDRAW' }),
    write({}, { amount: '99999999.00' }),
    write({}, { amount: '1e3' }),
    write({}, { more: 1 }),
    write({ why: 'because' }),
    write({}, { order: 7 }),
    JSON.stringify(PROPOSAL),
    `${write({})}{"a":1}`,
    '{"proposal":{"policy_kind":"REFUND","policy_kind":"REFUND","params":{}}}',
    { text: write({}), stop: 'length' },
    { text: write({}), calls: [{ name: 'pay', arguments: '{}' }] },
  ]
  const [stage, dfid] = await staged(outside)
  for (const reply of outside)
    assert.equal(await refused(stage, dfid), 'DECODE_FAILED', JSON.stringify(reply))
  const entries = await evidence(stage, dfid)
  assert.equal(entries.length, outside.length)
  for (const entry of entries) {
    assert.deepEqual(
      [entry.finding, entry.reason_code, entry.charged],
      ['failed', 'DECODE_FAILED', true],
    )
    assert.ok(entry.grammar_hash !== undefined && entry.response_hash !== undefined)
  }
  const spent = await stage.runtime().store.readCounter(`${dfid}:tokens`)
  assert.ok(spent > outside.length && spent < 100_000, `${spent}`)
  await stage.close()
})

test('a model is not asked for kinds that leave nothing, or for two forms at once', async () => {
  const [stage, dfid] = await staged(() => assert.fail('it was asked'))
  assert.equal(
    await refused(stage, dfid, { decode: { kinds: ['WITHDRAW'] } }),
    'GRAMMAR_UNSATISFIABLE',
  )
  assert.equal(await refused(stage, dfid, { decode: { kinds: [] } }), 'GRAMMAR_UNSATISFIABLE')
  const kinds = Array.from({ length: 33 }, (_, nth) => `K${nth}`)
  assert.equal(await refused(stage, dfid, { decode: { kinds } }), 'GRAMMAR_TOO_LARGE')
  const output = { name: 'x', schema: { type: 'object' } }
  for (const change of [{ output }, { tools: [] }, { decode: {} }, { decode: { kinds: [7] } }])
    assert.equal(await refused(stage, dfid, change), 'SCHEMA_INVALID', JSON.stringify(change))
  assert.deepEqual(await evidence(stage, dfid), [])
  await stage.close()
})

test('a model that chooses tokens at random under masks writes what its agent may propose', async () => {
  const engine = await createXGrammarEngine(VOCABULARY)
  const [stage, dfid] = await stagedWith(
    createMaskedProvider({ model: createRandomModel(11), engine }),
  )
  const amounts = new Set<unknown>()
  for (let nth = 0; nth < 5; nth++) {
    const request = { ...REQUEST, model: 'random', max_tokens: 400 }
    const answer = await stage.engine().generate(dfid, request)
    assert.ok(answer.ok, JSON.stringify(answer))
    const { proposal = assert.fail() } = answer.value
    amounts.add(proposal.params.amount)
    assert.ok(Number(proposal.params.amount) <= 500)
  }
  assert.ok(amounts.size > 1)
  const { dfid: next } = await stage.runtime().open({ agent: AGENT, trigger: 'another' })
  const params = { order: 'o-9', amount: [...amounts][0] ?? null }
  const { outcome } = await stage.engine().propose(next, { policy_kind: 'REFUND', params })
  assert.equal(outcome, 'ACCEPTED')
  engine.close()
  await stage.close()
})
