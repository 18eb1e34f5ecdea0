/**
 * Sessions: what an agent holds after a handshake. The token is shown once and never kept; the store
 * has its hash.
 *
 * S1 a token counts for one agent, until it expires by the time of the ledger, and only while the
 *    agent is ACTIVE and the key that it was bound to, if any, is in use.
 * S2 whatever stops an agent ends its sessions, and what lets it go again ends those that are left:
 *    a token from before a suspension never counts after it.
 * S3 an agent has so many sessions; one more is refused, and ends none that counts.
 * S4 what was said in a session becomes durable while that stands: `guards` are part of the unit. What
 *    was accepted or waits for a person goes on without it, and stands on its key alone.
 */
import {
  AUTHORITY,
  type Authority,
  encodeBase64,
  err,
  type Failure,
  findAgentStatus,
  formatInstant,
  hashText,
  isKeyInUse,
  LIMITS,
  ok,
  parseInstant,
  type Result,
  type Topology,
} from 'rubicon-kernel'
import type { RecordBodies, StoredRecord } from '../../../ports/record.ts'
import type { Guard, Write } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import type { Registrar } from './append-authority.ts'

const PREFIX = 'rbs_'
const TOKEN_BYTES = 32
const TOKEN_LENGTH = PREFIX.length + 43
/** All tokens are in one group: who presents one does not say whose it is. */
const TOKENS = 'tokens'

export type LiveSession = {
  readonly agent_id: string
  /** The key that the handshake was signed with; null for one in process. */
  readonly key_id: string | null
  /** That key, as it is registered. */
  readonly public_key: string | null
  readonly schema_version: string
  /** What its agent can serve beside plain flows. */
  readonly topologies: readonly Topology[]
  readonly expires_at: string
  /** That it has not ended since, for the unit that makes durable what was said in it. */
  readonly guards: readonly Guard[]
}

export type OpenedSession = {
  readonly token: string
  readonly expires_at: string
  readonly writes: readonly Write[]
}

type Spoken = Pick<LiveSession, 'agent_id' | 'key_id' | 'schema_version' | 'topologies'>

export type SessionRequest = Spoken & {
  /** Others of the same key end; it is how whoever holds the key makes room. */
  readonly end_others: boolean
}

/** A new session, where there is room: what does not count any more goes, and nothing that does. */
export async function openSession(
  { store, random, sha256 }: Deps,
  authority: Pick<Authority, 'keys'>,
  { agent_id, key_id, schema_version, topologies, end_others }: SessionRequest,
): Promise<Result<OpenedSession, Failure>> {
  const { now } = await store.readNow(AUTHORITY)
  const token = `${PREFIX}${encodeBase64url(random.bytes(TOKEN_BYTES))}`
  const expires_at = formatInstant((parseInstant(now) ?? 0) + LIMITS.sessionMs)
  const body: RecordBodies['session'] = {
    key_id,
    schema_version,
    ...(topologies.length === 0 ? {} : { topologies }),
    opened_at: now,
    expires_at,
    ended_at: null,
  }
  const key = hashText(token, sha256)
  const kept = await listSessions({ store }, agent_id)
  const gone = kept.filter(
    (one) => isOver(one, authority, now) || (end_others && one.body.key_id === key_id),
  )
  if (kept.length - gone.length >= LIMITS.sessionsPerAgent)
    return err(buildSessionsFullFailure(agent_id))
  return ok({
    token,
    expires_at,
    writes: [
      ...gone.flatMap((one) => forget(agent_id, one.key)),
      { kind: 'put_record', record: 'session', group: agent_id, key, body },
      { kind: 'put_record', record: 'session_token', group: TOKENS, key, body: { agent_id } },
    ],
  })
}

function encodeBase64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

type StoredSession = StoredRecord<'session'>

/** All of them: handshakes at the same moment may have made more than there should be. */
async function listSessions(
  { store }: Pick<Deps, 'store'>,
  agent: string,
): Promise<readonly StoredSession[]> {
  const limit = LIMITS.sessionsPerAgent
  const sessions: StoredSession[] = []
  for (;;) {
    const last = sessions.at(-1)
    const after = last === undefined ? {} : { after: last.key }
    const page = await store.listRecords('session', agent, { limit, ...after })
    sessions.push(...page)
    if (page.length < limit) return sessions
  }
}

/** Its token does not count any more, and never will again. */
function isOver({ body }: StoredSession, { keys }: Pick<Authority, 'keys'>, now: string): boolean {
  if (body.ended_at !== null || body.expires_at <= now) return true
  const key = body.key_id === null ? null : keys.get(body.key_id)
  return key !== null && (key === undefined || !isKeyInUse(key))
}

function forget(group: string, key: string): readonly Write[] {
  return [
    { kind: 'drop_record', record: 'session', group, key },
    { kind: 'drop_record', record: 'session_token', group: TOKENS, key },
  ]
}

/** For the unit that stops an agent or lets it go again. */
export async function endSessions(deps: Deps, agent: string): Promise<readonly Write[]> {
  const { now } = await deps.store.readNow(AUTHORITY)
  const open = (await listSessions(deps, agent)).filter(({ body }) => body.ended_at === null)
  return open.map(({ group, key, body }) => ({
    kind: 'put_record',
    record: 'session',
    group,
    key,
    body: { ...body, ended_at: now },
  }))
}

/** At the word of whoever holds it. */
export async function endSession(deps: Deps, token: string): Promise<void> {
  const found = await load(deps, hashText(token, deps.sha256))
  if (found === null) return
  const { now } = await deps.store.readNow(AUTHORITY)
  const { group, key } = found
  const body = { ...found.body, ended_at: found.body.ended_at ?? now }
  await deps.store.commit({
    guards: [],
    writes: [{ kind: 'put_record', record: 'session', group, key, body }],
  })
}

/** Whose session it is, if the token holds. */
export async function readSession(
  { store, sha256, authorities }: Registrar,
  token: string,
): Promise<Result<LiveSession, Failure>> {
  const { now, authority_seq } = await store.readNow(AUTHORITY)
  const found = isToken(token) ? await load({ store }, hashText(token, sha256)) : null
  if (found === null) return err(buildSessionInvalidFailure('it was not issued here'))
  const { group: agent_id, body } = found
  const { key_id, schema_version, topologies = [], expires_at, ended_at } = body
  if (ended_at !== null) return err(buildSessionInvalidFailure(`it ended at ${ended_at}`))
  if (expires_at <= now) return err(buildSessionExpiredFailure(expires_at))
  const authority = await authorities.loadCurrent(authority_seq)
  const status = findAgentStatus(authority, agent_id)
  if (status !== 'ACTIVE')
    return err(buildSessionInvalidFailure(`its agent is ${status ?? 'unknown'}`))
  const key = key_id === null ? undefined : authority.keys.get(key_id)
  if (key_id !== null && (key === undefined || !isKeyInUse(key)))
    return err(buildSessionInvalidFailure('the key that it is bound to has ended'))
  const public_key = key?.public_key ?? null
  return ok({
    agent_id,
    key_id,
    public_key,
    schema_version,
    topologies,
    expires_at,
    guards: buildSessionGuards(found),
  })
}

function buildSessionGuards({ group, key, version, body }: StoredSession): readonly Guard[] {
  return [
    { kind: 'record_version', record: 'session', group, key, version },
    { kind: 'before', at: body.expires_at },
  ]
}

/** What comes from outside may be anything, and of any length. */
function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length === TOKEN_LENGTH && token.startsWith(PREFIX)
}

async function load({ store }: Pick<Deps, 'store'>, hash: string): Promise<StoredSession | null> {
  const named = await store.readRecord('session_token', TOKENS, hash)
  return named === null ? null : store.readRecord('session', named.body.agent_id, hash)
}

function buildSessionInvalidFailure(why: string): Failure {
  return {
    code: 'SESSION_INVALID',
    summary: 'the session token is invalid',
    why,
    fix: 'make a new handshake',
  }
}

function buildSessionsFullFailure(agent: string): Failure {
  return {
    code: 'SESSIONS_FULL',
    summary: `\`${agent}\` has ${LIMITS.sessionsPerAgent} sessions, which is the limit`,
    why: 'a new session never ends one that is in use: whoever opens many would lock the others out',
    fix: 'end sessions that nobody uses (`DELETE /v1/agents/handshake`), or make the handshake with `end_others: true`, which ends those of the same key',
  }
}

/** The token is good, and somebody else's. */
export function buildForeignSessionFailure(agent: string): Failure {
  return buildSessionInvalidFailure(`it is not one of \`${agent}\``)
}

function buildSessionExpiredFailure(at: string): Failure {
  return {
    code: 'SESSION_EXPIRED',
    summary: 'the session has ended',
    why: `it lasted until ${at}`,
    fix: 'make a new handshake',
  }
}
