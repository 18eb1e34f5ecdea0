/**
 * Trajectories with their heads, and their entries in order. How long an entry is, its agent says: a page ends where its
 * payloads come to so much text, too.
 */

import type { BranchPayload } from 'rubicon-kernel'
import { LIMITS } from 'rubicon-kernel'
import { createFactsReader } from 'rubicon-runtime/engine/ledger'
import type { Store, StoredEntry, TrajectoryHead } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { toLedgerEntryView } from '../views/ledger-view.ts'
import { buildPage, encodeCursor, parseCursor, parseNumberCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

export function createTrajectoryLookups({
  store,
}: Pick<LookupParts, 'store'>): Pick<LookupTable, 'listTrajectories' | 'listTrajectoryEntries'> {
  return {
    async listTrajectories({ query }) {
      const after = parseCursor(query, 1)
      if (!after.ok) return after.error
      const [last = ''] = after.value ?? []
      const heads = (await store.listHeads()).filter(({ trajectory: name }) => name > last)
      const most = parseLimit(query)
      const shown = heads.slice(0, most + 1).map((head) => readHeadView(store, head))
      return toReply(
        buildPage('trajectories', await Promise.all(shown), most, (one) => [one.trajectory]),
      )
    },
    listTrajectoryEntries: (question) => listEntries(store, question),
  }
}

async function readHeadView(
  store: Store,
  { trajectory: name, seq, id, at, world_root }: TrajectoryHead,
): Promise<{ readonly trajectory: string }> {
  const [first] = await store.listEntries(name, 0, 1)
  const head = { trajectory: name, entries: seq + 1, head: id, at, world_root }
  return Object.assign(head, { forked_from: first === undefined ? null : findForkSource(first) })
}

function findForkSource({ envelope, payload }: StoredEntry): object | null {
  if (envelope.kind !== 'branch' || payload === null) return null
  const { trajectory: name, seq } = parseBranch(payload).source
  return { trajectory: name, seq }
}

async function listEntries(store: Store, { params, query }: LookupRequest): Promise<Reply> {
  const { id = '' } = params
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const length = await countTrajectoryEntries(store, id)
  if (length === 0) return refuseUnknownTrajectory(id)
  const most = parseLimit(query)
  if (query.from !== undefined) {
    const first = before.value?.[0] ?? Number(query.from)
    const entries = await readForward(store, id, first, most)
    const behind = first + entries.length
    const next = behind < length ? encodeCursor([String(behind)]) : null
    return toReply({ entries: await toEntryViews(store, entries), next })
  }
  const end = Math.min(length, before.value?.[0] ?? length)
  const entries = await readBackward(store, id, end, most)
  const from = end - entries.length
  const next = from > 0 ? encodeCursor([String(from)]) : null
  return toReply({ entries: await toEntryViews(store, entries), next })
}

type EntryStore = Pick<Store, 'listEntries'>

async function readForward(
  store: EntryStore,
  id: string,
  first: number,
  most: number,
): Promise<readonly StoredEntry[]> {
  const page: StoredEntry[] = []
  while (page.length < most && countFull(page) === null) {
    const step = Math.min(LIMITS.entriesPerStep, most - page.length)
    const entries = await store.listEntries(id, first + page.length, step)
    page.push(...entries)
    if (entries.length < step) break
  }
  return page.slice(0, countFull(page) ?? page.length)
}

/** The latest first. */
async function readBackward(
  store: EntryStore,
  id: string,
  end: number,
  most: number,
): Promise<readonly StoredEntry[]> {
  const page: StoredEntry[] = []
  const start = Math.max(0, end - most)
  for (let before = end; before > start && countFull(page) === null; before = end - page.length) {
    const from = Math.max(start, before - LIMITS.entriesPerStep)
    const entries = await store.listEntries(id, from, before - from)
    page.push(...entries.toReversed())
    // An entry that is not there would be asked for without end.
    if (entries.length < before - from) break
  }
  return page.slice(0, countFull(page) ?? page.length)
}

/** How many of them are as much as a page has; null: there is room for more. */
function countFull(page: readonly StoredEntry[]): number | null {
  let length = 0
  const last = page.findIndex(({ payload }) => {
    length += payload?.length ?? 0
    return length >= LIMITS.pageLength
  })
  return last < 0 ? null : last + 1
}

function toEntryViews(store: Store, entries: readonly StoredEntry[]): Promise<readonly object[]> {
  const factsOf = createFactsReader(store)
  return Promise.all(entries.map(async (entry) => toLedgerEntryView(entry, await factsOf(entry))))
}

/** Entries of a trajectory; 0: there is none of this name. */
export async function countTrajectoryEntries(store: Store, name: string): Promise<number> {
  const head = (await store.listHeads()).find(({ trajectory: one }) => one === name)
  return (head?.seq ?? -1) + 1
}

export function refuseUnknownTrajectory(name: string): Reply {
  return toProblemReply({
    code: 'TRAJECTORY_UNKNOWN',
    summary: `there is no trajectory \`${name}\``,
    fix: 'see `GET /v1/trajectories`',
  })
}

export function refuseUnknownEntry(name: string, seq: string): Reply {
  return toProblemReply({ code: 'ENTRY_UNKNOWN', summary: `there is no entry \`${name}/${seq}\`` })
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseBranch(payload: string): BranchPayload {
  return JSON.parse(payload) as BranchPayload
}
