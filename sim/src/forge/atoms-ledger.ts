/** An honest ledger of an agent whose rules ask for an atom with everything, two steps a flow. */
import type { Capability, Runtime } from 'rubicon-runtime'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

const TRADER = 'trader'
const FLOWS = 2

const ORDER: Capability = {
  kind: 'ORDER',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { item: { type: 'string' } },
    required: ['item'],
    additionalProperties: false,
  },
  execute: ({ params }) => ({ result: params.item ?? null }),
}

export function makeAtomsLedger(rng: Rng): Promise<HonestLedger> {
  const executors = rng.drawChance(0.5) ? 'separate' : 'inline'
  const topologies = [{ topology: 'SDS', agents: [TRADER] }] as const
  return recordLedger(rng, { capabilities: [ORDER], topologies, executors }, async (runtime) => {
    await runtime.deploy(buildContract(TRADER, [ORDER.kind]))
    for (let index = 0; index < FLOWS; index++) await order(runtime, rng)
  })
}

async function order(runtime: Runtime, rng: Rng): Promise<void> {
  const flow = await runtime.open({ agent: TRADER, trigger: 'a stream', steps: 'many' })
  for (const step_id of ['first', 'second']) {
    const { atom_id } = await flow.atom()
    const params = { item: `item-${rng.drawBelow(1e6)}` }
    const answer = await flow.propose({ policy_kind: ORDER.kind, step_id, params, atom_id })
    if (answer.outcome !== 'ACCEPTED') throw new Error(`an atom is refused: ${answer.reason_code}`)
  }
  await flow.close()
}
