/** Who may say what is so: sources of facts, registered and retired by operators. */
import type { FactSource } from 'rubicon-kernel'
import { toSignedBy } from '../principal.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { boolean, count, integer, many, named, open, string, whole, words } from './shape.ts'

const sourceLabel = named('SourceLabel', words('trusted', 'operator', 'external'))

const factSource = named(
  'FactSource',
  whole<FactSource>(
    {
      source_id: string,
      label: sourceLabel,
      paths: many(string),
      max_paths: count,
      key: string,
    },
    ['key'],
  ),
)

/** What members mean, and which others there may be, is said by the engine. */
const registration = named('SourceRegistration', {
  type: 'object',
  properties: {
    source_id: string,
    label: sourceLabel,
    paths: { type: 'array', items: string },
    max_paths: integer,
    key: string,
  },
  required: ['source_id', 'label', 'paths'],
})

export function sourceRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/sources',
      operation: 'listSources',
      summary: 'the sources of facts, and the paths that each owns',
      roles: ['operator', 'approver', 'auditor'],
      reply: whole({ sources: many(factSource) }),
      async handle() {
        const { sources } = await engine.context.authorities.loadLatest()
        return done({ sources: [...sources.byId.values()] })
      },
    },
    {
      method: 'POST',
      path: '/v1/sources',
      operation: 'registerSource',
      summary: 'register a source of facts; one of the same name takes its place',
      roles: ['operator'],
      body: open,
      written: registration,
      reply: whole({ source: factSource, unchanged: boolean }),
      async handle({ principal, body }) {
        const registered = await engine.oversight.registerSource(body, toSignedBy(principal).by)
        return registered.ok ? done(registered.value) : refused(registered.error)
      },
    },
    {
      method: 'DELETE',
      path: '/v1/sources/:source',
      operation: 'retireSource',
      summary: 'retire a source: what it said is absent from now on',
      roles: ['operator'],
      reply: whole({ seq: integer }),
      async handle({ principal, params: { source = '' } }) {
        const retired = await engine.oversight.retireSource(source, toSignedBy(principal).by)
        return retired.ok ? done(retired.value) : refused(retired.error)
      },
    },
  ]
}
