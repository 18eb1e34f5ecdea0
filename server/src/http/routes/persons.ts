/** Who is who: persons, what they are known by, and what operators say about it. */
import {
  type Failure,
  type Identity,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type Result,
} from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import type { Registered } from 'rubicon-runtime/engine/authority'
import { isAboutSelf, type NamedIdentities, ownIdentity } from '../../people/about-self.ts'
import { createUnknownSpeakerFailure, identifySpeaker } from '../../people/person-asking.ts'
import { isLocalOperator, type Principal, toSignedBy } from '../../people/principal.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import { registeredPerson, shownPerson } from '../schemas/person.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  buildClosedObject,
  buildPageSchema,
  cursor,
  identifier,
  limit,
  parseLimit,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { encodeCursor, parseCursor } from '../views/list-page.ts'

const name = text(LIMITS.personNameLength)
/** A name, or what a provider calls somebody. */
const identity: JsonObject = buildClosedObject({ name, issuer: text(1_024), sub: text(1_024) })

export function createPersonRoutes({ engine }: ServerParts): readonly Route[] {
  const { people } = engine
  return [
    {
      method: 'GET',
      path: '/v1/persons',
      operation: 'listPersons',
      summary:
        'persons and what they are known by, in the order of their registration; with `who`, only the one with that id or name',
      roles: ['operator', 'auditor'],
      query: buildClosedObject({ who: name, cursor, limit }),
      reply: buildPageSchema('persons', shownPerson),
      async handle({ query }) {
        if (query.who !== undefined) {
          const found = await people.search(query.who)
          return toReply({ persons: found === null ? [] : [found], next: null })
        }
        const place = parseCursor(query, 1)
        if (!place.ok) return place.error
        const after = place.value?.[0]
        const range = { limit: parseLimit(query), ...(after === undefined ? {} : { after }) }
        const { persons, next } = await people.list(range)
        return toReply({ persons, next: next === null ? null : encodeCursor([next]) })
      },
    },
    ...createPersonChangeRoutes(engine),
  ]
}

/** What operators say about it. */
function createPersonChangeRoutes(engine: Engine): readonly Route[] {
  const { people } = engine
  return [
    {
      method: 'POST',
      path: '/v1/persons',
      operation: 'registerPerson',
      summary: 'a person by name; the same name again is the same person',
      roles: ['operator'],
      body: buildClosedObject({ name }, ['name']),
      reply: registeredPerson,
      async handle({ principal, body }) {
        const { name = '' } = parseIdentity(body)
        return say(engine, principal, { identity: { kind: 'name', name } }, (by) =>
          people.register(name, by),
        )
      },
    },
    {
      method: 'POST',
      path: '/v1/persons/:id/identities',
      operation: 'linkIdentity',
      summary: 'link another identity to a person: `name`, or `issuer` and `sub`',
      roles: ['operator'],
      body: identity,
      reply: registeredPerson,
      async handle({ principal, params, body }) {
        const read = parseIdentityBody(parseIdentity(body))
        if (read === null) return UNREADABLE
        const { id = '' } = params
        return say(engine, principal, { identity: read, persons: [id] }, (by) =>
          people.link(id, read, by),
        )
      },
    },
    {
      method: 'DELETE',
      path: '/v1/persons/:id/identities',
      operation: 'unlinkIdentity',
      summary: 'unlink an identity, and erase it',
      roles: ['operator'],
      query: identity,
      reply: registeredPerson,
      async handle({ principal, params, query }: RouteRequest) {
        const read = parseIdentityBody(query)
        if (read === null) return UNREADABLE
        const { id = '' } = params
        return say(engine, principal, { identity: read, persons: [id] }, (by) =>
          people.unlink(id, read, by),
        )
      },
    },
    {
      method: 'POST',
      path: '/v1/persons/:id/merge',
      operation: 'mergePersons',
      summary: 'merge two persons that are one human; from now on they count as one',
      roles: ['operator'],
      body: buildClosedObject({ into: identifier }, ['into']),
      reply: registeredPerson,
      async handle({ principal, params, body }) {
        const { into } = parseMerge(body)
        const { id = '' } = params
        return say(engine, principal, { persons: [id, into] }, (by) => people.merge(id, into, by))
      },
    },
  ]
}

const UNREADABLE = buildHttpProblem('REQUEST_INVALID', 'give `name`, or `issuer` and `sub`')

/** By somebody whom others know, and about others. */
async function say(
  engine: Engine,
  principal: Principal,
  said: NamedIdentities,
  change: (by: string | undefined) => Promise<Result<Registered, Failure>>,
): Promise<Reply> {
  if (principal.kind !== 'person') return buildHttpProblem('ROLE_MISSING')
  if (await isAboutSelf(engine, principal, said)) return ownIdentity
  const isKnown = isLocalOperator(principal) || (await identifySpeaker(engine, principal)) !== null
  if (!isKnown) return toProblemReply(createUnknownSpeakerFailure(principal))
  const changed = await change(toSignedBy(principal).by)
  return changed.ok ? toReply(changed.value) : toProblemReply(changed.error)
}

type Given = { readonly name?: string; readonly issuer?: string; readonly sub?: string }

export function parseIdentityBody({ name, issuer, sub }: Given): Identity | null {
  if (name !== undefined && issuer === undefined && sub === undefined) return { kind: 'name', name }
  if (name !== undefined || issuer === undefined || sub === undefined) return null
  return { kind: 'oidc', issuer, sub }
}

function parseIdentity(body: JsonValue): Given {
  return body as Given
}

function parseMerge(body: JsonValue): { readonly into: string } {
  return body as { readonly into: string }
}
