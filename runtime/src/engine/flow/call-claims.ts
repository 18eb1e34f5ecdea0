/**
 * Which act a call of an agent stands for: what a client that repeats itself is answered with.
 *
 * C1 a call under a key, or under the id that it has in its conversation, is the act that was made under it first. With other
 *    arguments it is refused.
 * C2 a call that asks for what is in flight, waits or is UNKNOWN is that act, so that a client that was started anew goes on with
 *    it; for how long after it took effect, the contract says (`repeat_window_s`).
 *    So is one that came before the act was over (`call-order.ts`), also where it is over when its turn comes.
 * C3 what a call is known by is claimed in the unit that opens the flow: of two who come at once one is the first. Whoever repeats an
 *    act has its own names claimed for it before it is answered, since it may ask again when the act is over.
 * C4 an agent repeats only itself.
 */
import {
  type Failure,
  hashText,
  type JsonObject,
  LIMITS,
  parseInstant,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import type { RecordRef } from '../../ports/record.ts'
import type { Guard, Store, Unit, Write } from '../../ports/store.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import {
  buildDueDrop,
  buildDuePut,
  computeExpiry,
  findBindingClaim,
  isFlowOpen,
  type KeptClaim,
} from './kept-claims.ts'

/** What a call is known by. Asked for again under the same, it is not done again. */
export type CallNames = {
  /** Its id in a conversation in which no id is used twice. */
  readonly call?: { readonly conversation: string; readonly id: string }
  /** A key that its client chose. */
  readonly key?: string
}

type Place = Pick<RecordRef, 'group' | 'key'>

/** Where it is kept what a call stands for. */
export type CallPlaces = {
  /** Of what would be done. */
  readonly asked: string
  readonly names: readonly Place[]
  /** The latest that asked for the same. */
  readonly same: Place
}

const GROUP = 'act '
const SAME = 'same '

/** `wanted`: all that says what would be done. */
export function toCallPlaces(
  agent: string,
  { call, key }: CallNames,
  wanted: JsonObject,
  sha256: Sha256,
): CallPlaces {
  const group = `${GROUP}${agent}`
  const names = [
    ...(key === undefined ? [] : [`key ${hashText(key, sha256)}`]),
    ...(call === undefined
      ? []
      : [`call ${hashText(toCanonicalText([call.conversation, call.id]), sha256)}`]),
  ]
  const asked = hashText(toCanonicalText(wanted), sha256)
  return {
    asked,
    names: names.map((name) => ({ group, key: name })),
    same: { group, key: `${SAME}${asked}` },
  }
}

export type EarlierAct =
  /** `same`: the latest that asked for the same, and is over. */
  | { readonly kind: 'first'; readonly same: KeptClaim | null }
  /** `unclaimed`: names under which nobody has asked for it yet. */
  | { readonly kind: 'repeated'; readonly dfid: string; readonly unclaimed: readonly Place[] }
  /** Under its name something else was asked for. */
  | { readonly kind: 'reused'; readonly dfid: string }
  | { readonly kind: 'contended' }

export type CallLook = {
  /** The latest that asked for the same when this was asked first: one that came since came at the same time. */
  readonly began: string | null | undefined
  readonly readWindowS: () => Promise<number>
  /** Of an act that is over now: whether it was when this call came. */
  readonly isOverBefore: (dfid: string) => Promise<boolean>
}

export async function findEarlierAct(
  store: Store,
  { asked, names, same: samePlace }: CallPlaces,
  now: string,
  { began, readWindowS, isOverBefore }: CallLook,
): Promise<EarlierAct> {
  const unclaimed: Place[] = []
  let dfid: string | undefined
  for (const place of names) {
    const kept = await findBindingClaim(store, place, now)
    if (kept === 'contended') return { kind: 'contended' }
    if (kept === null) unclaimed.push(place)
    else if (!isAskedBy(kept, asked)) return { kind: 'reused', dfid: kept.body.dfid ?? '' }
    else dfid ??= kept.body.dfid
  }
  if (dfid !== undefined) return { kind: 'repeated', dfid, unclaimed }
  const same = await findBindingClaim(store, samePlace, now)
  if (same === 'contended') return { kind: 'contended' }
  const latest = same?.body.dfid
  if (latest === undefined) return { kind: 'first', same }
  const isAtOnce = began !== undefined && began !== latest
  const isOver = !isAtOnce && !(await isGoingOn(store, latest, now, readWindowS))
  if (isOver && (await isOverBefore(latest))) return { kind: 'first', same }
  return { kind: 'repeated', dfid: latest, unclaimed }
}

/** Of a flow that was erased nobody knows what was asked. */
function isAskedBy({ body: { body_hash } }: KeptClaim, asked: string): boolean {
  return body_hash === '' || body_hash === asked
}

/** Nobody knows yet what becomes of it, or it took effect a moment ago. */
async function isGoingOn(
  store: Store,
  dfid: string,
  now: string,
  readWindowS: () => Promise<number>,
): Promise<boolean> {
  if (await isFlowOpen(store, dfid)) return true
  const windowMs = (await readWindowS()) * 1000
  const flow = windowMs === 0 ? null : await store.readFlow(dfid)
  // What was taken back, or may be, is not there any more.
  if (flow === null || flow.tags.includes('DIRTY') || flow.tags.includes('COMPENSATED'))
    return false
  const overMs = (parseInstant(now) ?? 0) - (parseInstant(flow.updated_at) ?? 0)
  if (overMs >= windowMs) return false
  return (await readAllExecutions(store, { dfid, status: ['SUCCESS'] })).length > 0
}

/** For the unit that opens the flow of a call. */
export function buildFirstClaims(
  store: Store,
  { asked, names, same: place }: CallPlaces,
  same: KeptClaim | null,
  dfid: string,
  now: string,
): Unit {
  const claimed = buildNameClaims(store, names, asked, dfid, now)
  const latest = buildNameClaims(store, [place], asked, dfid, now)
  const version = same?.version ?? null
  return {
    guards: [...claimed.guards, { ...toRef(place), kind: 'record_version', version }],
    writes: [
      ...claimed.writes,
      // Before the new one: within a millisecond they have the same name.
      ...(same === null ? [] : [buildDueDrop(same)]),
      ...latest.writes,
    ],
  }
}

/** Names under which nobody has asked before: from now on they stand for that flow. */
export function buildNameClaims(
  { epoch }: Store,
  names: readonly Place[],
  asked: string,
  dfid: string,
  now: string,
): Unit {
  // As long as what a call waits for may still be carried out.
  const expires_at = computeExpiry(now, LIMITS.deadlineHorizonMs)
  const body = { body_hash: asked, reply: null, epoch, expires_at, dfid }
  return {
    guards: names.map((place): Guard => {
      return { ...toRef(place), kind: 'record_version', version: null }
    }),
    writes: names.flatMap((place): readonly Write[] => [
      { kind: 'put_record', record: 'http_reply', ...place, body },
      buildDuePut({ ...place, body }),
    ]),
  }
}

function toRef(place: Place): RecordRef {
  return { record: 'http_reply', ...place }
}

export function isCallClaim({ record, group }: RecordRef): boolean {
  return record === 'http_reply' && group.startsWith(GROUP)
}

/** It is called by a hash of what was asked for. */
export function isOfSameAsked({ group, key }: Place): boolean {
  return group.startsWith(GROUP) && key.startsWith(SAME)
}

/** Somebody asked for the same at the same time, and was first. It is told from other failures by being this one. */
export const CALL_OVERTAKEN: Failure = {
  code: 'STORE_CONTENTION',
  summary: 'somebody asked for the same at the same time',
  fix: 'try again',
}

export function buildReusedFailure(dfid: string): Failure {
  return {
    code: 'CALL_REUSED',
    summary: 'the agent has used this name for another call before',
    why: 'a name identifies one call, so that a client that lost the answer can ask again',
    fix: 'give a new call a new id, and a new key',
    meta: { dfid },
  }
}
