import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AgentError,
  type AgentFlow,
  connectAgent,
  connectInProcess,
  decodeProposal,
} from 'rubicon-agents'
import type { Contract } from 'rubicon-kernel'
import { createScriptedProvider } from '../../../runtime/src/compose.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGENT, post, problemOf, served } from '../../../server/src/http/served.test-support.ts'

const PROVEN = { topologies: [{ topology: 'DL_PCI', agents: [AGENT] }] } as const
const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }

test('an agent that is asked for proofs proves what it proposes, and one without a key is refused', async (t) => {
  const it = await served(t, PROVEN)
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
  t.after(() => agent.close())
  const flow = await agent.open({ trigger: 'proven' })
  assert.ok(flow.context.evidence)
  const first = await flow.propose(REFUND)
  assert.equal(first.outcome, 'ACCEPTED', JSON.stringify(first))
  assert.equal((await flow.propose(REFUND)).outcome, 'REPEATED')
  const keyless = connectInProcess(it.runtime, { agent: AGENT })
  t.after(() => keyless.close())
  const other = await keyless.open({ trigger: 'unproven' })
  const refused = await other.propose(REFUND)
  assert.equal('reason_code' in refused ? refused.reason_code : '', 'TOPOLOGY_MISMATCH')
  assert.equal(it.calls.length, 1)
})

/** Half of what the capability itself takes. */
function buildBounded(): Contract {
  const limits = [{ id: 'most', kind: 'range', field: '/amount', min: '1', max: '50.00' }]
  const safety_rules = { budget_per_flow: { tokens: '20000' } }
  return buildContract(AGENT, ['REFUND'], { permissions: { limits }, safety_rules })
}

const write = (amount: string): string =>
  JSON.stringify({ proposal: { ...REFUND, params: { ...REFUND.params, amount } } })

test('what a model wrote under the grammar of a flow is proven, and what the grammar does not admit is neither signed nor sent', async (t) => {
  const scripted = createScriptedProvider({ script: [write('20.00')] })
  const contracts = [buildBounded()]
  const it = await served(t, { ...PROVEN, contracts, models: { scripted } })
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
  t.after(() => agent.close())
  const flow = await agent.open({ trigger: 'proven', steps: 'many' })
  const grammar = await flow.loadGrammar(['REFUND'])
  const options = { model: 'small', kinds: ['REFUND'] }
  const { proposal, grammar_hash } = await decodeProposal(agent, flow, options)
  assert.equal(grammar_hash, grammar.hash, 'the grammar that the decoder is held to')
  const before = (await it.runtime.store.listFlowEntries(flow.dfid)).length
  for (const params of [
    { order: 'o_1', amount: '50.01' },
    { order: 'o_1', amount: 'twenty' },
    { order: 'o_1' },
    { order: 'o_1', amount: '20.00', to: 'somebody else' },
  ])
    await assert.rejects(
      flow.propose({ ...REFUND, params }, { grammar }),
      (error) => error instanceof AgentError && error.code === 'DECODE_FAILED',
    )
  assert.equal((await it.runtime.store.listFlowEntries(flow.dfid)).length, before)
  const answer = await flow.propose({ ...proposal }, { grammar })
  assert.equal(answer.outcome, 'ACCEPTED', JSON.stringify(answer))
  await assert.rejects(flow.loadGrammar(['WITHDRAW']), { code: 'GRAMMAR_UNSATISFIABLE' })
  assert.equal(it.calls.length, 1)
})

test('a proof does not carry what compile refuses: an agent that signs outside of its grammar is told the rule', async (t) => {
  const it = await served(t, { ...PROVEN, contracts: [buildBounded()] })
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
  t.after(() => agent.close())
  const refuse = async (flow: AgentFlow, params: object): Promise<string> => {
    const answer = await flow.propose({
      ...REFUND,
      step_id: JSON.stringify(params).length.toString(),
      params,
    })
    return 'reason_code' in answer ? String(answer.reason_code) : answer.outcome
  }
  const flow = await agent.open({ trigger: 'proven', steps: 'many' })
  assert.equal(await refuse(flow, { order: 'o_1', amount: '50.01' }), 'LIMIT_EXCEEDED')
  assert.equal(await refuse(flow, { order: 'o_1', amount: 'twenty' }), 'ARGUMENTS_INVALID')
  assert.equal(await refuse(flow, { order: 'o_1', amount: '50.00' }), 'ACCEPTED')
  assert.equal(it.calls.length, 1)
})

test('in process a proposal is held to its grammar as well, and nobody gets the grammar of a flow of another', async (t) => {
  const contracts = [buildBounded(), buildContract('other_bot', ['REFUND'])]
  const it = await served(t, { contracts })
  const agent = connectInProcess(it.runtime, { agent: AGENT })
  t.after(() => agent.close())
  const flow = await agent.open({ trigger: 'plain' })
  const grammar = await flow.loadGrammar(['REFUND'])
  const params = { order: 'o_1', amount: '50.01' }
  await assert.rejects(flow.propose({ ...REFUND, params }, { grammar }), { code: 'DECODE_FAILED' })
  const path = `/v1/flows/${flow.dfid}/grammar`
  const body = { kinds: ['REFUND'] }
  assert.equal(
    problemOf(await post(await it.agent('other_bot'), path, { body }))[1],
    'IDENTITY_MISMATCH',
  )
  const unread = await post(await it.agent(), path, { body: {} })
  assert.equal(problemOf(unread)[1], 'SCHEMA_INVALID')
  assert.equal((await flow.propose(REFUND, { grammar })).outcome, 'ACCEPTED')
})
