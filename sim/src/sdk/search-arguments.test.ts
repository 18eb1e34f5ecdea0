/** A model that searches for nonsense is told so, and its run goes on. */
import assert from 'node:assert/strict'
import { type AgentModel, type ModelReply, runAgent } from 'rubicon-agents'
import { stage, testBoth } from './connected.test-support.ts'

const QUERIES = [
  '{}',
  '{"query":{}}',
  '{"query":[]}',
  '{"query":null}',
  '{"query":7}',
  '{"query":""}',
]

function scriptCalls(calls: readonly (readonly [string, string])[]): AgentModel {
  let turn = 0
  return {
    async generate(): Promise<ModelReply> {
      const [name, given] = calls[Math.min(turn, calls.length - 1)] ?? ['', '']
      turn += 1
      const usage = { input_tokens: 10, output_tokens: 5 }
      return {
        text: '',
        calls: [{ id: `c${turn}`, name, arguments: given }],
        stop: 'tools',
        usage,
      }
    },
  }
}

testBoth('a search for what is no text does not end the run of its agent', async (t, way) => {
  const it = await stage(t, way)
  const searches = QUERIES.map((query) => ['rubicon_search', query] as const)
  const paid = ['REFUND', '{"order":"o_1","amount":"20.00"}'] as const
  const run = await runAgent({
    model: scriptCalls([...searches, paid]),
    agent: await it.connect(),
    flow: { trigger: 'ticket 4711' },
  })
  assert.equal(run.end.kind, 'settled')
  assert.deepEqual(
    run.calls.map(({ code }) => code),
    [...QUERIES.map(() => 'SCHEMA_INVALID'), null],
  )
  assert.equal(it.calls.length, 1)
})
