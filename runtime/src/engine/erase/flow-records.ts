/**
 * The records in which something of a flow stands: notes, memory, bids, requests and comments on them, notices, findings, kept
 * replies, its conversation, the directory of the ledger and the samples of monitors. They go in the unit of the erasure.
 */
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type { FlowRow, LeafEntry, Store, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildForgottenConversation } from '../flow/conversation.ts'
import { listChannelRecords } from '../notices/channel-records.ts'
import { DUE, FAILED } from '../notices/queue.ts'
import { CLAIM, COMMENTS, ESCALATION_STATES } from '../rows/stored-escalation.ts'
import { returnForgottenAtoms } from './forgotten-atoms.ts'
import { buildForgottenLeavesUnit } from './forgotten-leaves.ts'
import { buildForgottenRepliesUnit } from './forgotten-replies.ts'
import { buildForgottenSamplesUnit } from './forgotten-samples.ts'

const PAGE = 500

export async function forgetRecords(
  context: Context,
  flow: FlowRow,
  entries: readonly LeafEntry[],
): Promise<Unit> {
  const { store } = context
  const { dfid } = flow
  const leaves = new Set(entries.map(({ leaf }) => leaf))
  const blocks = await buildForgottenLeavesUnit(store, leaves)
  const samples = await buildForgottenSamplesUnit(context, flow, leaves)
  const ids = listRequestIds(entries)
  const comments = await buildForgottenCommentsUnit(store, ids)
  const notices = await buildForgottenNoticesUnit(store, dfid)
  const replies = await buildForgottenRepliesUnit(context, dfid)
  const writes: Write[] = [
    ...(await dropAll(store, 'note', dfid)),
    { kind: 'drop_record', record: 'noted_flow', group: 'flows', key: dfid },
    ...(await dropAll(store, 'finding', dfid)),
    ...dropWaiting(flow),
    ...(await returnForgottenAtoms(context, flow)),
    ...(await dropAll(store, 'atom', dfid)),
    ...dropGenerations(dfid, entries),
    ...(await dropAll(store, 'memory', flow.agent_id, ({ body }) => body.dfid === dfid)),
    ...ids.flatMap(dropRequest),
    ...comments.writes,
    ...notices.writes,
    ...replies.writes,
    ...(await buildForgottenConversation(store, flow.agent_id, dfid)),
    ...blocks.writes,
    ...samples.writes,
  ]
  const guards = [blocks, samples, comments, notices, replies].flatMap((unit) => unit.guards)
  return { guards, writes }
}

/** What it proposed about an event and waits, and who was to work on it. */
function dropWaiting({ dfid, event }: FlowRow): readonly Write[] {
  if (event === null) return []
  return [
    { kind: 'drop_record', record: 'bid', group: event.event_id, key: dfid },
    { kind: 'drop_record', record: 'flow_claim', group: 'open', key: dfid },
  ]
}

/** Every record of a group, in the order of keys. */
export async function* iterateGroupRecords<K extends RecordKind>(
  store: Pick<Store, 'listRecords'>,
  record: K,
  group: string,
): AsyncGenerator<StoredRecord<K>> {
  for (let after: string | undefined; ; ) {
    const range: RecordRange = { limit: PAGE, ...(after === undefined ? {} : { after }) }
    const page = await store.listRecords(record, group, range)
    yield* page
    after = page.at(-1)?.key
    if (page.length < PAGE) return
  }
}

async function dropAll<K extends RecordKind>(
  store: Store,
  record: K,
  group: string,
  isMeant: (one: StoredRecord<K>) => boolean = () => true,
): Promise<readonly Write[]> {
  const writes: Write[] = []
  for await (const one of iterateGroupRecords(store, record, group))
    if (isMeant(one)) writes.push({ kind: 'drop_record', record, group, key: one.key })
  return writes
}

/** By their entries: what was asked and said may be long, and need not be read to be dropped. */
function dropGenerations(group: string, entries: readonly LeafEntry[]): readonly Write[] {
  return entries.flatMap(({ envelope, payload }): Write[] => {
    if (envelope.kind !== 'evidence' || payload === null) return []
    const key = parseGenerationId(payload)
    return key === null ? [] : [{ kind: 'drop_record', record: 'generation_text', group, key }]
  })
}

/** Null: it is about something else. */
export function parseGenerationId(payload: string): string | null {
  const said = JSON.parse(payload) as { readonly source?: string; readonly generation_id?: string }
  // An agent's requests to models, and those of guards and auditors about it.
  const isAsked = said.source === 'model' || said.source === 'adviser'
  return isAsked ? (said.generation_id ?? null) : null
}

/** Whoever was asked something in the flow was asked by an entry of it. */
function listRequestIds(entries: readonly LeafEntry[]): readonly string[] {
  const ids = entries.flatMap(({ envelope, payload }) =>
    envelope.kind === 'pending_approval' && payload !== null ? [parseRequest(payload)] : [],
  )
  return [...new Set(ids)]
}

function dropRequest(key: string): readonly Write[] {
  const states = ESCALATION_STATES.map((group): Write => {
    return { kind: 'drop_record', record: 'escalation', group, key }
  })
  return [...states, { kind: 'drop_record', ...CLAIM, key }]
}

/** With their version: one that is said at this moment is not left behind. */
async function buildForgottenCommentsUnit(
  store: Pick<Store, 'readRecord'>,
  ids: readonly string[],
): Promise<Unit> {
  const held = await Promise.all(
    ids.map(async (key) => ({
      key,
      said: await store.readRecord(COMMENTS.record, COMMENTS.group, key),
    })),
  )
  return {
    guards: held.map(({ key, said }) => {
      return { kind: 'record_version', ...COMMENTS, key, version: said?.version ?? null }
    }),
    writes: held.flatMap(({ key, said }): Write[] =>
      said === null ? [] : [{ kind: 'drop_record', ...COMMENTS, key }],
    ),
  }
}

type NoticePlace = Pick<StoredRecord<'notice'>, 'group' | 'key' | 'version'> & {
  readonly record: 'notice' | 'channel_notice'
}

/**
 * With their versions, in the order in which they move: from what is due into what waits for a channel, and from both to
 * what failed. One that is taken meanwhile is seen before or after, and none is left behind.
 */
async function buildForgottenNoticesUnit(store: Store, dfid: string): Promise<Unit> {
  const found: NoticePlace[] = []
  const readNotices = async (group: string): Promise<void> => {
    for await (const { body, key, version } of iterateGroupRecords(store, 'notice', group))
      if (body.notice.dfid === dfid) found.push({ record: 'notice', group, key, version })
  }
  await readNotices(DUE)
  for (const { name } of await listChannelRecords(store))
    for await (const { body, key, version } of iterateGroupRecords(store, 'channel_notice', name))
      if (body.dfid === dfid) found.push({ record: 'channel_notice', group: name, key, version })
  await readNotices(FAILED)
  return {
    guards: found.map((place) => ({ kind: 'record_version', ...place })),
    writes: found.map(({ record, group, key }) => ({ kind: 'drop_record', record, group, key })),
  }
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseRequest(payload: string): string {
  return (JSON.parse(payload) as { readonly request: { readonly id: string } }).request.id
}
