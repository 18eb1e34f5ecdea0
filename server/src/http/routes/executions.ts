/** Effects on the outside, and the word of a person where nobody else knows what became of one. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { ReviewWord } from 'rubicon-runtime/engine/advice'
import { listDirtyFlows, type Resolution } from 'rubicon-runtime/engine/saga'
import type { Store } from 'rubicon-runtime/ports'
import { getPrincipalName, type Principal } from '../../people/principal.ts'
import { createLookupHandler } from '../lookups/lookup.ts'
import { toProblemReply } from '../problems/problem.ts'
import {
  EXECUTION_STATUSES,
  executionView as executionShape,
  foundExecution,
} from '../schemas/execution.ts'
import { worldOp } from '../schemas/fact.ts'
import { dirtyFlow, reviewedFlow, sagaStanding } from '../schemas/flow.ts'
import { type Route, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildSearchedPageSchema, searchFilter, timeFilter } from '../schemas/search.ts'
import {
  buildClosedObject,
  buildEnum,
  buildPageSchema,
  buildWholeObject,
  buildWordListSchema,
  count,
  cursor,
  identifier,
  limit,
  listOf,
  parseLimit,
  string,
  text,
} from '../schemas/shape.ts'
import { toExecutionView } from '../views/execution-view.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

const resolution = buildClosedObject(
  {
    outcome: buildEnum('applied', 'not_applied', 'abandon'),
    evidence: { type: 'object' },
    justification: text(LIMITS.json.bytes),
    effect: buildClosedObject({ result: {}, delta: listOf(worldOp, LIMITS.deltaOps), receipt: {} }),
  },
  ['outcome', 'evidence', 'justification'],
)

const review = buildClosedObject(
  {
    justification: text(LIMITS.json.bytes),
    last_flag: {
      ...count,
      description:
        'the `seq` of the last flag that was shown; if another came since, nothing is cleared',
    },
  },
  ['justification'],
)

const filter = buildClosedObject({
  status: buildWordListSchema(...EXECUTION_STATUSES),
  dfid: identifier,
  agent: identifier,
  ...timeFilter,
  ...searchFilter,
  cursor,
  limit,
})

export function createExecutionRoutes({ engine, lookups }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/executions',
      operation: 'listExecutions',
      summary: 'effects and their outcomes, newest first',
      roles: ['operator', 'approver', 'auditor'],
      query: filter,
      reply: buildSearchedPageSchema('executions', foundExecution),
      handle: createLookupHandler(lookups, 'listExecutions'),
    },
    createDirtyFlowRoute(engine.context.store),
    {
      method: 'POST',
      path: '/v1/executions/:id/resolution',
      operation: 'resolveExecution',
      summary: 'settle an effect under review, with evidence; `id` is `DFID:STEP`',
      roles: ['operator'],
      body: resolution,
      once: true,
      reply: executionShape,
      async handle({ principal, params, body }) {
        const [dfid, step] = parseId(params.id ?? '')
        const resolved = await engine.oversight.resolveExecution(
          dfid,
          step,
          parseWord(principal, body),
        )
        return resolved.ok
          ? toReply(toExecutionView(resolved.value))
          : toProblemReply(resolved.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/resolution',
      operation: 'resolveFlow',
      summary: 'settle a dirty flow: it was compensated by hand, or is accepted as it is',
      roles: ['operator'],
      body: resolution,
      once: true,
      reply: buildWholeObject({
        dfid: string,
        standing: sagaStanding,
      }),
      async handle({ principal, params, body }) {
        const dfid = params.dfid ?? ''
        const resolved = await engine.oversight.resolveDirty(dfid, parseWord(principal, body))
        return resolved.ok
          ? toReply({ dfid, standing: resolved.value })
          : toProblemReply(resolved.error)
      },
    },
    createReviewRoute(engine),
  ]
}

function createReviewRoute(engine: RouteParts['engine']): Route {
  return {
    method: 'POST',
    path: '/v1/flows/:dfid/review',
    operation: 'reviewFlow',
    summary: 'clear NEEDS_REVIEW: a person has looked at what was flagged, and leaves it as it is',
    roles: ['operator'],
    body: review,
    once: true,
    reply: reviewedFlow,
    async handle({ principal, params, body }) {
      const said = parseReview(principal, body)
      const reviewed = await engine.oversight.reviewFlow(params.dfid ?? '', said)
      return reviewed.ok ? toReply(reviewed.value) : toProblemReply(reviewed.error)
    },
  }
}

function createDirtyFlowRoute(store: Store): Route {
  return {
    method: 'GET',
    path: '/v1/flows/dirty',
    operation: 'listDirtyFlows',
    summary: 'flows that did half of their job, in the order of their opening',
    roles: ['operator', 'approver', 'auditor'],
    query: buildClosedObject({ cursor, limit }),
    reply: buildPageSchema('flows', dirtyFlow),
    async handle({ query }) {
      const place = parseCursor(query, 1)
      if (!place.ok) return place.error
      const [after = ''] = place.value ?? []
      const most = parseLimit(query)
      const found = await listDirtyFlows(store, after, most + 1)
      const rows = found.map(({ key: dfid, body }) => ({ dfid, ...body }))
      return toReply(buildPage('flows', rows, most, ({ dfid }) => [dfid]))
    },
  }
}

/** A step may have colons in its name; a dfid has none. */
function parseId(id: string): readonly [dfid: string, step: string] {
  const colon = id.indexOf(':')
  return colon < 0 ? [id, ''] : [id.slice(0, colon), id.slice(colon + 1)]
}

function parseWord(principal: Principal, body: JsonValue): Resolution {
  return { ...(body as object), by: findSpeaker(principal) } as Resolution
}

function parseReview(principal: Principal, body: JsonValue): ReviewWord {
  return { ...(body as object), by: findSpeaker(principal) } as ReviewWord
}

/** Whose word it is comes from the token. */
function findSpeaker(principal: Principal): string {
  return principal.kind === 'person' ? principal.name : getPrincipalName(principal)
}
