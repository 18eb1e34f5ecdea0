/** Reads what nobody could know before: how deep a trie is, what a branch starts from. */
import { assertUnreachable, toResourceName } from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import { type Fetching, fetchPages } from './fetch.ts'
import type { Gap } from './missing.ts'
import {
  ENTRIES_PLACED,
  ENTRY_COLUMNS,
  parseEntry,
  parseNumber,
  parseResource,
  RESOURCE_COLUMNS,
} from './rows.ts'
import type { NamedStatement } from './session.ts'
import { toEntryName } from './state.ts'

/** Commits are folded from the start of a trajectory; they are read in portions of this size. */
const COMMITS_AT_ONCE = 1_000

export async function fetchGap(
  fetching: Fetching,
  gap: Exclude<Gap, { readonly kind: 'head' }>,
): Promise<void> {
  switch (gap.kind) {
    case 'page':
      return fetchPages(fetching, [gap])
    case 'world':
      return fetchWorld(fetching, gap.trajectory)
    case 'entry':
      return fetchEntry(fetching, gap.trajectory, gap.seq)
    case 'last_commit':
      return fetchLastCommit(fetching, gap.trajectory)
    case 'commits':
      return fetchCommits(fetching, gap.trajectory, gap.last)
    default:
      return assertUnreachable(gap)
  }
}

/** With what the batch itself has already made of it. */
async function fetchWorld({ state, tenant, session }: Fetching, trajectory: string): Promise<void> {
  const rows = await session.run(WORLD, tenant, trajectory)
  const stored = rows.map(parseResource)
  const world = new Map(stored.map((one) => [toResourceName(one.kind, one.id), one]))
  const changed = state.changes.worlds.get(trajectory)?.resources ?? new Map()
  for (const [name, resource] of changed) world.set(name, resource)
  state.worlds.set(trajectory, world)
}

async function fetchEntry(
  { state, tenant, session }: Fetching,
  trajectory: string,
  seq: number,
): Promise<void> {
  const [row] = await session.run(ENTRY, tenant, trajectory, seq)
  const entry = row === undefined ? null : parseEntry(row)
  state.entryRows.set(toEntryName(trajectory, seq), entry)
}

async function fetchLastCommit(
  { state, tenant, session }: Fetching,
  trajectory: string,
): Promise<void> {
  const [row] = await session.run(LAST_COMMIT, tenant, trajectory)
  state.lastCommits.set(trajectory, parseNumber(row, 'seq') ?? -1)
}

async function fetchCommits(
  { state, tenant, session }: Fetching,
  trajectory: string,
  last: number,
): Promise<void> {
  const rows: StoredEntry[] = []
  for (let from = 0; ; ) {
    const page = await session.run(COMMITS, tenant, trajectory, from, last, COMMITS_AT_ONCE)
    rows.push(...page.map(parseEntry))
    if (page.length < COMMITS_AT_ONCE) break
    from = (rows.at(-1)?.envelope.seq ?? last) + 1
  }
  state.commitRows.set(trajectory, { last, rows })
}

const WORLD: NamedStatement = {
  name: 'world_whole',
  text: `SELECT ${RESOURCE_COLUMNS} FROM resources WHERE tenant = $1 AND trajectory = $2
    ORDER BY key`,
}
const ENTRY: NamedStatement = {
  name: 'entry_asked',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND trajectory = $2 AND seq = $3`,
}
const LAST_COMMIT: NamedStatement = {
  name: 'last_commit',
  text: `SELECT seq FROM entries WHERE tenant = $1 AND trajectory = $2 AND kind = 'commit'
    ORDER BY seq DESC LIMIT 1`,
}
const COMMITS: NamedStatement = {
  name: 'commits_asked',
  text: `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES_PLACED}
    WHERE tenant = $1 AND trajectory = $2 AND seq >= $3 AND seq <= $4 AND kind = 'commit'
    ORDER BY seq LIMIT $5`,
}
