/** A decision in one piece: a model of the runtime writes a proposal under a grammar, and the agent proposes it. */
import assert from 'node:assert/strict'
import { AgentError, decodeProposal } from 'rubicon-agents'
import { createScriptedProvider } from '../../../runtime/src/compose.ts'
import type { ModelRequest } from '../../../runtime/src/ports/model.ts'
import { stage, testBoth } from './connected.test-support.ts'

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
