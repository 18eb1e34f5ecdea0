/** `npm test`: what the agent may do, whatever a model asks for. The ledger is in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScriptedProvider } from 'rubicon-runtime'
import { openAgent } from './agent.ts'

/** Lets a model ask for one amount after the other, and says what each came to. */
async function tryAmounts(...amounts: readonly string[]) {
  const script = amounts.map((amount) => ({
    calls: [{ name: 'REFUND', arguments: JSON.stringify({ order: 'o_1', amount }) }],
  }))
  const provider = createScriptedProvider({ script })
  const agent = await openAgent({ provider, model: 'scripted', store: 'memory' })
  try {
    const { calls } = await agent.answerTicket('order o_1 came broken')
    return calls.map(({ answer, code }) => code ?? answer?.outcome)
  } finally {
    await agent.close()
  }
}

test('a refund up to the limit is accepted', async () => {
  assert.deepEqual(await tryAmounts('500.00'), ['ACCEPTED'])
})

test('a refund above the limit is refused, and the model may ask for less', async () => {
  assert.deepEqual(await tryAmounts('500.01', '20.00'), ['LIMIT_EXCEEDED', 'ACCEPTED'])
})
