/** Requests as the search index has them: which, in which order, and how many. */
import { err, ok, type Result } from 'rubicon-kernel'
import { getPrincipalName } from '../../people/principal.ts'
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
  { principal, query }: Pick<RouteRequest, 'principal' | 'query'>,
): Promise<Result<IndexedPage, Reply>> {
  const reply = await lookups.answer('searchEscalations', {
    ...{ asker: getPrincipalName(principal), own: null, params: {} },
    query: { state: 'open', ...query },
  })
  return reply.status === 200 ? ok(parseIndexedPage(reply.body)) : err(reply)
}

/** A lookup answers as its route does; from another thread, as text. */
function parseIndexedPage(body: Reply['body']): IndexedPage {
  return (typeof body === 'string' ? JSON.parse(body) : body) as IndexedPage
}
