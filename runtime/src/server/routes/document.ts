/** The API document: made once, when it is first asked for. */
import { buildOpenApi } from '../openapi.ts'
import type { Route } from '../route.ts'
import { open } from './shape.ts'

/** Every route, with the one that describes them all. */
export function addDocumentRoute(routes: readonly Route[]): readonly Route[] {
  let text: string | null = null
  const document: Route = {
    method: 'GET',
    path: '/openapi.json',
    operation: 'getDocument',
    summary: 'this document',
    roles: 'anyone',
    reply: open,
    handle() {
      text ??= JSON.stringify(buildOpenApi(all))
      return { status: 200, body: text, headers: { 'content-type': 'application/json' } }
    },
  }
  const all = [...routes, document]
  return all
}
