/**
 * Answers that are kept, so that whoever lost one may ask again under the same `Idempotency-Key`.
 *
 * I1 a request is carried out only under a claim that is durable, and one key has one claim.
 * I2 a refusal is not kept: nothing was done, so that the claim is given back, and whoever asks again is
 *    judged again. What is refused leaves nothing in the store.
 * I3 a claim of an engine that has ended is taken over. It may have done its work without saying so;
 *    what must not be done twice is guarded where it is done.
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
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import { type Store, StoreError, type Write } from '../../ports/store.ts'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'

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

type Claim =
  | { readonly kind: 'claimed'; readonly body: RecordBodies['http_reply'] }
  | { readonly kind: 'answered'; readonly reply: Reply }

async function claim(store: Store, { group, key, body_hash }: ReplyKey): Promise<Claim> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await store.readNow(MAIN)
    const kept = await store.readRecord('http_reply', group, key)
    if (kept !== null && (await isBinding(store, kept, now)))
      return { kind: 'answered', reply: replayReply(kept, body_hash) }
    const expires_at = formatInstant((parseInstant(now) ?? 0) + LIMITS.replyMs)
    const body = { body_hash, reply: null, epoch: store.epoch, expires_at }
    const version = kept?.version ?? null
    const outcome = await store.commit({
      guards: [{ kind: 'record_version', record: 'http_reply', group, key, version }],
      writes: [
        ...(await collectExpiredDrops(store, now)),
        ...(kept === null ? [] : [buildDueDrop(kept)]),
        { kind: 'put_record', record: 'http_reply', group, key, body },
        {
          kind: 'put_record',
          record: 'http_reply_due',
          group: DUE,
          key: formatDueKey({ group, key, body }),
          body: { group, key },
        },
      ],
    })
    if (outcome.ok) return { kind: 'claimed', body }
  }
  return { kind: 'answered', reply: buildHttpProblem('IDEMPOTENCY_IN_FLIGHT') }
}

/** It still stands for what was asked under the key. */
async function isBinding(store: Store, { body }: Kept, now: string): Promise<boolean> {
  if (body.expires_at <= now) return false
  if (body.reply !== null || body.epoch === store.epoch) return true
  return (await store.listEndedEpochs([body.epoch])).length === 0
}

function replayReply({ body }: Kept, bodyHash: string): Reply {
  if (body.body_hash !== bodyHash) return buildHttpProblem('IDEMPOTENCY_BODY_MISMATCH')
  if (body.reply === null) return buildHttpProblem('IDEMPOTENCY_IN_FLIGHT')
  const { status, body: said } = body.reply
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return { status, body: said, headers: { 'content-type': type, 'idempotent-replayed': 'true' } }
}

async function settle(
  store: Store,
  asked: ReplyKey,
  claimed: RecordBodies['http_reply'],
  { status, body }: Reply,
): Promise<void> {
  const text = JSON.stringify(body)
  const isKept = status < 400 && encodeUtf8(text).length <= LIMITS.replyBytes
  if (!isKept) return giveBack(store, asked, claimed)
  // As it goes over the wire: members that are undefined are not there.
  const reply = { status, body: JSON.parse(text) as JsonValue }
  const { group, key } = asked
  const write: Write = {
    kind: 'put_record',
    record: 'http_reply',
    group,
    key,
    body: { ...claimed, reply },
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
