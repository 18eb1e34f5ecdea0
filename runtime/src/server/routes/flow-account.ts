/** What is said about a flow besides proposals, and what its agent looks up. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { KeptNote } from '../../engine/layers/note.ts'
import type { Usage } from '../../engine/usage.ts'
import { buildPage, parseNumberCursor } from '../list-page.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import { factLabel, textFlag } from '../schemas/fact.ts'
import { flowState } from '../schemas/flow.ts'
import { artifactRef, workingContext } from '../schemas/working-context.ts'
import type { ServerParts } from '../server.ts'
import { sessionOf } from '../session-of.ts'
import {
  boolean,
  buildPageSchema,
  closed,
  count,
  cursor,
  identifier,
  integer,
  limit,
  limitOf,
  listOf,
  many,
  mapOf,
  moment,
  named,
  string,
  text,
  whole,
} from './shape.ts'

const usageAnswer = named(
  'UsageAnswer',
  whole(
    {
      dfid: string,
      state: flowState,
      estimate: boolean,
      used: mapOf(string),
      granted: mapOf(string),
      reason_code: string,
    },
    ['reason_code'],
  ),
)

const keptNote = named(
  'KeptNote',
  whole<KeptNote>({
    place: count,
    at: moment,
    label: factLabel,
    text: string,
    flags: many(textFlag),
  }),
)

export function flowAccountRoutes(parts: ServerParts): readonly Route[] {
  return [...saidRoutes(parts), ...lookingRoutes(parts), ...costRoutes(parts)]
}

/** What is said while it is open. */
function saidRoutes({ engine }: ServerParts): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/notes',
      operation: 'addNote',
      summary: 'add a note to the session of a flow',
      roles: ['agent', 'operator'],
      body: closed({ text: text(LIMITS.json.bytes) }, ['text']),
      reply: whole({ place: integer, label: factLabel, flags: many(textFlag) }),
      status: 201,
      async handle({ principal, params, body }) {
        const by = principal.kind === 'agent' ? 'agent' : 'operator'
        const options = { ...sessionOf(principal), by } as const
        const noted = await contextStore.note(params.dfid ?? '', parseNote(body), options)
        return noted.ok ? done(noted.value, 201) : refused(noted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/explanations',
      operation: 'explain',
      summary: 'the agent\u2019s own account, for people; proposals refer to it',
      roles: ['agent'],
      body: closed(
        {
          narrative: text(LIMITS.json.bytes),
          identified_signals: listOf(text(1_024), 64),
          risks: listOf(text(1_024), 64),
        },
        ['narrative'],
      ),
      reply: whole({ explain_ref: string }),
      status: 201,
      async handle({ principal, params, body }) {
        const explanation = parseExplanation(body)
        const session = sessionOf(principal)
        const explained = await contextStore.explain(params.dfid ?? '', explanation, session)
        return explained.ok ? done(explained.value, 201) : refused(explained.error)
      },
    },
  ]
}

/** What its agent looks at again, or looks up. */
function lookingRoutes({ engine }: ServerParts): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'GET',
      path: '/v1/flows/:dfid/notes',
      operation: 'listNotes',
      summary: 'the notes of a flow in their order; agents see those of their own flows',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: closed({ cursor, limit }),
      reply: buildPageSchema('notes', keptNote),
      async handle({ principal, params, query }) {
        const place = parseNumberCursor(query, 1)
        if (!place.ok) return place.error
        const [after] = place.value ?? []
        const most = limitOf(query)
        const range = { limit: most + 1, ...(after === undefined ? {} : { after }) }
        const options = { ...sessionOf(principal), ...range }
        const notes = await contextStore.notes(params.dfid ?? '', options)
        if (!notes.ok) return refused(notes.error)
        return done(buildPage('notes', notes.value, most, ({ place }) => [String(place)]))
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/refresh',
      operation: 'refreshContext',
      summary: 'a new context for an open flow; its next proposal refers to it',
      roles: ['agent'],
      body: closed({ state: listOf(text(256), LIMITS.contextStatePaths) }),
      reply: workingContext,
      async handle({ principal, params, body }) {
        const options = { ...sessionOf(principal), ...parseRefresh(body) }
        const refreshed = await contextStore.refresh(params.dfid ?? '', options)
        return refreshed.ok ? done(refreshed.value) : refused(refreshed.error)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid/artifacts',
      operation: 'searchArtifacts',
      summary:
        'reference documents that fit the text, best first; what was found is noted in the flow',
      roles: ['agent'],
      query: closed({ q: { type: 'string', minLength: 1, maxLength: LIMITS.searchLength } }, ['q']),
      reply: whole({ artifacts: many(artifactRef) }),
      async handle({ principal, params, query }) {
        const options = { ...sessionOf(principal), dfid: params.dfid ?? '' }
        const found = await contextStore.searchArtifacts(query.q ?? '', options)
        return found.ok ? done({ artifacts: found.value }) : refused(found.error)
      },
    },
  ]
}

/** What it costs, and its end. */
function costRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/usage',
      operation: 'reportUsage',
      summary: 'what reasoning cost since the last report',
      roles: ['agent'],
      body: closed({ used: { type: 'object' }, report: identifier }, ['used']),
      reply: usageAnswer,
      async handle({ principal, params, body }) {
        const { used, ...named } = parseUsageReport(body)
        const options = { ...sessionOf(principal), ...named }
        const counted = await engine.usage(params.dfid ?? '', used, options)
        return counted.ok ? done(counted.value) : refused(counted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/cancellation',
      operation: 'cancelFlow',
      summary: 'end a flow of which nothing was sent',
      roles: ['agent', 'operator'],
      body: closed({ reason: text(1_024) }, ['reason']),
      reply: whole({ dfid: string, cancelled: boolean, reason: string }),
      async handle({ principal, params, body }) {
        const { reason } = parseCancellation(body)
        const dfid = params.dfid ?? ''
        const cancelled = await engine.cancel(dfid, reason, sessionOf(principal))
        return cancelled.ok ? done({ dfid, cancelled: true, reason }) : refused(cancelled.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/closure',
      operation: 'closeFlow',
      summary: 'its agent has done what a flow of many steps was opened for',
      roles: ['agent'],
      body: closed({}),
      once: true,
      reply: whole({ dfid: string, closed: boolean }),
      async handle({ principal, params }) {
        const dfid = params.dfid ?? ''
        const ended = await engine.close(dfid, sessionOf(principal))
        return ended.ok ? done({ dfid, closed: true }) : refused(ended.error)
      },
    },
  ]
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
