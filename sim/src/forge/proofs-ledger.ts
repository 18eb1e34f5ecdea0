/**
 * An honest ledger of an agent whose rules ask for a proof of everything: transfers, and one flow whose second transfer is
 * refused, so that the first is taken back as both had fixed. The forger knows the runtime's keys, not the agent's.
 */
import { createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import { type Capability, type Flow, NotApplied, type Runtime } from 'rubicon-runtime'
import { registerKey } from '../../../runtime/src/engine/authority/keys.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

type AgentKey = Parameters<typeof proveIntent>[0]

const BANKER = 'banker'
const FLOWS = 3
const CLOSED = 'closed-account'

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
  execute({ params }) {
    if (params.to === CLOSED) throw new NotApplied('the account is closed')
    return { result: params.to ?? null }
  },
  compensate: () => ({}),
}

export function makeProofsLedger(rng: Rng): Promise<HonestLedger> {
  const executors = rng.drawChance(0.5) ? 'separate' : 'inline'
  const topologies = [{ topology: 'DL_PCI', agents: [BANKER] }] as const
  return recordLedger(rng, { capabilities: [TRANSFER], topologies, executors }, async (runtime) => {
    const compensation = ['REVERT']
    await runtime.deploy({ ...buildContract(BANKER, [TRANSFER.kind]), compensation })
    const key = await createAgentKey()
    const { context } = runtime.engine
    const registered = await registerKey(context, await signKeyRegistration(key, BANKER))
    if (!registered.ok) throw new Error(registered.error.summary)
    for (let index = 0; index < FLOWS; index++) {
      const to = `account-${rng.drawBelow(1e6)}`
      await transfer(await runtime.open({ agent: BANKER, trigger: `for ${to}` }), key, to)
    }
    await failHalfway(runtime, key)
  })
}

/** One of two transfers is done, and taken back when the other fails. */
async function failHalfway(runtime: Runtime, key: AgentKey): Promise<void> {
  const flow = await runtime.open({ agent: BANKER, trigger: 'two accounts', steps: 'many' })
  for (const [number, to] of ['account-0', CLOSED].entries()) {
    await transfer(flow, key, to, `transfer-${number}`)
    await runtime.engine.context.inFlight.awaitDrained()
  }
  await runtime.engine.reconcile()
  await runtime.engine.context.inFlight.awaitDrained()
}

async function transfer(flow: Flow, key: AgentKey, to: string, step?: string): Promise<void> {
  const { evidence } = flow.context
  if (evidence === undefined) throw new Error('the agent is asked for proofs')
  const named = step === undefined ? {} : { step_id: step }
  const proposal = { policy_kind: TRANSFER.kind, params: { to }, ...named }
  const answer = await flow.propose(await proveIntent(key, { ...flow.context, evidence }, proposal))
  if (answer.outcome !== 'ACCEPTED') throw new Error(`a proof is refused: ${answer.reason_code}`)
}
