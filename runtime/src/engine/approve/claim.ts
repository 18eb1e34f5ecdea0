/**
 * Who looks after a request, so that two people do not read the same one. Somebody takes it, or another
 * gives it to them: either is one claim. It is a courtesy between people: it gives nobody a right and takes
 * none away. (What an agent says is a claim in another sense.)
 *
 * Boundary: it is kept beside the request, for every process to see, and never in the ledger. Nothing
 * that decides reads it.
 *
 * C1 a claim touches neither the request nor its version: no decision waits for one, or is made again
 *    because of one.
 * C2 it ends by itself: after `LIMITS.claimMs`, or where another gave it with the request, since whoever has it
 *    may not be there yet; and once whoever has it has approved.
 * C3 nobody's claim goes to another, or away, without whoever does that naming whose it is.
 */
import {
  err,
  type Failure,
  formatInstant,
  isSameName,
  isSamePerson,
  LIMITS,
  MAIN,
  NOBODY,
  ok,
  type Persons,
  parseInstant,
  type Refusal,
  type Result,
} from 'rubicon-kernel'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard, Store } from '../../ports/store.ts'
import { identifyPerson } from '../authority/persons/person-behind.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { toRefusalFailure } from '../rows/refusal-failure.ts'
import {
  CLAIM,
  type Escalation,
  loadEscalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import type { Onlooker } from './brief/standing.ts'
import { findDeciderProblem } from './deciders.ts'
import { loadNotOpenRefusal } from './not-open.ts'

export type Claim = RecordBodies['escalation_claim']
/** As somebody is shown it. */
export type ShownClaim = Claim & { readonly yours: boolean }
type StoredClaim = StoredRecord<'escalation_claim'>

/** The claim that stands, if one does (C2). */
export function findStandingClaim(
  claim: Claim | undefined,
  { counted }: Pick<Escalation, 'counted'>,
  persons: Persons,
  now: string,
): Claim | null {
  if (claim === undefined || claim.until <= now) return null
  const isOver = counted.some((one) => isSamePerson(persons, one.person ?? NOBODY, claim.person))
  return isOver ? null : claim
}

/** Of requests that wait, by their ids. */
export async function readClaims(
  store: Pick<Store, 'listRecords'>,
  limit: number,
): Promise<ReadonlyMap<string, Claim>> {
  const stored = await store.listRecords(CLAIM.record, CLAIM.group, { limit })
  return new Map(stored.map(({ key, body }) => [key, body]))
}

export async function readClaim(
  store: Pick<Store, 'readRecord'>,
  id: string,
): Promise<Claim | undefined> {
  return (await store.readRecord(CLAIM.record, CLAIM.group, id))?.body
}

/** Takes a request, or goes on having it; from another only by their name. */
export function claimEscalation(
  context: Context,
  id: string,
  who: Onlooker,
  insteadOf?: string,
): Promise<Result<ShownClaim, Failure>> {
  return putClaim(context, id, { who, to: who }, insteadOf)
}

/** Gives a request to somebody by their name, whoever could decide it; from another only by that one's name. */
export async function assignEscalation(
  context: Context,
  id: string,
  who: Onlooker,
  to: string,
  insteadOf?: string,
): Promise<Result<ShownClaim, Failure>> {
  const known = await identifyOnlooker(context, { name: to, approver: true })
  if (known.person === NOBODY) return err(toRefusalFailure(buildUnknownPersonRefusal({ name: to })))
  const { persons, person } = await identifyOnlooker(context, who)
  const isSelf = isSamePerson(persons, known.person, person)
  // Whether somebody has the role, a server knows: here only whether the request is theirs to decide.
  return putClaim(context, id, { who, to: isSelf ? who : { name: to, approver: true } }, insteadOf)
}

type Claiming = {
  readonly who: Onlooker
  /** Whose it is to be. */
  readonly to: Onlooker
}

async function putClaim(
  context: Context,
  id: string,
  claiming: Claiming,
  insteadOf?: string,
): Promise<Result<ShownClaim, Failure>> {
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const stored = await loadEscalation(context, 'open', id)
    if (stored === null) return err(toRefusalFailure(await loadNotOpenRefusal(context, id)))
    const held = await store.readRecord(CLAIM.record, CLAIM.group, id)
    const made = await buildClaim(context, stored, held?.body, claiming, insteadOf)
    if (!made.ok) return made
    const { yours, ...body } = made.value
    const unit = {
      // Not on a request that was decided a moment ago: nothing would end it.
      guards: [buildClaimGuard(held, id), buildEscalationGuard(stored)],
      writes: [{ kind: 'put_record', ...CLAIM, key: id, body } as const],
    }
    if ((await store.commit(unit)).ok) return ok({ ...body, yours })
  }
  return err(contended)
}

async function buildClaim(
  context: Context,
  { body }: StoredEscalation,
  held: Claim | undefined,
  { who, to }: Claiming,
  insteadOf: string | undefined,
): Promise<Result<ShownClaim, Failure>> {
  // Whoever could decide nothing about it would only keep others from looking.
  const refusal =
    (await findDeciderProblem(context, body, who)) ?? (await findDeciderProblem(context, body, to))
  if (refusal !== null) return err(refusal)
  const { now } = await context.store.readNow(MAIN)
  const { persons, person } = await identifyOnlooker(context, who)
  if (person === NOBODY) return err(toRefusalFailure(buildUnknownPersonRefusal(who)))
  const claim = findStandingClaim(held, body, persons, now)
  const isOwn = claim !== null && isSamePerson(persons, claim.person, person)
  if (claim !== null && !isOwn && !isNamed(claim, insteadOf)) return err(buildClaimedFailure(claim))
  if (to !== who) {
    const other = (await identifyOnlooker(context, to)).person
    const given = { by: to.name, person: other, since: now, until: body.request.expires_at }
    return ok({ ...given, given_by: who.name, yours: false })
  }
  const until = formatInstant((parseInstant(now) ?? 0) + LIMITS.claimMs)
  if (!isOwn) return ok({ by: who.name, person, since: now, until, yours: true })
  // What was given lasts longer than what is taken.
  return ok({
    ...claim,
    by: who.name,
    until: claim.until > until ? claim.until : until,
    yours: true,
  })
}

/** Ends a claim; `of` is whose it is, where it is another's. Null: there was none. */
export async function releaseClaim(
  context: Context,
  id: string,
  who: Onlooker,
  of?: string,
): Promise<Result<ShownClaim | null, Failure>> {
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const held = await store.readRecord(CLAIM.record, CLAIM.group, id)
    if (held === null) return ok(null)
    const { persons, person } = await identifyOnlooker(context, who)
    const isOwn = isSamePerson(persons, held.body.person, person)
    const { now } = await store.readNow(MAIN)
    if (held.body.until > now && !isOwn && !isNamed(held.body, of))
      return err(buildClaimedFailure(held.body))
    const unit = {
      guards: [buildClaimGuard(held, id)],
      writes: [{ kind: 'drop_record', ...CLAIM, key: id } as const],
    }
    if ((await store.commit(unit)).ok)
      return ok(held.body.until > now ? { ...held.body, yours: isOwn } : null)
  }
  return err(contended)
}

/** By the name that was shown; whose it is, the person says. */
function isNamed({ by }: Claim, name: string | undefined): boolean {
  return name !== undefined && isSameName(name, by)
}

async function identifyOnlooker(
  context: Context,
  { name, ...came }: Onlooker,
): Promise<{ readonly persons: Persons; readonly person: string }> {
  const authority = await context.authorities.loadLatest()
  const person = await identifyPerson(context, authority, { principal: name, ...came })
  return { persons: authority.persons, person }
}

function buildUnknownPersonRefusal({ name }: Pick<Onlooker, 'name'>): Refusal {
  return { code: 'PERSON_UNKNOWN', details: { approver: name } }
}

function buildClaimGuard(held: StoredClaim | null, key: string): Guard {
  return { kind: 'record_version', ...CLAIM, key, version: held?.version ?? null }
}

function buildEscalationGuard({ key, group, version }: StoredEscalation): Guard {
  return { kind: 'record_version', record: 'escalation', group, key, version }
}

function buildClaimedFailure({ by, since, until }: Claim): Failure {
  return {
    code: 'ESCALATION_CLAIMED',
    summary: `\`${by}\` has claimed this request since ${since}`,
    why: 'a claim is taken over only by naming the person who holds it',
    fix: `decide it all the same, wait until ${until}, or take it over by naming \`${by}\``,
    meta: { by, since, until },
  }
}

const contended: Failure = buildContentionFailure('the request')
