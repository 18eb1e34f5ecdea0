/**
 * Answers that are kept, so that whoever lost one may ask again under the same `Idempotency-Key`.
 *
 * I1 a request is carried out only under a claim that is durable, and one key has one claim.
 * I2 a refusal is not kept: nothing was done, so that the claim is given back, and whoever asks again is
 *    judged again. What is refused leaves nothing in the store.
 * I3 a claim of an engine that has ended is taken over. It may have done its work without saying so;
 *    what must not be done twice is guarded where it is done.
 *    What names a flow is never taken over: what became of the flow is the answer.
 * I4 claims and answers expire (`kept-claims.ts` of the engine); what has expired is cleared away before its key is
 *    claimed anew, so that a claim is only ever made where there is none.
 * I5 what was done is answered, also when that cannot be written down. Its key stays taken: to refuse
 *    whoever asks again is better than to do it twice.
 * I6 what is said of a flow is not kept once the flow was erased: its claim is given back, as the erasure would have done.
 */
import { encodeUtf8, type JsonValue, LIMITS, MAIN } from 'rubicon-kernel'
import {
  buildDueDrop,
  buildDuePut,
  computeExpiry,
  findBindingClaim,
  type KeptClaim,
} from 'rubicon-runtime/engine/flow'
import { buildNotErasedGuard } from 'rubicon-runtime/engine/rows'
import { type Store, StoreError, type Unit, type Write } from 'rubicon-runtime/ports'
import { buildHttpProblem } from '../problems/problem.ts'
import type { ClaimUnits, Reply } from '../schemas/route.ts'
import { REPLAYED } from '../views/replayed.ts'

export type ReplyKey = {
  /** Who asks. */
  readonly group: string
  /** Hash of route and key. */
  readonly key: string
  readonly body_hash: string
  /** The flow that the path names, if it names one. */
  readonly about?: string
  /** It erases what it names: its answer says nothing of that. */
  readonly erases?: boolean
}

export async function replyOnce(
  store: Store,
  asked: ReplyKey,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const claimed = await claim(store, asked)
  if (claimed.kind === 'answered') return claimed.reply
  const reply = await work().catch(async (error: unknown) => {
    await giveBack(store, asked, claimed.body).catch(() => {})
    throw error
  })
  try {
    await settle(store, asked, claimed.body, reply)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
  return reply
}

/** `work` writes the claim itself; `replay` answers for a flow that was opened under the key. */
export async function performUnderClaim(
  store: Store,
  asked: ReplyKey,
  work: (claim: ClaimUnits) => Promise<Reply>,
  replay: (dfid: string) => Promise<Reply>,
): Promise<Reply> {
  const { now } = await store.readNow(MAIN)
  const found = await findBindingClaim(store, asked, now)
  if (found === 'contended') return buildHttpProblem('IDEMPOTENCY_IN_FLIGHT')
  if (found !== null) {
    const { dfid, body_hash } = found.body
    // Of a flow that was erased nobody knows what was asked.
    const isSame = body_hash === '' || body_hash === asked.body_hash
    if (dfid === undefined || !isSame) return replayReply(found, asked.body_hash)
    const reply = await replay(dfid)
    return { ...reply, headers: { ...reply.headers, ...REPLAYED } }
  }
  const open = buildClaim(store, asked, now)
  return work({
    buildFlowClaim: (dfid) => buildClaimUnit(asked, { ...open, dfid }),
    buildAnsweredClaim(reply) {
      const said = toKeptReply(reply)
      const { guards, writes } = buildClaimUnit(asked, { ...open, reply: said })
      // What is too long to be kept is not kept: whoever asks again is judged again.
      return { guards, writes: said === null ? [] : writes }
    },
  })
}

function buildClaim(
  { epoch }: Store,
  { body_hash, about }: ReplyKey,
  now: string,
): KeptClaim['body'] {
  const named = about === undefined ? {} : { about }
  return { body_hash, reply: null, epoch, expires_at: computeExpiry(now), ...named }
}

function buildClaimUnit({ group, key }: ReplyKey, body: KeptClaim['body']): Unit {
  return {
    guards: [{ kind: 'record_version', record: 'http_reply', group, key, version: null }],
    writes: [
      { kind: 'put_record', record: 'http_reply', group, key, body },
      buildDuePut({ group, key, body }),
    ],
  }
}

/** As it goes over the wire: members that are undefined are not there. Null: it is too long to be kept. */
function toKeptReply({ status, body }: Reply): KeptClaim['body']['reply'] {
  const text = JSON.stringify(body)
  if (encodeUtf8(text).length > LIMITS.replyBytes) return null
  return { status, body: JSON.parse(text) as JsonValue }
}

type Claim =
  | { readonly kind: 'claimed'; readonly body: KeptClaim['body'] }
  | { readonly kind: 'answered'; readonly reply: Reply }

async function claim(store: Store, asked: ReplyKey): Promise<Claim> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await store.readNow(MAIN)
    const found = await findBindingClaim(store, asked, now)
    if (found === 'contended') break
    if (found !== null) return { kind: 'answered', reply: replayReply(found, asked.body_hash) }
    const body = buildClaim(store, asked, now)
    const outcome = await store.commit(buildClaimUnit(asked, body))
    if (outcome.ok) return { kind: 'claimed', body }
  }
  return { kind: 'answered', reply: buildHttpProblem('IDEMPOTENCY_IN_FLIGHT') }
}

function replayReply({ body }: KeptClaim, bodyHash: string): Reply {
  if (body.body_hash !== bodyHash) return buildHttpProblem('IDEMPOTENCY_BODY_MISMATCH')
  if (body.reply === null) return buildHttpProblem('IDEMPOTENCY_IN_FLIGHT')
  const { status, body: said } = body.reply
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return { status, body: said, headers: { 'content-type': type, ...REPLAYED } }
}

async function settle(
  store: Store,
  asked: ReplyKey,
  claimed: KeptClaim['body'],
  reply: Reply,
): Promise<void> {
  const kept = reply.status < 400 ? toKeptReply(reply) : null
  if (kept === null) return giveBack(store, asked, claimed)
  const { group, key } = asked
  const write: Write = {
    kind: 'put_record',
    record: 'http_reply',
    group,
    key,
    body: { ...claimed, reply: kept },
  }
  const guards = asked.erases === true ? [] : buildErasureGuards(kept)
  const { ok } = await store.commit({ guards, writes: [write] })
  if (!ok) await giveBack(store, asked, claimed)
}

const DFIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Of every flow that is named anywhere in it: an erasure looks for no more. */
function buildErasureGuards({ body }: NonNullable<KeptClaim['body']['reply']>): Unit['guards'] {
  return [...new Set(JSON.stringify(body).match(DFIDS))].map(buildNotErasedGuard)
}

async function giveBack(
  store: Store,
  { group, key }: ReplyKey,
  body: KeptClaim['body'],
): Promise<void> {
  const drop: Write = { kind: 'drop_record', record: 'http_reply', group, key }
  await store.commit({ guards: [], writes: [drop, buildDueDrop({ group, key, body })] })
}
