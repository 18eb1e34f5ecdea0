/** A model of the runtime in the loop of an agent: asked by the runtime, counted by it, and on its record. */
import assert from 'node:assert/strict'
import { AgentError, createFlowModel, decodeProposal, runAgent } from 'rubicon-agents'
import { createScriptedProvider } from '../../../runtime/src/compose.ts'
import type { ModelRequest } from '../../../runtime/src/ports/model.ts'
import { stage, testBoth } from './connected.test-support.ts'

testBoth('a model of the runtime proposes, and what it used is counted there', async (t, way) => {
  const asked: (string | undefined)[] = []
  const provider = createScriptedProvider({
    script(request, turn) {
      const [call] = request.messages.flatMap((one) => (one.role === 'assistant' ? one.calls : []))
      asked.push(call?.signature)
      const amount = turn === 0 ? '20000.00' : '20.00'
      const given = JSON.stringify({ order: 'o_1', amount })
      const calls = [{ name: 'REFUND', arguments: given, signature: 'kept for the provider' }]
      return { calls, usage: { input_tokens: 100, output_tokens: 20 } }
    },
  })
  const it = await stage(t, way, { models: { scripted: provider } })
  const agent = await it.connect()
  const run = await runAgent({
    model: (flow) => createFlowModel(agent, flow.dfid, { model: 'small' }),
    agent,
    flow: { trigger: 'ticket 4711' },
  })
  assert.equal(run.end.kind, 'settled')
  assert.deepEqual([run.rounds, it.calls.length], [2, 1])
  assert.deepEqual(
    asked,
    [undefined, 'kept for the provider'],
    'what a provider wants back it gets',
  )
  const entries = await it.runtime.store.listFlowEntries(run.dfid)
  const models = entries
    .map(({ payload }) => JSON.parse(payload ?? '{}') as { source?: string; used?: object })
    .filter(({ source }) => source === 'model' || source === 'agent')
  assert.deepEqual(
    models.map(({ source }) => source),
    ['model', 'model'],
    'the runtime counted, and the agent reported nothing beside it',
  )
})

/** Of a decision in one piece: a model of the runtime writes it under a grammar, and the agent proposes it. */
const write = (amount: unknown): string =>
  JSON.stringify({ proposal: { policy_kind: 'REFUND', params: { order: 'o_1', amount } } })

testBoth(
  'what a model wrote under a grammar is proposed, and what is outside has a code',
  async (t, way) => {
    const asked: ModelRequest[] = []
    const provider = createScriptedProvider({
      script(request, turn) {
        asked.push(request)
        return write(turn === 0 ? 20 : '20.00')
      },
    })
    const it = await stage(t, way, { models: { scripted: provider } })
    const agent = await it.connect()
    const flow = await agent.open({ trigger: 'ticket 4711' })
    const options = { model: 'small', kinds: ['REFUND'], instructions: 'Be kind.' }
    await assert.rejects(
      decodeProposal(agent, flow, options),
      (error) => error instanceof AgentError && error.code === 'DECODE_FAILED',
    )
    await assert.rejects(
      decodeProposal(agent, flow, { ...options, kinds: ['WITHDRAW'] }),
      (error) => error instanceof AgentError && error.code === 'GRAMMAR_UNSATISFIABLE',
    )
    const { proposal, grammar_hash } = await decodeProposal(agent, flow, options)
    assert.match(grammar_hash, /^sha256:[0-9a-f]{64}$/)
    assert.equal((await flow.propose({ ...proposal })).outcome, 'ACCEPTED')
    const [first] = asked
    assert.match(first?.system ?? '', /one JSON document[\s\S]*Be kind\.$/)
    assert.doesNotMatch(first?.system ?? '', /calling tools/)
    assert.equal(first?.tools, undefined)
    assert.equal(asked.length, 2)
  },
)
