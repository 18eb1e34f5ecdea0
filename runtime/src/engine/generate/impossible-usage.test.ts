/** A provider that counts less than can be true would give its tokens away, and the budget with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelProvider, ModelReply, ModelRequest } from '../../ports/model.ts'
import { AGENT, flowStage } from '../flow/flow-stage.test-support.ts'

const REQUEST: ModelRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'long '.repeat(2_000) }],
  max_tokens: 4_000,
}

/** What is counted where a provider says this. */
async function countTokens(reply: Partial<ModelReply>): Promise<number> {
  const acme: ModelProvider = {
    name: 'acme',
    findPrice: () => ({ input: '1', output: '1' }),
    generate: async () => ({
      ...{ model: 'm-1', text: 'yes', calls: [], stop: 'end', usage: null, raw: '{}' },
      ...reply,
    }),
  }
  const stage = await flowStage({ models: { acme } })
  await stage.deploy({ safety_rules: { budget_per_flow: { tokens: '100000', usd: '1' } } })
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  let isOver = false
  const asked = stage
    .engine()
    .generate(dfid, REQUEST)
    .finally(() => {
      isOver = true
    })
  // A long request is counted in slices.
  while (!isOver) await stage.clock.advance(0)
  const answer = await asked
  assert.ok(answer.ok, JSON.stringify(answer))
  const counted = await stage.runtime().store.readCounter(`${dfid}:tokens`)
  await stage.close()
  return counted
}

test('usage that is too small to be true does not take the place of what was reserved', async () => {
  const reserved = await countTokens({ usage: null })
  assert.ok(reserved > 4_000)
  const text = 'x'.repeat(500_000)
  const calls = [{ id: 'a', name: 'pay', arguments: `"${text}"` }]
  const lies: readonly Partial<ModelReply>[] = [
    { usage: { input_tokens: 0, output_tokens: 0 } },
    { usage: { input_tokens: 0, output_tokens: 10 } },
    { usage: { input_tokens: 1, output_tokens: 10 } },
    { usage: { input_tokens: 2_000, output_tokens: 0 } },
    { usage: { input_tokens: 2_000, output_tokens: 1 }, text },
    { usage: { input_tokens: 2_000, output_tokens: 1 }, text: '', calls },
  ]
  for (const lie of lies) assert.equal(await countTokens(lie), reserved, JSON.stringify(lie.usage))
  const honest = { input_tokens: 2_000, output_tokens: 10 }
  assert.equal(await countTokens({ usage: honest }), 2_010)
  const silent = { usage: { input_tokens: 2_000, output_tokens: 0 }, text: '' }
  assert.equal(await countTokens(silent), 2_000)
})
