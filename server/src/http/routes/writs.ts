/** Writs issued by hand: authority that is handed on, and only narrows. */
import {
  type Budget,
  formatInstant,
  isAddress,
  type JsonValue,
  LIMITS,
  type Writ,
} from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { attenuateStoredWrit, issueWrit, listWrits } from 'rubicon-runtime/engine/authority'
import type { Store } from 'rubicon-runtime/ports'
import { toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import { revoked } from '../schemas/contract.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import {
  buildClosedObject,
  buildMap,
  buildPageSchema,
  cursor,
  identifier,
  limit,
  listOf,
  parseLimit,
  text,
} from '../schemas/shape.ts'
import { writ as writSchema } from '../schemas/writ.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

const issue = buildClosedObject(
  {
    agent: identifier,
    audience: identifier,
    hours: { type: 'integer', minimum: 1, maximum: 8_784 },
    /** Narrower than this writ, and under it. */
    parent: identifier,
    /** With `parent`. */
    kinds: listOf(identifier, LIMITS.writScopes),
    budget: buildMap(text(64)),
  },
  ['agent'],
)

type Issue = {
  readonly agent: string
  readonly audience?: string
  readonly hours?: number
  readonly parent?: string
  readonly kinds?: readonly string[]
  readonly budget?: Budget
}

export function createWritRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    ...createWritListRoutes(engine),
    {
      method: 'POST',
      path: '/v1/writs',
      operation: 'issueWrit',
      summary: 'the largest writ that a contract allows; with `parent`, one that is narrower',
      roles: ['operator'],
      body: issue,
      once: true,
      reply: writSchema,
      status: 201,
      async handle({ body }) {
        const asked = parseIssue(body)
        const { parent, kinds, budget, audience } = asked
        const isNarrower = kinds !== undefined || budget !== undefined
        if (parent === undefined && isNarrower)
          return refuseBodyMember('/parent', 'what is narrower needs one')
        if (parent !== undefined && audience !== undefined)
          return refuseBodyMember('/audience', 'it is that of the parent')
        const made =
          parent === undefined
            ? await issueFirstWrit(engine, asked)
            : await issueChildWrit(engine, asked)
        return made.ok
          ? toReply({ ...made.value, revoked: false }, 201)
          : toProblemReply(made.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/writs/:id/revocation',
      operation: 'revokeWrit',
      summary: 'end a writ and everything under it',
      stops: true,
      roles: ['operator'],
      body: buildClosedObject({ reason: text(LIMITS.justificationLength) }, ['reason']),
      once: true,
      reply: revoked,
      async handle({ params, body, principal }) {
        const id = params.id ?? ''
        const { reason } = parseReason(body)
        const ended = await engine.revoke({ target: 'writ', id, reason, ...toSignedBy(principal) })
        if (ended.ok) return toReply({ revoked: id, reason, seq: ended.value.seq })
        return ended.error.code === 'WRIT_MISSING'
          ? toProblemReply(ended.error, 404)
          : toProblemReply(ended.error)
      },
    },
  ]
}

function createWritListRoutes(engine: Engine): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/writs',
      operation: 'listWrits',
      summary: 'writs that were issued by hand, newest first',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ agent: identifier, cursor, limit }),
      reply: buildPageSchema('writs', writSchema),
      handle: ({ query }) => list(engine, query),
    },
    {
      method: 'GET',
      path: '/v1/writs/:id',
      operation: 'getWrit',
      summary:
        'a writ, and whether it was revoked; by the dfid of a flow, the one that it was opened with',
      roles: ['operator', 'approver', 'auditor'],
      reply: writSchema,
      handle: ({ params: { id = '' } }) => show(engine, id),
    },
  ]
}

async function show({ context }: Engine, id: string): Promise<Reply> {
  const writ = isAddress(id)
    ? ((await context.store.readWrit(id))?.writ ?? null)
    : await findOpeningWrit(context.store, id)
  if (writ === null) return toProblemReply(createMissingWritFailure(id), 404)
  const { revokedWrits } = await context.authorities.loadLatest()
  return toReply({ ...writ, revoked: revokedWrits.has(writ.id) })
}

/** The one that a flow got when it was opened; null: it has none any more, or there is no such flow. */
async function findOpeningWrit(store: Store, dfid: string): Promise<Writ | null> {
  // A flow may be long: of all that was said in it nothing else is read.
  const [opening] = await store.listFlowEntries(dfid, ['writ'])
  return opening?.payload == null ? null : parseOpening(opening.payload).writ
}

/** Entries in our own store are what we wrote there. */
function parseOpening(payload: string): { readonly writ: Writ } {
  return JSON.parse(payload) as { readonly writ: Writ }
}

async function list(engine: Engine, query: Readonly<Record<string, string>>): Promise<Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const { store, authorities } = engine.context
  const { revokedWrits } = await authorities.loadLatest()
  const [before] = place.value ?? []
  const limit = parseLimit(query)
  const found = await listWrits(store, {
    limit: limit + 1,
    ...(query.agent === undefined ? {} : { subject: query.agent }),
    ...(before === undefined ? {} : { before }),
  })
  const rows = found.map((writ) => ({ ...writ, revoked: revokedWrits.has(writ.id) }))
  return toReply(buildPage('writs', rows, limit, ({ id }) => [id]))
}

function issueFirstWrit(
  { context }: Engine,
  { agent, audience, hours = DAY_HOURS }: Issue,
): Issued {
  const to = audience === undefined ? {} : { audience }
  return issueWrit(context, { agent, ttlMs: hours * HOUR_MS, ...to })
}

function issueChildWrit({ context }: Engine, asked: Issue): Issued {
  const { agent: subject, parent = '', kinds, budget, hours } = asked
  if (!isAddress(parent))
    return Promise.resolve({ ok: false, error: createMissingWritFailure(parent) })
  const until = formatInstant(context.clock.now() + (hours ?? 0) * HOUR_MS)
  return attenuateStoredWrit(context, parent, {
    subject,
    ...(kinds === undefined ? {} : { scopes: kinds.map((kind) => ({ kind })) }),
    ...(budget === undefined ? {} : { budget }),
    ...(hours === undefined ? {} : { window: { expires_at: until } }),
  })
}

type Issued = ReturnType<typeof issueWrit>

function parseIssue(body: JsonValue): Issue {
  return body as Issue
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}

function refuseBodyMember(path: string, detail: string): Reply {
  return refuseSchemaMismatch('body', [{ path, detail }])
}

function createMissingWritFailure(id: string): { readonly code: string; readonly summary: string } {
  return { code: 'WRIT_MISSING', summary: `there is no writ \`${id}\`` }
}
