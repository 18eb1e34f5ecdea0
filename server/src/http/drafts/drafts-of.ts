/** Whose drafts they are, and how long they may take: of one request, however many it asks about. */
import { LIMITS } from 'rubicon-kernel'
import { getPrincipalName } from '../../people/principal.ts'
import type { RouteRequest } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Draft, DraftFound, DraftKind } from './draft.ts'
import { type DraftQuestion, draftThread } from './draft-thread.ts'
import { judgeDraft } from './judge-draft.ts'

/** Throws `DraftEnded`, which is answered as what it says. */
export type AskDraft = <K extends DraftKind>(
  draft: Extract<Draft, { readonly kind: K }>,
) => Promise<DraftFound[K]>

export function createDraftAsker(
  { engine, draftMs, draftsHere }: ServerParts,
  { principal, isGone }: Pick<RouteRequest, 'principal' | 'isGone'>,
  rank: Pick<DraftQuestion, 'first'> = {},
): AskDraft {
  const asker = `${engine.context.tenant}/${getPrincipalName(principal)}`
  const asking = { asker, budget: { leftMs: draftMs ?? LIMITS.draftMs }, isGone, ...rank }
  if (draftsHere === true) return async (draft) => parseFound(await judgeDraft(draft))
  return (draft) => draftThread.ask(draft, asking)
}

/** What is found of a draft is of its kind. */
function parseFound<K extends DraftKind>(found: DraftFound[DraftKind]): DraftFound[K] {
  return found as DraftFound[K]
}
