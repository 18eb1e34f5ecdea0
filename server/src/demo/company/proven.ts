/** A payment that proves itself: the treasury signs what it wants together with everything that it stands on. */
import { createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import type { TopologyRow } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import { registerKey } from 'rubicon-runtime/engine/authority'
import { TRADER } from './contracts.ts'
import { toPricePath } from './outside.ts'

/** Invoices are paid by proven intents alone. */
export const COMPANY_TOPOLOGIES: readonly TopologyRow[] = [
  { topology: 'DL_PCI', policy_kinds: ['PAY_INVOICE'] },
]

/** Once for a store: the key of the agent is kept nowhere. */
export async function payInvoice({ engine, ...runtime }: Runtime): Promise<void> {
  const key = await createAgentKey()
  const registered = await registerKey(engine.context, await signKeyRegistration(key, TRADER))
  if (!registered.ok) return
  const state = [toPricePath('EUR')]
  const flow = await runtime.open({ agent: TRADER, trigger: 'invoice 2207 of weber-gmbh', state })
  const { evidence } = flow.context
  if (evidence === undefined) return
  const proof = await proveIntent(
    key,
    { ...flow.context, evidence },
    {
      policy_kind: 'PAY_INVOICE',
      params: { supplier: 'weber-gmbh', currency: 'EUR', usd: '6200.00' },
      justification: 'the goods arrived, and the invoice says the same as the order',
    },
  )
  const isElsewhere = engine.context.executors === 'elsewhere'
  await flow.propose(proof, isElsewhere ? { waitMs: 0 } : {})
}
