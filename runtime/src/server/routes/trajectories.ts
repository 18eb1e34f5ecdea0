/** Trajectories: their entries in order, and branches from any of them. */
import { type BranchPayload, LIMITS } from 'rubicon-kernel'
import { factsReader } from '../../engine/find/entry-facts.ts'
import { branchTrajectory } from '../../evidence/branch.ts'
import { Prover } from '../../evidence/merkle-proof.ts'
import type { LeafEntry, Store, StoredEntry, TrajectoryHead } from '../../ports/store.ts'
import { freshCheckpoint } from '../fresh-checkpoint.ts'
import { ledgerEntryView, proofView } from '../ledger-view.ts'
import { cursorOf, pageOf, parseCursor, parseNumberCursor } from '../list-page.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { entryProof, ledgerEntries, trajectory } from '../schemas/ledger.ts'
import type { ServerParts } from '../server.ts'
import {
  closed,
  cursor,
  identifier,
  integer,
  limit,
  limitOf,
  natural,
  page,
  string,
  text,
  whole,
} from './shape.ts'

/** Of an entry in its trajectory. */
const place = { ...integer, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const READERS = ['operator', 'approver', 'auditor'] as const

export function trajectoryRoutes(parts: ServerParts): readonly Route[] {
  const { store } = parts.engine.context
  return [
    {
      method: 'GET',
      path: '/v1/trajectories',
      operation: 'listTrajectories',
      summary: 'trajectories by name, each with its head',
      roles: READERS,
      query: closed({ cursor, limit }),
      reply: page('trajectories', trajectory),
      async handle({ query }) {
        const after = parseCursor(query, 1)
        if (!after.ok) return after.error
        const [last = ''] = after.value ?? []
        const heads = (await store.heads()).filter(({ trajectory: name }) => name > last)
        const most = limitOf(query)
        const shown = heads.slice(0, most + 1).map((head) => headView(store, head))
        return done(
          pageOf('trajectories', await Promise.all(shown), most, (one) => [one.trajectory]),
        )
      },
    },
    {
      method: 'GET',
      path: '/v1/trajectories/:id/entries',
      operation: 'listTrajectoryEntries',
      summary: 'entries of a trajectory, newest first, with what they say',
      roles: READERS,
      query: closed({ cursor, limit }),
      reply: ledgerEntries,
      handle: (asked) => listEntries(store, asked),
    },
    proofRoute(parts),
    branchRoute(parts),
  ]
}

async function headView(
  store: Store,
  { trajectory: name, seq, id, at, world_root }: TrajectoryHead,
): Promise<{ readonly trajectory: string }> {
  const [first] = await store.entries(name, 0, 1)
  const head = { trajectory: name, entries: seq + 1, head: id, at, world_root }
  return Object.assign(head, { forked_from: first === undefined ? null : forkOf(first) })
}

function forkOf({ envelope, payload }: StoredEntry): object | null {
  if (envelope.kind !== 'branch' || payload === null) return null
  const { trajectory: name, seq } = parseBranch(payload).source
  return { trajectory: name, seq }
}

async function listEntries(store: Store, { params, query }: Asked): Promise<Reply> {
  const { id = '' } = params
  const before = parseNumberCursor(query, 1)
  if (!before.ok) return before.error
  const length = await lengthOf(store, id)
  if (length === 0) return unknownTrajectory(id)
  const end = Math.min(length, before.value?.[0] ?? length)
  const from = Math.max(0, end - limitOf(query))
  const factsOf = factsReader(store)
  const entries = (await store.entries(id, from, end - from)).toReversed()
  const views = await Promise.all(
    entries.map(async (entry) => ledgerEntryView(entry, await factsOf(entry))),
  )
  return done({ entries: views, next: from > 0 ? cursorOf([String(from)]) : null })
}

function proofRoute({ engine }: ServerParts): Route {
  const { store, sha256 } = engine.context
  const prover = new Prover(store, sha256)
  return {
    method: 'GET',
    path: '/v1/trajectories/:id/proofs',
    operation: 'proveEntry',
    summary: 'that an entry stands in the log, and that the log goes on from an earlier checkpoint',
    roles: READERS,
    query: closed({ seq: natural, before: natural }, ['seq']),
    reply: entryProof,
    async handle({ params: { id = '' }, query }) {
      const [entry] = await store.entries(id, Number(query.seq), 1)
      if (entry === undefined) return unknownEntry(id, query.seq ?? '')
      const checkpoint = await freshCheckpoint(engine)
      if (!checkpoint.ok) return checkpoint.error
      // It may have had no place when it was read.
      const [placed] = await store.entries(id, Number(query.seq), 1)
      if (!isCovered(placed, checkpoint.value.size)) return notCovered()
      const before = query.before === undefined ? undefined : Number(query.before)
      const isEarlier = before === undefined || (before > 0 && before <= checkpoint.value.size)
      if (!isEarlier) return unknownCheckpoint(before, checkpoint.value.size)
      return done(await proofView(store, prover, placed, checkpoint.value, before))
    },
  }
}

function branchRoute({ engine }: ServerParts): Route {
  return {
    method: 'POST',
    path: '/v1/trajectories/:id/branches',
    operation: 'branchTrajectory',
    summary: 'start a trajectory from an entry of this one, with its World',
    roles: ['operator'],
    body: closed({ seq: place, name: identifier, note: text(LIMITS.noteLength) }, ['seq', 'name']),
    once: true,
    reply: whole({ trajectory: string, id: string }),
    status: 201,
    async handle({ params: { id: source = '' }, body }) {
      const { seq, name, note } = parseBranching(body)
      const branched = await branchTrajectory(engine, {
        source: { trajectory: source, seq },
        name,
        note: note ?? '',
      })
      return branched.ok ? done(branched.value, 201) : refused(branched.error)
    },
  }
}

/** Entries of a trajectory; 0: there is none of this name. */
export async function lengthOf(store: Store, name: string): Promise<number> {
  const head = (await store.heads()).find(({ trajectory: one }) => one === name)
  return (head?.seq ?? -1) + 1
}

export function unknownTrajectory(name: string): Reply {
  return refused({
    code: 'TRAJECTORY_UNKNOWN',
    summary: `there is no trajectory \`${name}\``,
    fix: 'see `GET /v1/trajectories`',
  })
}

export function unknownEntry(name: string, seq: string): Reply {
  return refused({ code: 'ENTRY_UNKNOWN', summary: `there is no entry \`${name}/${seq}\`` })
}

function isCovered(entry: StoredEntry | undefined, size: number): entry is LeafEntry {
  return entry !== undefined && entry.leaf !== null && entry.leaf < size
}

function notCovered(): Reply {
  return refused({
    code: 'CHECKPOINT_MISSING',
    summary: 'no checkpoint covers this entry yet',
    fix: 'ask again in a moment',
  })
}

function unknownCheckpoint(before: number, size: number): Reply {
  return refused({
    code: 'CHECKPOINT_UNKNOWN',
    summary: `no checkpoint over ${before} entries comes before one over ${size}`,
    fix: 'give the size of an earlier checkpoint',
  })
}

type Branching = { readonly seq: number; readonly name: string; readonly note?: string }

/** As its schema says. */
function parseBranching(body: Asked['body']): Branching {
  return body as unknown as Branching
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseBranch(payload: string): BranchPayload {
  return JSON.parse(payload) as BranchPayload
}
