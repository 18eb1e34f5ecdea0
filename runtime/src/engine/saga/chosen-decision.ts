import type { DecisionRecord, SignedIntent } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'

export type ChosenDecision = DecisionRecord & { readonly intent: SignedIntent }

/** The COMPENSATE, from the entry that decided it. Null: it was erased. */
export async function readChosenDecision(
  store: Pick<Store, 'listFlowEntries'>,
  { dfid, chosen }: { readonly dfid: string; readonly chosen: string },
): Promise<ChosenDecision | null> {
  for (const { envelope, payload } of await store.listFlowEntries(dfid, ['dispatch', 'accepted'])) {
    const decides = envelope.kind === 'dispatch' || envelope.kind === 'accepted'
    if (!decides || payload === null) continue
    const decision = JSON.parse(payload) as Partial<ChosenDecision>
    if (decision.intent?.intent_id === chosen) return decision as ChosenDecision
  }
  return null
}
