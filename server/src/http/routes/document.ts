/** The API document: made once, when it is first asked for. */
import { encodeUtf8 } from 'rubicon-kernel'
import { buildOpenApi } from '../schemas/openapi.ts'
import type { Route } from '../schemas/route.ts'
import { open } from '../schemas/shape.ts'

/** Every route, with the one that describes them all. */
export function addDocumentRoute(routes: readonly Route[]): readonly Route[] {
  // Bytes, of which all answers under way share the same.
  let bytes: Uint8Array | null = null
  const document: Route = {
    method: 'GET',
    path: '/openapi.json',
    operation: 'getDocument',
    summary: 'this document',
    roles: 'anyone',
    reply: open,
    handle() {
      bytes ??= encodeUtf8(JSON.stringify(buildOpenApi(all)))
      return { status: 200, body: bytes, headers: { 'content-type': 'application/json' } }
    },
  }
  const all = [...routes, document]
  return all
}
