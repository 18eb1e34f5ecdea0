/** What waits for somebody, and what they decide. Whoever decides is who the token says. */
import {
  DECISIONS,
  describeObject,
  type EscalationDecision,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type Modification,
  UNKNOWN_NAMING,
} from 'rubicon-kernel'
import {
  describeStakes,
  type EscalationFilter,
  type EscalationPlace,
  type EscalationSummary,
  loadEscalationSummary,
  type PersonDeciding,
  parseEscalationAction,
} from 'rubicon-runtime/engine/approve'
import { ESCALATION_STATES, loadEscalation } from 'rubicon-runtime/engine/rows'
import { addLinkCommand, identifyOnlooker } from '../../people/person-asking.ts'
import { isSearch } from '../../search/index.ts'
import { toProblemReply } from '../problems/problem.ts'
import {
  decided,
  ENDS,
  escalationSummary,
  escalationView,
  IMPACTS,
  type ListedEscalation,
  QUEUES,
} from '../schemas/escalation.ts'
import { modificationView } from '../schemas/escalation-brief.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildSearchedPageSchema, searchFilter, timeFilter } from '../schemas/search.ts'
import {
  boolean,
  buildClosedObject,
  buildEnum,
  buildWordListSchema,
  cursor,
  identifier,
  limit,
  listOf,
  moment,
  nameSchema,
  open,
  parseLimit,
  selectWords,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { encodeCursor, parseCursor } from '../views/list-page.ts'
import { askIndex, countIndexed } from './indexed-escalations.ts'

const modified: JsonObject = nameSchema('Modification', {
  ...buildClosedObject({ params: open, execution_constraints: open }, ['params']),
  description: 'with MODIFY',
})

/** Members that are missing or not wanted are named by the kernel, which alone reads a decision. */
const written: JsonObject = buildClosedObject(
  {
    decision: {
      ...buildEnum(...DECISIONS),
      description: 'whether it runs, runs modified, or ends',
    },
    intent_digest: { ...identifier, description: 'of the brief: what would run' },
    shown_snapshot: { ...identifier, description: 'of the brief: what the agent had seen' },
    lifts: {
      ...listOf(text(256), LIMITS.contractLimits),
      description: 'ids of triggers; nothing else is lifted',
    },
    valid_until: { ...moment, description: 'an instant in UTC; an ABORT needs none' },
    justification: { ...text(LIMITS.json.bytes), description: 'why; it is recorded' },
    acknowledged_impact: {
      ...buildEnum(...IMPACTS),
      description: 'the impact that was on the screen',
    },
    acknowledgement: { ...text(256), description: 'what the request asks to be typed, verbatim' },
    shown_facts: { ...identifier, description: 'of the brief: refused if facts have moved since' },
    modified,
    modification: { ...identifier, description: 'with MODIFY: the digest of its judgement' },
    retire: { ...boolean, description: 'with ABORT: the agent ends as well' },
    signature: {
      ...buildClosedObject(
        {
          key_id: { ...string, description: 'the key that signed' },
          sig: { ...string, description: 'base64' },
        },
        ['key_id', 'sig'],
      ),
      description: 'by a key of the approver',
    },
  },
  ['decision', 'intent_digest', 'shown_snapshot', 'justification'],
)

const filter = buildClosedObject({
  state: buildEnum(...ESCALATION_STATES),
  agent: identifier,
  impact: buildEnum(...IMPACTS),
  queue: buildEnum(...QUEUES),
  ended: buildWordListSchema(...ENDS),
  ...timeFilter,
  ...searchFilter,
  cursor,
  limit,
})

export function createEscalationRoutes(parts: RouteParts): readonly Route[] {
  return [...createReadingRoutes(parts), ...createDecidingRoutes(parts)]
}

function createReadingRoutes(parts: RouteParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'GET',
      path: '/v1/escalations',
      operation: 'listEscalations',
      summary: 'requests that wait for a decision, oldest first; or those that ended',
      roles: ['operator', 'approver', 'auditor'],
      query: filter,
      reply: buildSearchedPageSchema('escalations', escalationSummary),
      handle: (asked) =>
        isSearch('escalations', asked.query) ? searchPage(parts, asked) : readPage(parts, asked),
    },
    {
      method: 'GET',
      path: '/v1/escalations/:id',
      operation: 'getEscalation',
      summary: 'a request with what its agent was shown',
      roles: ['operator', 'approver', 'auditor'],
      reply: escalationView,
      async handle({ params }) {
        const found = await engine.oversight.escalation(params.id ?? '')
        return found === null ? refuseUnknownRequest(params.id ?? '') : toReply(found)
      },
    },
  ]
}

async function readPage(parts: RouteParts, asked: RouteRequest): Promise<Reply> {
  const { engine } = parts
  const place = parseCursor(asked.query, 3)
  if (!place.ok) return place.error
  const found = await engine.oversight.escalationPage(
    parseEscalationFilter(asked.query, place.value),
  )
  return toReply({
    escalations: await Promise.all(found.escalations.map((one) => addWhat(engine, one))),
    next: found.next === null ? null : encodeCursor(toCursorPlace(found.next)),
    ...(await countIndexed(parts, asked)),
  })
}

/** What the index found, as the store has it now. */
async function searchPage(parts: RouteParts, asked: RouteRequest): Promise<Reply> {
  const { engine } = parts
  const found = await askIndex(parts, asked)
  if (!found.ok) return found.error
  const { rows, ...beside } = found.value
  const read = await Promise.all(rows.map(({ id }) => loadEscalationSummary(engine.context, id)))
  const there = read.filter((one) => one !== null)
  return toReply({
    escalations: await Promise.all(there.map((one) => addWhat(engine, one))),
    ...beside,
  })
}

/** The action and its first parameters; of a request about no action, what kind it is. And what is at stake. */
async function addWhat(
  { context }: ServerParts['engine'],
  one: EscalationSummary,
): Promise<ListedEscalation> {
  const stored = await loadEscalation(context, one.state, one.id)
  const { action, params } = stored === null ? NO_ACTION : parseEscalationAction(stored.body)
  const naming = action === null ? undefined : context.book.capability(action)?.law.description
  const object = describeObject(naming ?? UNKNOWN_NAMING, params)
  const what = action === null ? one.kind : `${action} ${object}`.trimEnd()
  const request = stored?.body.request
  const exposure = request?.exposure ?? null
  return {
    ...{ ...one, what, action, exposure },
    stakes: request === undefined ? null : describeStakes(request),
  }
}

const NO_ACTION: ReturnType<typeof parseEscalationAction> = { action: null, params: {} }

function createDecidingRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/escalations/:id/modification',
      operation: 'judgeModification',
      summary: 'check a MODIFY: what it would do, its impact, and what deciding it requires',
      roles: ['approver'],
      body: buildClosedObject({ modified: open }, ['modified']),
      written: buildClosedObject({ modified }, ['modified']),
      reply: modificationView,
      async handle({ principal, params, body }) {
        const id = params.id ?? ''
        if (principal.kind !== 'person') return refuseUnknownRequest(id)
        const changed = parseModified(body)
        const by = await identifyDecider(engine, principal)
        const said = await engine.oversight.judgeModification(id, changed, by)
        return said.ok ? toReply(said.value) : toProblemReply(addLinkCommand(said.error, principal))
      },
    },
    {
      method: 'POST',
      path: '/v1/escalations/:id/decision',
      operation: 'decideEscalation',
      summary:
        'decide: OVERRIDE (approve), MODIFY (edit) or ABORT (reject); bound to the digest that was shown, used once',
      roles: ['approver'],
      body: open,
      written,
      once: true,
      reply: decided,
      async handle({ principal, params, body }) {
        if (principal.kind !== 'person') return refuseUnknownRequest(params.id ?? '')
        const by = await identifyDecider(engine, principal)
        const said = await engine.oversight.decideEscalation(
          params.id ?? '',
          parseDecision(body),
          by,
        )
        return said.ok ? toReply(said.value) : toProblemReply(addLinkCommand(said.error, principal))
      },
    },
  ]
}

/** Whoever asks, by the login that they came with. */
async function identifyDecider(
  engine: ServerParts['engine'],
  principal: RouteRequest['principal'],
): Promise<PersonDeciding> {
  const { name, approver: _, ...came } = await identifyOnlooker(engine, principal)
  return { kind: 'person', principal: name, ...came }
}

function parseEscalationFilter(
  query: RouteRequest['query'],
  place: readonly string[] | undefined,
): EscalationFilter {
  const state = ESCALATION_STATES.find((known) => known === query.state)
  const impact = IMPACTS.find((known) => known === query.impact)
  const queue = QUEUES.find((known) => known === query.queue)
  const ended = selectWords(ENDS, query.ended)
  const beyond = parseCursorPlace(place)
  return {
    limit: parseLimit(query),
    ...(state === undefined ? {} : { state }),
    ...(query.agent === undefined ? {} : { agent_id: query.agent }),
    ...(impact === undefined ? {} : { impact }),
    ...(queue === undefined ? {} : { queue }),
    ...(ended === undefined ? {} : { ended }),
    ...(beyond === undefined ? {} : { beyond }),
  }
}

const NO_STEP = '-'

function toCursorPlace(place: EscalationPlace): readonly string[] {
  return place.kind === 'request'
    ? ['request', place.id, NO_STEP]
    : ['outcome', place.dfid, place.step_id]
}

function parseCursorPlace(place: readonly string[] = []): EscalationPlace | undefined {
  const [kind, id, step_id] = place
  if (id === undefined || step_id === undefined) return undefined
  return kind === 'request' ? { kind, id } : { kind: 'outcome', dfid: id, step_id }
}

/** Read strictly by the kernel. */
function parseDecision(body: JsonValue): EscalationDecision {
  return body as unknown as EscalationDecision
}

/** Read strictly by the kernel. */
function parseModified(body: JsonValue): Modification {
  return (body as unknown as { readonly modified: Modification }).modified
}

function refuseUnknownRequest(id: string): Reply {
  return toProblemReply({ code: 'ESCALATION_UNKNOWN', summary: `there is no request \`${id}\`` })
}
