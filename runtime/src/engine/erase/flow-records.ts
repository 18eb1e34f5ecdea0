/**
 * The records in which something of a flow stands: notes, memory, bids, requests and comments on them, notices, findings, kept
 * replies, its conversation, the directory of the ledger and the samples of monitors. They go in the unit of the erasure.
 */
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type { FlowRow, LeafEntry, Store, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { isOfSameAsked } from '../flow/call-claims.ts'
import { buildForgottenConversation } from '../flow/conversation.ts'
import { listChannelRecords } from '../notices/channel-records.ts'
import { DUE, FAILED } from '../notices/queue.ts'
import { CLAIM, COMMENTS, ESCALATION_STATES } from '../rows/stored-escalation.ts'
import { returnForgottenAtoms } from './forgotten-atoms.ts'
import { buildForgottenLeavesUnit } from './forgotten-leaves.ts'
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
    ...(await dropNotices(store, dfid)),
    ...(await dropReplies(store, dfid)),
    ...(await buildForgottenConversation(store, flow.agent_id, dfid)),
    ...blocks.writes,
    ...samples.writes,
  ]
  return { guards: [...blocks.guards, ...samples.guards, ...comments.guards], writes }
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

async function dropNotices(store: Store, dfid: string): Promise<readonly Write[]> {
  const isMeant = ({ body }: StoredRecord<'notice'>): boolean => body.notice.dfid === dfid
  const groups = [DUE, FAILED].map((group) => dropAll(store, 'notice', group, isMeant))
  const isCopy = ({ body }: StoredRecord<'channel_notice'>): boolean => body.dfid === dfid
  const copies = (await listChannelRecords(store)).map(({ name }) =>
    dropAll(store, 'channel_notice', name, isCopy),
  )
  return (await Promise.all([...groups, ...copies])).flat()
}

/**
 * A kept reply names its flow somewhere in its body. Where only the flow is kept, as of an act, the key stays taken, so that
 * nothing is done twice under it; the hash of what was asked goes: whoever guesses that could tell.
 */
async function dropReplies(store: Store, dfid: string): Promise<readonly Write[]> {
  const writes: Write[] = []
  for await (const due of iterateGroupRecords(store, 'http_reply_due', 'due')) {
    const { group, key } = due.body
    const kept = await store.readRecord('http_reply', group, key)
    if (kept?.body.dfid === dfid && !isOfSameAsked(kept)) {
      const body = { ...kept.body, body_hash: '' }
      writes.push({ kind: 'put_record', record: 'http_reply', group, key, body })
      continue
    }
    if (kept === null || !isAboutFlow(kept, dfid)) continue
    writes.push(
      { kind: 'drop_record', record: 'http_reply', group, key },
      { kind: 'drop_record', record: 'http_reply_due', group: 'due', key: due.key },
    )
  }
  return writes
}

/** The name of what an act asked for is a hash of that too. */
function isAboutFlow(kept: StoredRecord<'http_reply'>, dfid: string): boolean {
  return kept.body.dfid === dfid || JSON.stringify(kept.body.reply).includes(dfid)
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseRequest(payload: string): string {
  return (JSON.parse(payload) as { readonly request: { readonly id: string } }).request.id
}
