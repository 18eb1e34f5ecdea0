/** What is said about a flow besides proposals, and what its agent looks up. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Usage } from 'rubicon-runtime/engine/close'
import type { StoredNote } from 'rubicon-runtime/engine/context'
import type { ClaimedFlow } from 'rubicon-runtime/engine/flow'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { factLabel, textFlag } from '../schemas/fact.ts'
import { flowState } from '../schemas/flow.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  boolean,
  buildArray,
  buildClosedObject,
  buildMap,
  buildPageSchema,
  buildWholeObject,
  count,
  cursor,
  identifier,
  integer,
  limit,
  listOf,
  moment,
  nameSchema,
  parseLimit,
  string,
  text,
} from '../schemas/shape.ts'
import { artifactRef, workingContext } from '../schemas/working-context.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildPage, parseNumberCursor } from '../views/list-page.ts'

const usageAnswer = nameSchema(
  'UsageAnswer',
  buildWholeObject(
    {
      dfid: string,
      state: flowState,
      estimate: boolean,
      used: buildMap(string),
      granted: buildMap(string),
      reason_code: string,
    },
    ['reason_code'],
  ),
)

const keptNote = nameSchema(
  'KeptNote',
  buildWholeObject<StoredNote>({
    place: count,
    at: moment,
    label: factLabel,
    text: string,
    flags: buildArray(textFlag),
  }),
)

export function createFlowAccountRoutes(parts: ServerParts): readonly Route[] {
  return [
    ...createFlowStatementRoutes(parts),
    ...createFlowReadingRoutes(parts),
    ...createFlowUsageRoutes(parts),
  ]
}

/** What is said while it is open. */
function createFlowStatementRoutes({ engine }: ServerParts): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/notes',
      operation: 'addNote',
      summary: 'add a note to the session of a flow',
      roles: ['agent', 'operator'],
      body: buildClosedObject({ text: text(LIMITS.json.bytes) }, ['text']),
      reply: buildWholeObject({ place: integer, label: factLabel, flags: buildArray(textFlag) }),
      status: 201,
      async handle({ principal, params, body }) {
        const by = principal.kind === 'agent' ? 'agent' : 'operator'
        const options = { ...pickSession(principal), by } as const
        const noted = await contextStore.note(params.dfid ?? '', parseNote(body), options)
        return noted.ok ? toReply(noted.value, 201) : toProblemReply(noted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/explanations',
      operation: 'explain',
      summary: 'the agent\u2019s explanation for people; proposals refer to it',
      roles: ['agent'],
      body: buildClosedObject(
        {
          narrative: text(LIMITS.json.bytes),
          identified_signals: listOf(text(1_024), 64),
          risks: listOf(text(1_024), 64),
        },
        ['narrative'],
      ),
      reply: buildWholeObject({ explain_ref: string }),
      status: 201,
      async handle({ principal, params, body }) {
        const explanation = parseExplanation(body)
        const session = pickSession(principal)
        const explained = await contextStore.explain(params.dfid ?? '', explanation, session)
        return explained.ok ? toReply(explained.value, 201) : toProblemReply(explained.error)
      },
    },
  ]
}

/** What its agent looks at again, or looks up. */
function createFlowReadingRoutes({ engine }: ServerParts): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'GET',
      path: '/v1/flows/:dfid/notes',
      operation: 'listNotes',
      summary: 'the notes of a flow in their order; agents see those of their own flows',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('notes', keptNote),
      heavy: true,
      async handle({ principal, params, query }) {
        const place = parseNumberCursor(query, 1)
        if (!place.ok) return place.error
        const [after] = place.value ?? []
        const most = parseLimit(query)
        const length = LIMITS.listLength
        const range = { limit: most + 1, length, ...(after === undefined ? {} : { after }) }
        const options = { ...pickSession(principal), ...range }
        const notes = await contextStore.notes(params.dfid ?? '', options)
        if (!notes.ok) return toProblemReply(notes.error)
        const shown = countShownNotes(notes.value, most)
        return toReply(buildPage('notes', notes.value, shown, ({ place }) => [String(place)]))
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/refresh',
      operation: 'refreshContext',
      summary: 'a new context for an open flow; its next proposal refers to it',
      roles: ['agent'],
      body: buildClosedObject({ state: listOf(text(256), LIMITS.contextStatePaths) }),
      reply: workingContext,
      heavy: true,
      async handle({ principal, params, body }) {
        const options = { ...pickSession(principal), ...parseRefresh(body) }
        const refreshed = await contextStore.refresh(params.dfid ?? '', options)
        return refreshed.ok ? toReply(refreshed.value) : toProblemReply(refreshed.error)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid/artifacts',
      operation: 'searchArtifacts',
      summary:
        'reference documents that fit the text, best first; what was found is noted in the flow',
      roles: ['agent'],
      query: buildClosedObject(
        { q: { type: 'string', minLength: 1, maxLength: LIMITS.searchLength } },
        ['q'],
      ),
      reply: buildWholeObject({ artifacts: buildArray(artifactRef) }),
      heavy: true,
      async handle({ principal, params, query }) {
        const options = { ...pickSession(principal), dfid: params.dfid ?? '' }
        const found = await contextStore.searchArtifacts(query.q ?? '', options)
        return found.ok ? toReply({ artifacts: found.value }) : toProblemReply(found.error)
      },
    },
  ]
}

/** What it costs, and its end. */
function createFlowUsageRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/usage',
      operation: 'reportUsage',
      summary: 'what reasoning cost since the last report',
      roles: ['agent'],
      body: buildClosedObject({ used: { type: 'object' }, report: identifier }, ['used']),
      reply: usageAnswer,
      async handle({ principal, params, body }) {
        const { used, ...named } = parseUsageReport(body)
        const options = { ...pickSession(principal), ...named }
        const counted = await engine.usage(params.dfid ?? '', used, options)
        return counted.ok ? toReply(counted.value) : toProblemReply(counted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/cancellation',
      operation: 'cancelFlow',
      summary: 'end a flow of which nothing was sent',
      roles: ['agent', 'operator'],
      body: buildClosedObject({ reason: text(1_024) }, ['reason']),
      reply: buildWholeObject({ dfid: string, cancelled: boolean, reason: string }),
      async handle({ principal, params, body }) {
        const { reason } = parseCancellation(body)
        const dfid = params.dfid ?? ''
        const cancelled = await engine.cancel(dfid, reason, pickSession(principal))
        return cancelled.ok
          ? toReply({ dfid, cancelled: true, reason })
          : toProblemReply(cancelled.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/claim',
      operation: 'claimFlow',
      summary: 'one process of an agent takes up a flow that an event woke, for a minute',
      roles: ['agent'],
      body: buildClosedObject({ by: identifier }, ['by']),
      reply: buildWholeObject<ClaimedFlow>({ dfid: string, by: string, until: moment }),
      async handle({ principal, params, body }) {
        const { by } = parseClaim(body)
        const claimed = await engine.timers.claim(params.dfid ?? '', by, pickSession(principal))
        return claimed.ok ? toReply(claimed.value) : toProblemReply(claimed.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/closure',
      operation: 'closeFlow',
      summary: 'close a flow of several steps: its agent is done',
      roles: ['agent'],
      body: buildClosedObject({}),
      once: true,
      reply: buildWholeObject({ dfid: string, closed: boolean }),
      async handle({ principal, params }) {
        const dfid = params.dfid ?? ''
        const ended = await engine.close(dfid, pickSession(principal))
        return ended.ok ? toReply({ dfid, closed: true }) : toProblemReply(ended.error)
      },
    },
  ]
}

/** Where they were too long for a page, the last stands for the next page, as one more than `most` does. */
function countShownNotes(notes: readonly StoredNote[], most: number): number {
  const length = notes.reduce((sum, { text }) => sum + text.length, 0)
  return length < LIMITS.listLength ? most : Math.min(most, notes.length - 1)
}

function parseClaim(body: JsonValue): Pick<ClaimedFlow, 'by'> {
  return body as Pick<ClaimedFlow, 'by'>
}

function parseNote(body: JsonValue): { readonly text: string } {
  return body as { readonly text: string }
}

function parseExplanation(body: JsonValue): { readonly narrative: string } {
  return body as { readonly narrative: string }
}

function parseRefresh(body: JsonValue): { readonly state?: readonly string[] } {
  return body as { readonly state?: readonly string[] }
}

function parseUsageReport(body: JsonValue): { readonly used: Usage; readonly report?: string } {
  return body as { readonly used: Usage; readonly report?: string }
}

function parseCancellation(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}
