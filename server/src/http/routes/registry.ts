/** Authority for processes elsewhere that read it here. */
import { ok } from 'rubicon-kernel'
import { writeManifestPage } from 'rubicon-runtime/engine/authority'
import { toProblemReply } from '../problems/problem.ts'
import type { Route } from '../schemas/route.ts'
import { buildClosedObject, natural } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

/** Minted by whoever asks, for one question. */
const nonce = { type: 'string', minLength: 16, maxLength: 64 } as const

export function createRegistryRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/registry/entries',
      operation: 'readRegistry',
      summary: 'entries of the authority trajectory from a seq on, signed for this question',
      roles: ['operator', 'auditor'],
      query: buildClosedObject({ from: natural, nonce }, ['from', 'nonce']),
      reply: 'text',
      async handle({ query }) {
        const asked = { from: Number(query.from), nonce: query.nonce ?? '' }
        const page = await engine.runAsked(async () =>
          ok(await writeManifestPage(engine.context, asked)),
        )
        if (!page.ok) return toProblemReply(page.error)
        const headers = { 'content-type': 'text/plain; charset=utf-8' }
        return { status: 200, body: page.value, headers }
      },
    },
  ]
}
