/** The library in one file. Run it: node examples/library.ts */
import { createRuntime } from 'rubicon-runtime'

const rubicon = await createRuntime({ store: 'memory' })
rubicon.capability({
  kind: 'REFUND',
  effect: 'keyed', // the provider deduplicates by key, so a lost answer can be asked for again
  risk: 'medium',
  idempotency: { carrier: 'Idempotency-Key', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'string' } },
    required: ['order', 'amount'],
    additionalProperties: false,
  },
  measures: { refund_usd: ({ amount }) => amount },
  // The only place where anything leaves the process. Credentials live here, not with the agent.
  execute: async ({ params }, { idempotencyKey }) => {
    console.log(`provider: pay ${params.amount} under key ${idempotencyKey.slice(0, 8)}…`)
    return { result: { refund: 're_1' } }
  },
})
await rubicon.deploy({
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2025-01-01',
  mission: 'Give customers back what they are owed, and not a cent more.',
  permissions: {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'ever', measure: 'refund_usd', max: '5000.00' }],
  },
})

const flow = await rubicon.open({ agent: 'refunds_bot', trigger: 'ticket 4711' })
const answer = await flow.propose({
  policy_kind: 'REFUND',
  params: { order: 'o_1', amount: '20.00' },
})
console.log(answer.outcome, answer.reason_code ?? answer.execution?.result)
await rubicon.close()
