/** An agent with a key of its own that proves what it proposes. */
import { createAgentKey, proveIntent, signKeyRegistration } from 'rubicon-agents'
import type { JsonObject, ProofCarryingIntent } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import { registerKey } from 'rubicon-runtime/engine/authority'

export type ProvingAgent = {
  /** Bound to what the flow was shown, and signed. */
  prove(flow: Flow, proposal: JsonObject): Promise<ProofCarryingIntent>
  /** The same, where the grammar of the flow admits it: what it does not is never signed. */
  proveWithin(flow: Flow, proposal: JsonObject): Promise<ProofCarryingIntent>
}

/** After its contract was deployed. */
export async function createProvingAgent(
  { engine }: Runtime,
  agent: string,
): Promise<ProvingAgent> {
  const key = await createAgentKey()
  const registered = await registerKey(engine.context, await signKeyRegistration(key, agent))
  if (!registered.ok) throw new Error(registered.error.summary)
  const prove = async (
    { context }: Flow,
    proposal: JsonObject,
    options?: Parameters<typeof proveIntent>[3],
  ): Promise<ProofCarryingIntent> => {
    const { evidence } = context
    if (evidence === undefined) throw new Error('the rules ask this agent for no proofs')
    return proveIntent(key, { ...context, evidence }, proposal, options)
  }
  return {
    prove: (flow, proposal) => prove(flow, proposal),
    proveWithin: async (flow, proposal) =>
      prove(flow, proposal, { grammar: await flow.loadGrammar([String(proposal.policy_kind)]) }),
  }
}
