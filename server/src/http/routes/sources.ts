/** Who may say what is so: sources of facts, registered and retired by operators. */
import { listLastReports } from 'rubicon-runtime/engine/observe'
import { toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import { buildWholeObject, integer, nameSchema, open, string } from '../schemas/shape.ts'
import { registeredSource, sourceLabel, sourceList } from '../schemas/source.ts'
import type { ServerParts } from '../server-parts.ts'

/** What members mean, and which others there may be, is said by the engine. */
const registration = nameSchema('SourceRegistration', {
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

export function createSourceRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/sources',
      operation: 'listSources',
      summary: 'the sources of facts, the paths that each owns, and when each last reported',
      roles: ['operator', 'approver', 'auditor'],
      reply: sourceList,
      async handle() {
        const { sources } = await engine.context.authorities.loadLatest()
        const reported = await listLastReports(engine.context.store)
        return toReply({
          sources: [...sources.byId.values()],
          reported: reported === null ? null : Object.fromEntries(reported),
        })
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
      reply: registeredSource,
      async handle({ principal, body }) {
        const registered = await engine.oversight.registerSource(body, toSignedBy(principal).by)
        return registered.ok ? toReply(registered.value) : toProblemReply(registered.error)
      },
    },
    {
      method: 'DELETE',
      path: '/v1/sources/:source',
      operation: 'retireSource',
      summary: 'retire a source; its facts are absent from now on',
      roles: ['operator'],
      reply: buildWholeObject({ seq: integer }),
      async handle({ principal, params: { source = '' } }) {
        const retired = await engine.oversight.retireSource(source, toSignedBy(principal).by)
        return retired.ok ? toReply(retired.value) : toProblemReply(retired.error)
      },
    },
  ]
}
