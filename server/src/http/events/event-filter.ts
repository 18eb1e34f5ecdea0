/** Which events somebody wants, and which they may have. */
import { ENTRY_KINDS, type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Principal } from '../../people/principal.ts'
import { buildClosedObject } from '../schemas/shape.ts'
import type { EventView } from './event-view.ts'

export type EventFilter = (event: EventView) => boolean

export const acceptEveryEvent: EventFilter = () => true

/** Several are joined by commas. */
function buildCommaListSchema(pattern: string): JsonObject {
  const maxLength = LIMITS.eventFilterLength
  return { type: 'string', maxLength, pattern: `^${pattern}(,${pattern})*$` }
}

const identifiers = buildCommaListSchema('[A-Za-z0-9._:@-]{1,128}')

/** Where a leaf stands; -1: before the first. */
export const LEAF_PATTERN = '^(-1|0|[1-9][0-9]{0,14})$'

export const eventQuery: JsonObject = buildClosedObject({
  after: { type: 'string', pattern: LEAF_PATTERN },
  dfid: identifiers,
  agent: identifiers,
  kind: buildCommaListSchema(`(${ENTRY_KINDS.join('|')})`),
})

/** An agent is told of its own flows and of nothing else, whatever it asks for. */
export function createEventFilter(
  principal: Principal,
  query: Readonly<Record<string, string>>,
): EventFilter {
  const dfids = query.dfid?.split(',')
  const agents = query.agent?.split(',')
  const kinds = query.kind?.split(',')
  const own = principal.kind === 'agent' ? principal.agent_id : undefined
  if ((own ?? dfids ?? agents ?? kinds) === undefined) return acceptEveryEvent
  const isAmong = (wanted: readonly string[] | undefined, value: string | null): boolean =>
    wanted === undefined || (value !== null && wanted.includes(value))
  return ({ dfid, agent_id, kind }) =>
    (own === undefined || (agent_id === own && dfid !== null)) &&
    isAmong(dfids, dfid) &&
    isAmong(agents, agent_id) &&
    isAmong(kinds, kind)
}
