/** Flows and requests by as much of their ids as somebody copied. */
import { ESCALATION_STATES } from 'rubicon-runtime/engine/rows'
import type { Store } from 'rubicon-runtime/ports'
import { type Route, toReply } from '../schemas/route.ts'
import { buildArray, buildClosedObject, buildWholeObject, string } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

/** Shorter ones would soon mean many. */
const BEGINNING = { type: 'string', pattern: '^[0-9a-f][0-9a-f-]{7,35}(:[0-9]{0,9})?$' }
const MOST = 10
/** Behind everything that an id may go on with. */
const END = '~'

export function createIdRoutes({ engine }: ServerParts): readonly Route[] {
  const { store } = engine.context
  return [
    {
      method: 'GET',
      path: '/v1/ids',
      operation: 'findIds',
      summary: 'flows and requests whose ids begin so, at most ten of each',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ begins: BEGINNING }, ['begins']),
      reply: buildWholeObject({ flows: buildArray(string), requests: buildArray(string) }),
      async handle({ query: { begins = '' } }) {
        const found = { from: begins, before: begins + END, limit: MOST }
        const flows = await store.listFlowSummaries(found)
        return toReply({
          flows: flows.map(({ dfid }) => dfid),
          requests: await findRequests(store, begins),
        })
      },
    },
  ]
}

async function findRequests(store: Store, begins: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const state of ESCALATION_STATES) {
    const exact = await store.readRecord('escalation', state, begins)
    const range = { after: begins, until: begins + END, limit: MOST }
    const longer = await store.listRecords('escalation', state, range)
    found.push(...(exact === null ? [] : [begins]), ...longer.map(({ key }) => key))
  }
  return found.slice(0, MOST)
}
