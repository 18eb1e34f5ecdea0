/** Registered public keys: what they are for, and since when they count or do not. */
import {
  isIdentifier,
  isKeyInUse,
  type JsonValue,
  KEY_PURPOSES,
  type KeyBody,
  type KeyPurpose,
  LIMITS,
} from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import {
  compromiseKey,
  type KeyRegistration,
  registerKey,
  retireKey,
} from 'rubicon-runtime/engine/authority'
import { logVerifierKey } from 'rubicon-runtime/engine/ledger'
import { isAboutSelf, ownIdentity } from '../../people/about-self.ts'
import { isLocalOperator, type Principal, toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import { keyRecord, shownKey } from '../schemas/key.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  buildClosedObject,
  buildEnum,
  buildPageSchema,
  buildWholeObject,
  cursor,
  identifier,
  integer,
  limit,
  nameSchema,
  parseLimit,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

/**
 * The runtime's own keys (operator, issuer, kernel, checkpoint, witness) are changed by whoever holds the
 * machine: a token can be taken back, and a key that it left behind would not be.
 */
const BY_TOKEN: readonly KeyPurpose[] = ['agent', 'approver']

const registration = buildClosedObject(
  {
    purpose: buildEnum(...KEY_PURPOSES),
    subject: text(LIMITS.personNameLength),
    /** Base64 of the 32 raw bytes. */
    public_key: text(64),
    /** Base64 signature by the key itself. */
    possession: text(128),
  },
  ['purpose', 'subject', 'public_key', 'possession'],
)

const registered = nameSchema(
  'RegisteredKey',
  buildWholeObject<Omit<KeyBody, 'since_seq' | 'by'>>({
    action: buildEnum('add'),
    key_id: string,
    purpose: buildEnum(...KEY_PURPOSES),
    public_key: string,
    subject: string,
  }),
)

export function createKeyRoutes(parts: ServerParts): readonly Route[] {
  return [...createKeyListRoutes(parts), ...createKeyChangeRoutes(parts)]
}

/** What operators say of keys of agents and people. */
function createKeyChangeRoutes({ engine }: ServerParts): readonly Route[] {
  const { context } = engine
  return [
    {
      method: 'POST',
      path: '/v1/keys',
      operation: 'registerKey',
      summary: 'register a key with proof of possession; a token does so for agents and approvers',
      roles: ['operator'],
      body: registration,
      once: true,
      reply: registered,
      status: 201,
      handle: ({ principal, body }) => register(engine, principal, parseRegistration(body)),
    },
    {
      method: 'POST',
      path: '/v1/keys/:id/retirement',
      operation: 'retireKey',
      summary: 'end a key: its signatures are invalid from now on',
      roles: ['operator'],
      body: buildClosedObject({}),
      once: true,
      reply: buildWholeObject({ key_id: string, action: buildEnum('retire') }),
      async handle(asked) {
        const id = asked.params.id ?? ''
        const refusal = await refuseChange(engine, asked)
        if (refusal !== null) return refusal
        const ended = await engine.runAsked(() =>
          retireKey(context, id, toSignedBy(asked.principal).by),
        )
        return ended.ok ? toReply({ key_id: id, action: 'retire' }) : toProblemReply(ended.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/keys/:id/compromise',
      operation: 'compromiseKey',
      summary: 'declare a key compromised: its signatures are invalid from an authority seq on',
      roles: ['operator'],
      body: buildClosedObject({ since_seq: { ...integer, minimum: 0 } }, ['since_seq']),
      once: true,
      reply: buildWholeObject({
        key_id: string,
        action: buildEnum('compromise'),
        since_seq: integer,
      }),
      async handle(asked) {
        const id = asked.params.id ?? ''
        const { since_seq } = parseSince(asked.body)
        const refusal = await refuseChange(engine, asked)
        if (refusal !== null) return refusal
        const ended = await engine.runAsked(() =>
          compromiseKey(context, id, since_seq, toSignedBy(asked.principal).by),
        )
        if (!ended.ok) return toProblemReply(ended.error)
        return toReply({ key_id: id, action: 'compromise', since_seq })
      },
    },
  ]
}

async function register(
  engine: Engine,
  principal: Principal,
  registration: KeyRegistration,
): Promise<Reply> {
  const { purpose, subject } = registration
  if (!mayChange(principal, purpose)) return refuseRuntimeKey(purpose)
  if (purpose === 'agent' && !isIdentifier(subject))
    return refuseSchemaMismatch('body', [
      { path: '/subject', detail: 'it is not a valid agent name' },
    ])
  if (purpose === 'approver' && (await isOwn(engine, principal, subject))) return ownIdentity
  const added = await engine.runAsked(() =>
    registerKey(engine.context, registration, toSignedBy(principal).by),
  )
  return added.ok ? toReply(added.value, 201) : toProblemReply(added.error)
}

/** Null: an operator may say so here. What is registered nowhere is for the engine to name. */
async function refuseChange(
  engine: Engine,
  { principal, params: { id = '' } }: RouteRequest,
): Promise<Reply | null> {
  const key = (await engine.context.authorities.loadLatest()).keys.get(id)
  if (key === undefined) return null
  if (!mayChange(principal, key.purpose)) return refuseRuntimeKey(key.purpose)
  const isAbout = key.purpose === 'approver' && (await isOwn(engine, principal, key.subject))
  return isAbout ? ownIdentity : null
}

function mayChange(principal: Principal, purpose: KeyPurpose): boolean {
  return isLocalOperator(principal) || BY_TOKEN.includes(purpose)
}

/** Whoever could say which key is their own would decide as one person after another. */
async function isOwn(engine: Engine, principal: Principal, name: string): Promise<boolean> {
  if (principal.kind !== 'person') return true
  return isAboutSelf(engine, principal, { identity: { kind: 'name', name } })
}

function refuseRuntimeKey(purpose: string): Reply {
  return toProblemReply({
    code: 'KEY_OF_RUNTIME',
    summary: `it is a key of the runtime itself, for \`${purpose}\``,
    why: 'whoever had a token could end what the ledger is signed with',
    fix: 'use `rubicon keys` on the machine of the server, without --server',
  })
}

function parseRegistration(body: JsonValue): KeyRegistration {
  return body as unknown as KeyRegistration
}

function parseSince(body: JsonValue): { readonly since_seq: number } {
  return body as { readonly since_seq: number }
}

function createKeyListRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/keys',
      operation: 'listKeys',
      summary: 'registered public keys, newest first',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ subject: identifier, cursor, limit }),
      reply: buildPageSchema('keys', keyRecord),
      async handle({ query }) {
        const after = parseCursor(query, 1)
        if (!after.ok) return after.error
        const { keys } = await engine.context.authorities.loadLatest()
        const wanted = [...keys.values()]
          .filter(({ subject }) => query.subject === undefined || subject === query.subject)
          .map((key) => ({ ...key, in_use: isKeyInUse(key) }))
          .sort((a, b) => b.added_seq - a.added_seq)
        const from = wanted.findIndex(({ key_id }) => key_id === after.value?.[0]) + 1
        return toReply(
          buildPage('keys', wanted.slice(from), parseLimit(query), ({ key_id }) => [key_id]),
        )
      },
    },
    {
      method: 'GET',
      path: '/v1/keys/:id',
      operation: 'getKey',
      summary: 'a registered public key; of a checkpoint key, what its notes are verified with',
      roles: ['operator', 'approver', 'auditor'],
      reply: shownKey,
      async handle({ params: { id = '' } }) {
        const { authorities, tenant, sha256 } = engine.context
        const authority = await authorities.loadLatest()
        const key = authority.keys.get(id)
        if (key === undefined) return refuseUnknownKey(id)
        const isCheckpoint = key.purpose === 'checkpoint'
        const verifier_key = isCheckpoint ? logVerifierKey(tenant, authority, key, sha256) : null
        return toReply({ ...key, in_use: isKeyInUse(key), verifier_key })
      },
    },
  ]
}

function refuseUnknownKey(id: string): Reply {
  return toProblemReply({
    code: 'KEY_UNKNOWN',
    summary: `\`${id}\` is not registered`,
    fix: 'see `rubicon keys`',
  })
}
