/** Registered public keys: what they are for, and since when they count or do not. */
import { keyInUse } from 'rubicon-kernel'
import { pageOf, parseCursor } from '../list-page.ts'
import { done, type Route } from '../route.ts'
import { keyRecord } from '../schemas/key.ts'
import type { ServerParts } from '../server.ts'
import { closed, cursor, identifier, limit, limitOf, page } from './shape.ts'

export function keyRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/keys',
      operation: 'listKeys',
      summary: 'registered public keys, newest first',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ subject: identifier, cursor, limit }),
      reply: page('keys', keyRecord),
      async handle({ query }) {
        const after = parseCursor(query, 1)
        if (!after.ok) return after.error
        const { keys } = await engine.context.authorities.latest()
        const wanted = [...keys.values()]
          .filter(({ subject }) => query.subject === undefined || subject === query.subject)
          .map((key) => ({ ...key, in_use: keyInUse(key) }))
          .sort((a, b) => b.added_seq - a.added_seq)
        const from = wanted.findIndex(({ key_id }) => key_id === after.value?.[0]) + 1
        return done(pageOf('keys', wanted.slice(from), limitOf(query), ({ key_id }) => [key_id]))
      },
    },
  ]
}
