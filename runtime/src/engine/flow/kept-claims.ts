/**
 * Claims of keys under which something is done, until their time is over, and the rows that say when it is.
 *
 * E1 a claim is cleared away only together with the row that says when it is due, and only while that row
 *    stands: what was claimed anew under the same key has another.
 * E2 a claim that names a flow counts until the flow is its agent's again, or over, and the outcome of what was done in it is
 *    known: who asks again while nobody knows what became of it would otherwise have it done a second time. And for some time after
 *    that: whoever came before may look later.
 * E3 clearing away is a unit of its own: what is done under a key takes its time, and what it had read of
 *    other keys may no longer be so when it is written.
 */
import { formatInstant, isUndoStep, LIMITS, parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { ExecutionRow, Store, Unit, Write } from '../../ports/store.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import { isFlowWaiting } from './settled.ts'

export type KeptClaim = StoredRecord<'http_reply'>

type Claimed = Omit<KeptClaim, 'version'>

type Due = StoredRecord<'http_reply_due'>

const DUE = 'due'

/** At once; many more than expire between two such clearings. */
const CLEARED = 64

/** One key in sixteen: what has expired can wait, and whoever asks should not. */
function isClearing(key: string): boolean {
  return key.endsWith('0')
}

export function computeExpiry(now: string, afterMs: number = LIMITS.replyMs): string {
  return formatInstant((parseInstant(now) ?? 0) + afterMs)
}

/** What stands for what was asked under the key; null: it can be claimed. */
export async function findBindingClaim(
  store: Store,
  { group, key }: Pick<KeptClaim, 'group' | 'key'>,
  now: string,
): Promise<KeptClaim | null | 'contended'> {
  if (isClearing(key)) await clearExpiredClaims(store, now)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const kept = await store.readRecord('http_reply', group, key)
    if (kept === null || (await isBinding(store, kept, now))) return kept
    await clearClaim(store, kept)
  }
  return 'contended'
}

/** It still stands for what was asked under the key. */
async function isBinding(store: Store, { body }: KeptClaim, now: string): Promise<boolean> {
  if (body.expires_at <= now) return isOutcomeOpen(store, body, now)
  if (body.reply !== null || body.dfid !== undefined || body.epoch === store.epoch) return true
  return (await store.listEndedEpochs([body.epoch])).length === 0
}

export function buildDuePut(claimed: Claimed): Write {
  const { group, key } = claimed
  const body = { group, key }
  return {
    kind: 'put_record',
    record: 'http_reply_due',
    group: DUE,
    key: formatDueKey(claimed),
    body,
  }
}

export function buildDueDrop(claimed: Claimed): Write {
  return { kind: 'drop_record', record: 'http_reply_due', group: DUE, key: formatDueKey(claimed) }
}

/** Nobody knows yet what becomes of what was done under the key, or it has not been known for long. */
async function isOutcomeOpen(
  store: Store,
  { dfid }: Pick<KeptClaim['body'], 'dfid'>,
  now: string,
): Promise<boolean> {
  if (dfid === undefined) return false
  const flow = await store.readFlow(dfid)
  if (flow === null) return false
  const rows = isFlowWaiting(flow) ? [] : await readAllExecutions(store, { dfid })
  if (isFlowWaiting(flow) || rows.some(isUnsettled)) return true
  const changes = [flow.updated_at, ...rows.map(({ settled_at }) => settled_at ?? '')]
  return changes.some((at) => at !== '' && computeExpiry(at) > now)
}

const UNSETTLED: readonly ExecutionRow['status'][] = [
  'ACCEPTED',
  'DISPATCHED',
  'UNKNOWN',
  'NOT_APPLIED',
  'MANUAL_REVIEW',
]

/** Something in it is in flight, waits for somebody, or has an outcome that nobody knows. */
export async function isFlowOpen(store: Store, dfid: string): Promise<boolean> {
  const flow = await store.readFlow(dfid)
  if (flow === null) return false
  if (isFlowWaiting(flow)) return true
  const rows = await readAllExecutions(store, { dfid, status: UNSETTLED })
  return rows.some(isUnsettled)
}

function isUnsettled({ step_id, status }: Pick<ExecutionRow, 'step_id' | 'status'>): boolean {
  return UNSETTLED.includes(status) && !isUndoStep(step_id)
}

/** One that does not count any more. Where somebody else was first, nothing happens. */
async function clearClaim(store: Store, kept: KeptClaim): Promise<void> {
  const { group, key, version } = kept
  const due = await store.readRecord('http_reply_due', DUE, formatDueKey(kept))
  const again = await store.readRecord('http_reply', group, key)
  if (again?.body.expires_at !== kept.body.expires_at) return
  await store.commit({
    guards: [
      { kind: 'record_version', record: 'http_reply', group, key, version },
      buildDueGuard(formatDueKey(kept), due?.version ?? null),
    ],
    writes: [{ kind: 'drop_record', record: 'http_reply', group, key }, buildDueDrop(kept)],
  })
}

/** Some of those that have expired. Two that do so at once clear away the same; the second does nothing. */
async function clearExpiredClaims(store: Store, now: string): Promise<void> {
  const all = await store.listRecords('http_reply_due', DUE, { until: now, limit: CLEARED })
  if (all.length === 0) return
  const units = await Promise.all(all.map((due) => buildClearing(store, due, now)))
  await store.commit({
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  })
}

async function buildClearing(store: Store, due: Due, now: string): Promise<Unit> {
  const { group, key } = due.body
  const guards = [buildDueGuard(due.key, due.version)]
  const drop: Write = { kind: 'drop_record', record: 'http_reply_due', group: DUE, key: due.key }
  const kept = await store.readRecord('http_reply', group, key)
  if (kept === null || formatDueKey(kept) !== due.key) return { guards, writes: [drop] }
  if (!(await isOutcomeOpen(store, kept.body, now)))
    return { guards, writes: [drop, { kind: 'drop_record', record: 'http_reply', group, key }] }
  const body = { ...kept.body, expires_at: computeExpiry(now) }
  const put: Write = { kind: 'put_record', record: 'http_reply', group, key, body }
  return { guards, writes: [drop, put, buildDuePut({ group, key, body })] }
}

function buildDueGuard(key: string, version: number | null): Unit['guards'][number] {
  return { kind: 'record_version', record: 'http_reply_due', group: DUE, key, version }
}

function formatDueKey({ group, key, body }: Claimed): string {
  return `${body.expires_at} ${group} ${key}`
}
