/**
 * Answers that are kept, so that whoever lost one may ask again under the same `Idempotency-Key`.
 *
 * I1 a request is carried out only under a claim that is durable, and one key has one claim.
 * I2 a refusal is not kept: nothing was done, so that the claim is given back, and whoever asks again is
 *    judged again. What is refused leaves nothing in the store.
 * I3 a claim of an engine that has ended is taken over. It may have done its work without saying so;
 *    what must not be done twice is guarded where it is done.
 *    What names a flow is never taken over: what became of the flow is the answer.
 * I4 claims and answers expire; each new one clears away some that have.
 * I5 what was done is answered, also when that cannot be written down. Its key stays taken: to refuse
 *    whoever asks again is better than to do it twice.
 */
import {
  encodeUtf8,
  formatInstant,
  type JsonValue,
  LIMITS,
  MAIN,
  parseInstant,
} from 'rubicon-kernel'
import {
  type RecordBodies,
  type Store,
  type StoredRecord,
  StoreError,
  type Unit,
  type Write,
} from 'rubicon-runtime/ports'
import { buildHttpProblem } from '../problems/problem.ts'
import type { ClaimUnits, Reply } from '../schemas/route.ts'

export type ReplyKey = {
  /** Who asks. */
  readonly group: string
  /** Hash of route and key. */
  readonly key: string
  readonly body_hash: string
}

type Kept = StoredRecord<'http_reply'>

/** Cleared away with each new claim: more than one, so that they cannot pile up. */
const CLEARED = 4

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
  const kept = await store.readRecord('http_reply', asked.group, asked.key)
  if (kept !== null && (await isBinding(store, kept, now))) {
    const { dfid, body_hash } = kept.body
    // Of a flow that was erased nobody knows what was asked.
    const isSame = body_hash === '' || body_hash === asked.body_hash
    if (dfid === undefined || !isSame) return replayReply(kept, asked.body_hash)
    const reply = await replay(dfid)
    return { ...reply, headers: { ...reply.headers, ...REPLAYED } }
  }
  const drops = await collectExpiredDrops(store, now)
  const open = buildClaim(store, asked, now)
  const buildUnit = (body: RecordBodies['http_reply']): Unit =>
    buildClaimUnit(asked, body, kept, drops)
  return work({
    buildFlowClaim: (dfid) => buildUnit({ ...open, dfid }),
    buildAnsweredClaim(reply) {
      const said = toKeptReply(reply)
      const { guards, writes } = buildUnit({ ...open, reply: said })
      // What is too long to be kept is not kept: whoever asks again is judged again.
      return { guards, writes: said === null ? [] : writes }
    },
  })
}

const REPLAYED = { 'idempotent-replayed': 'true' }

function buildClaim(
  { epoch }: Store,
  { body_hash }: ReplyKey,
  now: string,
): RecordBodies['http_reply'] {
  const expires_at = formatInstant((parseInstant(now) ?? 0) + LIMITS.replyMs)
  return { body_hash, reply: null, epoch, expires_at }
}

function buildClaimUnit(
  { group, key }: ReplyKey,
  body: RecordBodies['http_reply'],
  kept: Kept | null,
  drops: readonly Write[],
): Unit {
  const version = kept?.version ?? null
  const due = { group: DUE, key: formatDueKey({ group, key, body }) }
  return {
    guards: [{ kind: 'record_version', record: 'http_reply', group, key, version }],
    writes: [
      ...drops,
      ...(kept === null ? [] : [buildDueDrop(kept)]),
      { kind: 'put_record', record: 'http_reply', group, key, body },
      { kind: 'put_record', record: 'http_reply_due', ...due, body: { group, key } },
    ],
  }
}

/** As it goes over the wire: members that are undefined are not there. Null: it is too long to be kept. */
function toKeptReply({ status, body }: Reply): RecordBodies['http_reply']['reply'] {
  const text = JSON.stringify(body)
  if (encodeUtf8(text).length > LIMITS.replyBytes) return null
  return { status, body: JSON.parse(text) as JsonValue }
}

type Claim =
  | { readonly kind: 'claimed'; readonly body: RecordBodies['http_reply'] }
  | { readonly kind: 'answered'; readonly reply: Reply }

async function claim(store: Store, asked: ReplyKey): Promise<Claim> {
  const { group, key, body_hash } = asked
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await store.readNow(MAIN)
    const kept = await store.readRecord('http_reply', group, key)
    if (kept !== null && (await isBinding(store, kept, now)))
      return { kind: 'answered', reply: replayReply(kept, body_hash) }
    const body = buildClaim(store, asked, now)
    const drops = await collectExpiredDrops(store, now)
    const outcome = await store.commit(buildClaimUnit(asked, body, kept, drops))
    if (outcome.ok) return { kind: 'claimed', body }
  }
  return { kind: 'answered', reply: buildHttpProblem('IDEMPOTENCY_IN_FLIGHT') }
}

/** It still stands for what was asked under the key. */
async function isBinding(store: Store, { body }: Kept, now: string): Promise<boolean> {
  if (body.expires_at <= now) return false
  if (body.reply !== null || body.dfid !== undefined || body.epoch === store.epoch) return true
  return (await store.listEndedEpochs([body.epoch])).length === 0
}

function replayReply({ body }: Kept, bodyHash: string): Reply {
  if (body.body_hash !== bodyHash) return buildHttpProblem('IDEMPOTENCY_BODY_MISMATCH')
  if (body.reply === null) return buildHttpProblem('IDEMPOTENCY_IN_FLIGHT')
  const { status, body: said } = body.reply
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return { status, body: said, headers: { 'content-type': type, ...REPLAYED } }
}

async function settle(
  store: Store,
  asked: ReplyKey,
  claimed: RecordBodies['http_reply'],
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
  await store.commit({ guards: [], writes: [write] })
}

async function giveBack(
  store: Store,
  { group, key }: ReplyKey,
  body: RecordBodies['http_reply'],
): Promise<void> {
  const drop: Write = { kind: 'drop_record', record: 'http_reply', group, key }
  await store.commit({ guards: [], writes: [drop, buildDueDrop({ group, key, body })] })
}

const DUE = 'due'

function formatDueKey({ group, key, body }: Omit<Kept, 'version'>): string {
  return `${body.expires_at} ${group} ${key}`
}

function buildDueDrop(kept: Omit<Kept, 'version'>): Write {
  return { kind: 'drop_record', record: 'http_reply_due', group: DUE, key: formatDueKey(kept) }
}

async function collectExpiredDrops(store: Store, now: string): Promise<readonly Write[]> {
  const due = await store.listRecords('http_reply_due', DUE, { until: now, limit: CLEARED })
  return due.flatMap(({ key, body }): readonly Write[] => [
    { kind: 'drop_record', record: 'http_reply_due', group: DUE, key },
    { kind: 'drop_record', record: 'http_reply', group: body.group, key: body.key },
  ])
}
