/** Requests as the search index has them: which, in which order, and how many. */
import { err, ok, type Result } from 'rubicon-kernel'
import { getPrincipalName } from '../../people/principal.ts'
import type { LookupRequest } from '../lookups/lookup.ts'
import { UNUSABLE } from '../lookups/search.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'

type IndexedPage = {
  readonly rows: readonly { readonly id: string }[]
  readonly next: string | null
  readonly counts: object | null
  readonly indexed: object
}

/** Those that wait, if nobody says. */
export async function askIndex(
  { lookups }: RouteParts,
  asked: Pick<RouteRequest, 'principal' | 'query'>,
): Promise<Result<IndexedPage, Reply>> {
  const reply = await lookups.answer('searchEscalations', toQuestion(asked))
  return reply.status === 200 ? ok(parseReply<IndexedPage>(reply.body)) : err(reply)
}

type Counted = Pick<IndexedPage, 'counts' | 'indexed'>

/** Beside requests that the store lists: whatever is wrong with the index, they are shown. */
export async function countIndexed(
  { lookups }: RouteParts,
  asked: Pick<RouteRequest, 'principal' | 'query'>,
): Promise<Counted> {
  const reply = await lookups.answer('countEscalations', toQuestion(asked))
  return reply.status === 200
    ? parseReply<Counted>(reply.body)
    : { counts: null, indexed: UNUSABLE }
}

function toQuestion({
  principal,
  query,
}: Pick<RouteRequest, 'principal' | 'query'>): LookupRequest {
  const asker = getPrincipalName(principal)
  return { asker, own: null, params: {}, query: { state: 'open', ...query } }
}

/** A lookup answers as its route does; from another thread, as text. */
function parseReply<Body>(body: Reply['body']): Body {
  return (typeof body === 'string' ? JSON.parse(body) : body) as Body
}
