/**
 * Finds entries, newest first. Where a place or a flow is named, they are read from there; else by way
 * of the directory, and where that has not come yet, by reading.
 *
 * F1 what is returned was read from the ledger and has what was asked for: the directory only says
 *    where to look.
 * F2 one call looks at so many runs at most, and says where to go on.
 */
import { LIMITS, type Position } from 'rubicon-kernel'
import type { LeafEntry, Store, StoredEntry } from '../../../ports/store.ts'
import {
  createFactsReader,
  type EntryFacts,
  type FactsReader,
  type FoundEntry,
} from './entry-facts.ts'
import { countIndexedBlocks } from './index-leaves.ts'
import {
  BLOCK,
  findBlockRows,
  hasFacts,
  LEAVES,
  type LeafBlock,
  parseBlockKey,
  toIdDigits,
  toLeafBlockKey,
  type WantedFacts,
} from './leaf-block.ts'

export type EntryFilter = {
  readonly leaf?: number
  readonly place?: Position
  /** The first digits of an id, at least eight. */
  readonly digits?: string
  readonly dfid?: readonly string[]
  readonly facts: WantedFacts
}

export type FoundPage = {
  readonly found: readonly FoundEntry[]
  /** Only what stands before this leaf has not been looked at; null: there is no more. */
  readonly next: number | null
}

type Range = {
  readonly before?: number
  readonly limit: number
  /** Lets everybody else go first, now and then. */
  readonly pause?: () => Promise<unknown>
  /** One that is kept has read much already. */
  readonly factsOf?: FactsReader
}
type Reader = Pick<
  Store,
  'listLeaves' | 'countLeaves' | 'listEntries' | 'listFlowEntries' | 'readFlow' | 'listRecords'
>

export async function findEntries(
  store: Reader,
  filter: EntryFilter,
  range: Range,
): Promise<FoundPage> {
  const named = await readNamedEntries(store, filter)
  if (named !== null) return filterPage(store, named, filter, range)
  return isOpen(filter) ? readNewestPage(store, range) : search(store, filter, range)
}

/** Nothing is asked for in particular. */
function isOpen({ facts, digits }: EntryFilter): boolean {
  return digits === undefined && Object.values(facts).every((known) => known === undefined)
}

async function readNewestPage(
  store: Reader,
  { before = Number.MAX_SAFE_INTEGER, limit, factsOf = createFactsReader(store) }: Range,
): Promise<FoundPage> {
  const end = Math.min(before, await store.countLeaves())
  const start = Math.max(0, end - limit)
  const found: FoundEntry[] = []
  for (const entry of await store.listLeaves(start, end - start))
    found.push({ entry, facts: await factsOf(entry) })
  return { found: found.toReversed(), next: start > 0 ? start : null }
}

/** The few entries among which it must be; null: it can be anywhere. */
async function readNamedEntries(
  store: Reader,
  { leaf, place, dfid }: EntryFilter,
): Promise<readonly StoredEntry[] | null> {
  if (leaf !== undefined) return store.listLeaves(leaf, 1)
  if (place !== undefined) return store.listEntries(place.trajectory, place.seq, 1)
  if (dfid === undefined) return null
  const flows = await Promise.all([...new Set(dfid)].map((one) => store.listFlowEntries(one)))
  return flows.flat()
}

async function filterPage(
  store: Reader,
  entries: readonly StoredEntry[],
  filter: EntryFilter,
  { before = Number.MAX_SAFE_INTEGER, limit, factsOf = createFactsReader(store) }: Range,
): Promise<FoundPage> {
  const found: FoundEntry[] = []
  const placed = entries.filter(hasLeaf).toSorted((a, b) => b.leaf - a.leaf)
  for (const entry of placed.filter(({ leaf }) => leaf < before)) {
    const facts = await factsOf(entry)
    if (!isMeant(entry, facts, filter)) continue
    const last = found.at(-1)
    if (found.length === limit) return { found, next: last?.entry.leaf ?? null }
    found.push({ entry, facts })
  }
  return { found, next: null }
}

/** Runs of the directory that are read together; reading one of the ledger takes about as long. */
const PAGE = 64
const READ_COST = PAGE

async function search(store: Reader, filter: EntryFilter, range: Range): Promise<FoundPage> {
  const {
    before = Number.MAX_SAFE_INTEGER,
    limit,
    pause,
    factsOf = createFactsReader(store),
  } = range
  const directory = new Directory(store, await countIndexedBlocks(store))
  const found: FoundEntry[] = []
  let end = Math.min(before, await store.countLeaves())
  let cost = 0
  while (end > 0 && found.length <= limit && cost < LIMITS.leafBlocksSearched) {
    const number = Math.floor((end - 1) / BLOCK)
    const block = await directory.readBlock(number)
    const spent = cost + (block === null ? READ_COST : 1)
    if (Math.floor(spent / PAGE) > Math.floor(cost / PAGE)) await pause?.()
    cost = spent
    for (const entry of (await readCandidates(store, number, block, filter)).toReversed()) {
      if (entry.leaf >= end) continue
      const facts = await factsOf(entry)
      if (isMeant(entry, facts, filter)) found.push({ entry, facts })
    }
    end = number * BLOCK
  }
  const page = found.slice(0, limit)
  if (found.length > limit) return { found: page, next: page.at(-1)?.entry.leaf ?? null }
  return { found: page, next: end > 0 ? end : null }
}

/** Of a run, the entries from the first to the last that may be meant. */
async function readCandidates(
  store: Reader,
  number: number,
  block: LeafBlock | null,
  { facts, digits }: EntryFilter,
): Promise<readonly LeafEntry[]> {
  if (block === null) return store.listLeaves(number * BLOCK, BLOCK)
  const rows = findBlockRows(block, facts, digits)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const entries = await store.listLeaves(number * BLOCK + first, last - first + 1)
  const meant = new Set(rows.map((row) => number * BLOCK + row))
  return entries.filter(({ leaf }) => meant.has(leaf))
}

function isMeant(entry: LeafEntry, facts: EntryFacts, filter: EntryFilter): boolean {
  const { leaf, place, digits, dfid } = filter
  const { envelope } = entry
  if (leaf !== undefined && leaf !== entry.leaf) return false
  if (
    place !== undefined &&
    (place.trajectory !== envelope.trajectory || place.seq !== envelope.seq)
  )
    return false
  if (digits !== undefined && !toIdDigits(entry.id).startsWith(digits)) return false
  if (dfid !== undefined && !dfid.includes(envelope.dfid ?? '')) return false
  return hasFacts(facts, filter.facts)
}

function hasLeaf(entry: StoredEntry): entry is LeafEntry {
  return entry.leaf !== null
}

/** The directory, read from the newest run downward, a page at a time. */
class Directory {
  readonly #store: Pick<Store, 'listRecords'>
  readonly #count: number
  readonly #page = new Map<number, LeafBlock>()

  constructor(store: Pick<Store, 'listRecords'>, count: number) {
    this.#store = store
    this.#count = count
  }

  async readBlock(number: number): Promise<LeafBlock | null> {
    if (number >= this.#count) return null
    const known = this.#page.get(number)
    if (known !== undefined) return known
    this.#page.clear()
    const range = { until: toLeafBlockKey(number), newest: true, limit: PAGE }
    for (const { key, body } of await this.#store.listRecords('leaf_block', LEAVES, range))
      this.#page.set(parseBlockKey(key), body)
    return this.#page.get(number) ?? null
  }
}
