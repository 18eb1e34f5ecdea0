/** Where the rules ask for atoms, whoever opens a flow gets the first one with it. */
import { listAgentNames, type SignedAtom, selectTopology } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { issueAtom } from './issue-atom.ts'

/** Null: nothing of what the agent may do asks for one, or none can be issued now; then `atom` says why. */
export async function issueOpeningAtom(
  context: Context,
  { flow, contract: { contract } }: Pick<OpenedFlow, 'flow' | 'contract'>,
): Promise<SignedAtom | null> {
  const { topologies } = context.book.rules
  if (topologies === undefined) return null
  const asked = { agents: listAgentNames(contract), topic: flow.event?.topic ?? null }
  const kinds = contract.permissions.policy_kinds.filter(
    (policy_kind) => selectTopology(topologies, { ...asked, policy_kind }) === 'SDS',
  )
  if (kinds.length === 0) return null
  const held = kinds.filter((kind) => context.book.rules.capability(kind) !== undefined)
  const issued = await issueAtom(context, flow.dfid, { policy_kinds: held })
  return issued.ok ? issued.value : null
}
