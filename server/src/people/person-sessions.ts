/**
 * Sessions of people in their browsers. The cookie is with the browser; the store has its hash.
 *
 * Boundary: whoever vouches for a person (a token, a provider) is asked elsewhere.
 *
 * B1 a session holds until its end, or until nobody has used it for a while, by the time of the store.
 * B2 it holds no longer than what vouched for it: a token that was replaced, a person who was removed
 *    and a provider that is no longer asked end it.
 * B3 one that was ended never holds again, also when a request of it was under way.
 */
import {
  encodeBase64,
  err,
  formatInstant,
  hashText,
  type Identity,
  LIMITS,
  MAIN,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import type { Deps } from 'rubicon-runtime/engine'
import {
  type RecordBodies,
  type Store,
  type StoredRecord,
  StoreError,
  type Write,
} from 'rubicon-runtime/ports'
import { buildHttpProblem } from '../http/problems/problem.ts'
import type { Reply } from '../http/schemas/route.ts'
import { deriveCsrfWord } from './csrf.ts'
import type { KnownPerson, People } from './people.ts'
import { PERSON_ROLES, type Person, type PersonRole } from './principal.ts'
import type { CookieValue } from './session-cookie.ts'

type Stored = StoredRecord<'person_session'>

type SessionDeps = Pick<Deps, 'store' | 'random' | 'sha256' | 'tenant'>

/** Who vouches for people now. */
export type Vouching = {
  readonly people: People
  /** Whose word counts beside that of a token. */
  readonly issuer: string | null
}

/** A page that only listens is one that nobody may be looking at. */
export type Use = 'asks' | 'listens'

export type NewSession = {
  readonly name: string
  readonly shown: string | null
  readonly roles: readonly PersonRole[]
  readonly vouched: RecordBodies['person_session']['vouched']
}

export type OpenedPersonSession = { readonly cookie: string; readonly person: Person }

const SECRET_BYTES = 32

/** Opens a session, and makes room for it: what is over goes, and then the oldest. */
export async function openPersonSession(
  { store, random, sha256, tenant }: SessionDeps,
  { name, shown, roles, vouched }: NewSession,
): Promise<OpenedPersonSession> {
  const { now } = await store.readNow(MAIN)
  const cookie = `${tenant}/${name}/${encodeSecret(random.bytes(SECRET_BYTES))}`
  const key = hashText(cookie, sha256)
  const expires_at = formatInstant((parseInstant(now) ?? 0) + LIMITS.personSessionMs)
  const body = { shown, roles, vouched, opened_at: now, seen_at: now, expires_at }
  const kept = await store.listRecords('person_session', name, { limit: LIMITS.listed })
  const writes: readonly Write[] = [
    ...selectSurplus(kept, now).map((one) => drop(one)),
    { kind: 'put_record', record: 'person_session', group: name, key, body },
    { kind: 'put_record', ...SIGNED_IN, key: name, body: { until: expires_at } },
  ]
  await store.commit({ guards: [], writes })
  await dropNamesOver(store, now)
  const person = toPerson({ name, shown, roles, vouched }, cookie, key, sha256, expires_at)
  return { cookie, person }
}

/** Whoever comes through a provider may be in no list of people. */
const SIGNED_IN = { record: 'signed_in', group: 'people' } as const

/** Where somebody signs in at this moment, their name stays. */
async function dropNamesOver(store: Store, now: string): Promise<void> {
  const named = await store.listRecords(SIGNED_IN.record, SIGNED_IN.group, { limit: LIMITS.listed })
  for (const { key, version } of named.filter((one) => one.body.until <= now)) {
    const guards = [{ kind: 'record_version', ...SIGNED_IN, key, version }] as const
    await store.commit({ guards, writes: [{ kind: 'drop_record', ...SIGNED_IN, key }] })
  }
}

/** Under these names there may be sessions that hold. */
export async function listSignedInNames({
  store,
}: Pick<SessionDeps, 'store'>): Promise<readonly string[]> {
  const named = await store.listRecords(SIGNED_IN.record, SIGNED_IN.group, { limit: LIMITS.listed })
  return named.map(({ key }) => key)
}

function encodeSecret(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What has to go so that one more is not too many. */
function selectSurplus(kept: readonly Stored[], now: string): readonly Stored[] {
  const held = kept
    .filter((one) => !isOver(one, now))
    .sort((a, b) => (a.body.opened_at < b.body.opened_at ? -1 : 1))
  const oldest = held.slice(0, Math.max(0, held.length - LIMITS.sessionsPerPerson + 1))
  return [...kept.filter((one) => isOver(one, now)), ...oldest]
}

function isOver({ body }: Stored, now: string): boolean {
  return body.expires_at <= now || computeIdleMs(body, now) >= LIMITS.personIdleMs
}

function computeIdleMs({ seen_at }: Stored['body'], now: string): number {
  return (parseInstant(now) ?? 0) - (parseInstant(seen_at) ?? 0)
}

function drop({ group, key }: Pick<Stored, 'group' | 'key'>): Write {
  return { kind: 'drop_record', record: 'person_session', group, key }
}

/** Whose browser it is, if the session holds. */
export async function readPersonSession(
  deps: SessionDeps,
  { people, issuer }: Vouching,
  { tenant, name, text }: CookieValue,
  use: Use,
): Promise<Result<Person, Reply>> {
  const { store, sha256 } = deps
  if (tenant !== deps.tenant) return err(buildHttpProblem('SIGNED_OUT'))
  const key = hashText(text, sha256)
  const found = await store.readRecord('person_session', name, key)
  if (found === null) return err(buildHttpProblem('SIGNED_OUT'))
  const { now } = await store.readNow(MAIN)
  if (isOver(found, now)) return err(buildHttpProblem('SIGN_IN_EXPIRED'))
  const { shown, vouched, expires_at } = found.body
  const roles =
    'issuer' in vouched
      ? selectVouchedRoles(found, issuer === vouched.issuer)
      : selectTokenRoles(people.named(name), vouched.token_hash)
  if (roles === null) return err(buildHttpProblem('SIGNED_OUT'))
  if (use === 'asks') await recordActivity(deps, found, now)
  return ok(toPerson({ name, shown, roles, vouched }, text, key, sha256, expires_at))
}

/** By the word of a provider; it is kept with the session. */
function selectVouchedRoles({ body }: Stored, isAsked: boolean): readonly PersonRole[] | null {
  return isAsked ? PERSON_ROLES.filter((role) => body.roles.includes(role)) : null
}

/** By a token: as it is written now. */
function selectTokenRoles(
  known: KnownPerson | null,
  tokenHash: string,
): readonly PersonRole[] | null {
  return known?.token_hash === tokenHash ? known.roles : null
}

/** Now and then, and only if nobody ended it meanwhile. */
async function recordActivity({ store }: SessionDeps, found: Stored, now: string): Promise<void> {
  const { group, key, version, body } = found
  if (computeIdleMs(body, now) < LIMITS.personSeenMs) return
  const guards = [
    { kind: 'record_version', record: 'person_session', group, key, version },
  ] as const
  const seen = { ...body, seen_at: now }
  const write = { kind: 'put_record', record: 'person_session', group, key, body: seen } as const
  try {
    await store.commit({ guards, writes: [write] })
  } catch (error) {
    // A store that takes nothing can still be looked at; the session only ends the sooner.
    if (!(error instanceof StoreError)) throw error
  }
}

export type ProviderSession = {
  readonly login: Identity
  readonly roles: readonly PersonRole[]
}

/** What a provider said of whoever is signed in. */
export async function listProviderSessions({
  store,
}: Pick<SessionDeps, 'store'>): Promise<readonly ProviderSession[]> {
  const { now } = await store.readNow(MAIN)
  const found: ProviderSession[] = []
  for (const name of await listSignedInNames({ store })) {
    const limit = LIMITS.sessionsPerPerson
    const kept = await store.listRecords('person_session', name, { limit })
    for (const one of kept.filter((stored) => !isOver(stored, now))) {
      const { vouched } = one.body
      if (!('issuer' in vouched)) continue
      const { issuer, sub } = vouched
      const roles = selectVouchedRoles(one, true) ?? []
      found.push({ login: { kind: 'oidc', issuer, sub }, roles })
    }
  }
  return found
}

export async function endPersonSession({ store }: SessionDeps, person: Person): Promise<void> {
  if (person.session === undefined) return
  const ended = drop({ group: person.name, key: person.session.key })
  await store.commit({ guards: [], writes: [ended] })
}

export type ListedSession = {
  readonly name: string
  /** Which of their sessions; not what is in their browser. */
  readonly id: string
  readonly shown: string | null
  readonly opened_at: string
  readonly seen_at: string
  readonly expires_at: string
  readonly by: 'token' | 'provider'
}

/** Sessions of these people that hold by their time, the latest used first. */
export async function listPersonSessions(
  { store }: Pick<SessionDeps, 'store'>,
  names: readonly string[],
): Promise<readonly ListedSession[]> {
  const { now } = await store.readNow(MAIN)
  const found: ListedSession[] = []
  for (const name of names) {
    const limit = LIMITS.sessionsPerPerson
    const kept = await store.listRecords('person_session', name, { limit })
    for (const one of kept.filter((stored) => !isOver(stored, now))) {
      const { shown, opened_at, seen_at, expires_at, vouched } = one.body
      const by = 'issuer' in vouched ? 'provider' : 'token'
      found.push({ name, id: one.key, shown, opened_at, seen_at, expires_at, by })
    }
  }
  return found.toSorted((a, b) => (a.seen_at > b.seen_at ? -1 : 1))
}

/** False: there is no such session any more. */
export async function endSessionOf(
  { store }: Pick<SessionDeps, 'store'>,
  name: string,
  id: string,
): Promise<boolean> {
  const found = await store.readRecord('person_session', name, id)
  if (found === null) return false
  await store.commit({ guards: [], writes: [drop(found)] })
  return true
}

function toPerson(
  { name, shown, roles, vouched }: NewSession,
  cookie: string,
  key: string,
  sha256: Deps['sha256'],
  expires_at: string,
): Person {
  const session = { key, csrf: deriveCsrfWord(cookie, sha256), expires_at }
  const came = 'issuer' in vouched ? toLogin(vouched) : {}
  return { kind: 'person', name, roles, ...(shown === null ? {} : { shown }), ...came, session }
}

function toLogin({
  issuer,
  sub,
  mail,
}: Extract<NewSession['vouched'], { readonly issuer: string }>): Pick<Person, 'login' | 'mail'> {
  return { login: { kind: 'oidc', issuer, sub }, ...(mail === undefined ? {} : { mail }) }
}
