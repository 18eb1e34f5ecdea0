/** An honest ledger of an agent whose rules ask for a proof of everything. The forger knows the runtime's keys, not the agent's. */
import { createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import type { Capability, Runtime } from 'rubicon-runtime'
import { registerKey } from '../../../runtime/src/engine/authority/keys.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

const BANKER = 'banker'
const FLOWS = 3

const TRANSFER: Capability = {
  kind: 'TRANSFER',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { to: { type: 'string' } },
    required: ['to'],
    additionalProperties: false,
  },
  execute: ({ params }) => ({ result: params.to ?? null }),
}

export function makeProofsLedger(rng: Rng): Promise<HonestLedger> {
  const executors = rng.drawChance(0.5) ? 'separate' : 'inline'
  const topologies = [{ topology: 'DL_PCI', agents: [BANKER] }] as const
  return recordLedger(rng, { capabilities: [TRANSFER], topologies, executors }, async (runtime) => {
    await runtime.deploy(buildContract(BANKER, [TRANSFER.kind]))
    const key = await createAgentKey()
    const { context } = runtime.engine
    const registered = await registerKey(context, await signKeyRegistration(key, BANKER))
    if (!registered.ok) throw new Error(registered.error.summary)
    for (let index = 0; index < FLOWS; index++)
      await transfer(runtime, key, `account-${rng.drawBelow(1e6)}`)
  })
}

async function transfer(
  runtime: Runtime,
  key: Parameters<typeof proveIntent>[0],
  to: string,
): Promise<void> {
  const flow = await runtime.open({ agent: BANKER, trigger: `for ${to}` })
  const { evidence } = flow.context
  if (evidence === undefined) throw new Error('the agent is asked for proofs')
  const proposal = { policy_kind: TRANSFER.kind, params: { to } }
  const answer = await flow.propose(await proveIntent(key, { ...flow.context, evidence }, proposal))
  if (answer.outcome !== 'ACCEPTED') throw new Error(`a proof is refused: ${answer.reason_code}`)
}
