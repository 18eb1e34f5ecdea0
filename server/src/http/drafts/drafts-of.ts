/** Whose drafts they are, and how long they may take: of one request, however many it asks about. */
import { LIMITS } from 'rubicon-kernel'
import { getPrincipalName } from '../../people/principal.ts'
import type { RouteRequest } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Draft, DraftFound, DraftKind } from './draft.ts'
import { type DraftQuestion, draftThread } from './draft-thread.ts'

/** Throws `DraftEnded`, which is answered as what it says. */
export type AskDraft = <K extends DraftKind>(
  draft: Extract<Draft, { readonly kind: K }>,
) => Promise<DraftFound[K]>

export function createDraftAsker(
  { engine, draftMs }: ServerParts,
  { principal, isGone }: Pick<RouteRequest, 'principal' | 'isGone'>,
  rank: Pick<DraftQuestion, 'first'> = {},
): AskDraft {
  const asker = `${engine.context.tenant}/${getPrincipalName(principal)}`
  const asking = { asker, budget: { leftMs: draftMs ?? LIMITS.draftMs }, isGone, ...rank }
  return (draft) => draftThread.ask(draft, asking)
}
