/** Who is who: persons, what they are known by, and what operators say about it. */
import {
  type Failure,
  type Identity,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type Result,
} from 'rubicon-kernel'
import type { Engine } from '../../engine/engine.ts'
import type { Registered } from '../../engine/persons/register-person.ts'
import { isAboutSelf, type Said } from '../about-self.ts'
import { cursorOf, parseCursor } from '../list-page.ts'
import { type Principal, personOf } from '../principal.ts'
import { httpProblem, refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { registeredPerson, shownPerson } from '../schemas/person.ts'
import type { ServerParts } from '../server.ts'
import { closed, cursor, identifier, limit, limitOf, page, text } from './shape.ts'

const name = text(LIMITS.personNameLength)
/** A name, or what a provider calls somebody. */
const identity: JsonObject = closed({ name, issuer: text(1_024), sub: text(1_024) })

export function personRoutes({ engine }: ServerParts): readonly Route[] {
  const { people } = engine
  return [
    {
      method: 'GET',
      path: '/v1/persons',
      operation: 'listPersons',
      summary: 'persons and what they are known by, in the order of their registration',
      roles: ['operator', 'auditor'],
      query: closed({ cursor, limit }),
      reply: page('persons', shownPerson),
      async handle({ query }) {
        const place = parseCursor(query, 1)
        if (!place.ok) return place.error
        const after = place.value?.[0]
        const range = { limit: limitOf(query), ...(after === undefined ? {} : { after }) }
        const { persons, next } = await people.list(range)
        return done({ persons, next: next === null ? null : cursorOf([next]) })
      },
    },
    ...changes(engine),
  ]
}

/** What operators say about it. */
function changes(engine: Engine): readonly Route[] {
  const { people } = engine
  const isOwn = async (principal: Principal, said: Said): Promise<boolean> =>
    principal.kind === 'person' && (await isAboutSelf(engine, principal, said))
  return [
    {
      method: 'POST',
      path: '/v1/persons',
      operation: 'registerPerson',
      summary: 'a person by name; the same name again is the same person',
      roles: ['operator'],
      body: closed({ name }, ['name']),
      reply: registeredPerson,
      async handle({ principal, body }) {
        const { name = '' } = parseIdentity(body)
        if (await isOwn(principal, { identity: { kind: 'name', name } })) return OWN
        return told(await people.register(name, personOf(principal).by))
      },
    },
    {
      method: 'POST',
      path: '/v1/persons/:id/identities',
      operation: 'linkIdentity',
      summary: 'somebody may come by this as well: `name`, or `issuer` and `sub`',
      roles: ['operator'],
      body: identity,
      reply: registeredPerson,
      async handle({ principal, params, body }) {
        const read = identityOf(parseIdentity(body))
        if (read === null) return UNREADABLE
        const { id = '' } = params
        if (await isOwn(principal, { identity: read, persons: [id] })) return OWN
        return told(await people.link(id, read, personOf(principal).by))
      },
    },
    {
      method: 'DELETE',
      path: '/v1/persons/:id/identities',
      operation: 'unlinkIdentity',
      summary: 'nobody comes by this any more, and it is erased',
      roles: ['operator'],
      query: identity,
      reply: registeredPerson,
      async handle({ principal, params, query }: Asked) {
        const read = identityOf(query)
        if (read === null) return UNREADABLE
        const { id = '' } = params
        if (await isOwn(principal, { identity: read, persons: [id] })) return OWN
        return told(await people.unlink(id, read, personOf(principal).by))
      },
    },
    {
      method: 'POST',
      path: '/v1/persons/:id/merge',
      operation: 'mergePersons',
      summary: 'two turn out to be one human, and count as one from here on',
      roles: ['operator'],
      body: closed({ into: identifier }, ['into']),
      reply: registeredPerson,
      async handle({ principal, params, body }) {
        const { into } = parseMerge(body)
        const { id = '' } = params
        if (await isOwn(principal, { persons: [id, into] })) return OWN
        return told(await people.merge(id, into, personOf(principal).by))
      },
    },
  ]
}

const UNREADABLE = httpProblem('REQUEST_INVALID', 'give `name`, or `issuer` and `sub`')

const OWN = refused({
  code: 'IDENTITY_OWN',
  summary: 'this says who you are yourself',
  why: 'whoever says that could approve as one person after another, or for an agent of their own',
  fix: 'have another operator say it',
})

function told(said: Result<Registered, Failure>): Reply {
  return said.ok ? done(said.value) : refused(said.error)
}

type Given = { readonly name?: string; readonly issuer?: string; readonly sub?: string }

export function identityOf({ name, issuer, sub }: Given): Identity | null {
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
