/**
 * The writs that a proposal stands on, leaf first: the flow's own, or one that the proposal names.
 * A link that cannot be found is left out, and the signature stage refuses the broken chain.
 */
import { type Address, isAddress, LIMITS, type Writ } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'

export async function loadWritChain(
  context: Context,
  flow: FlowRow,
  named: string | undefined,
): Promise<readonly Writ[]> {
  const chain: Writ[] = []
  if (named !== undefined && named !== flow.writs[0]?.id) {
    let next: Address | undefined = isAddress(named) ? named : undefined
    while (next !== undefined && chain.length <= LIMITS.delegationDepth) {
      const writ: Writ | undefined = (await context.store.readWrit(next))?.writ
      if (writ === undefined) return chain
      context.writs.remember(writ)
      chain.push(writ)
      next = writ.body.parent
    }
    return chain
  }
  for (const ref of flow.writs) {
    const writ = await context.writs.load(ref)
    if (writ !== null) chain.push(writ)
  }
  return chain
}
