import { LIMITS } from 'rubicon-kernel'
import type { Store, Write } from '../../../ports/store.ts'
import { readLastErasure } from '../../rows/last-erasure.ts'
import { readLeafPage } from '../leaf-page.ts'
import { createFactsReader, type FoundEntry } from './entry-facts.ts'
import { BLOCK, LEAVES, packLeafBlock, parseBlockKey, toLeafBlockKey } from './leaf-block.ts'

/** How many runs of leaves are in the directory; they follow one another without gaps. */
export async function countIndexedBlocks(store: Pick<Store, 'listRecords'>): Promise<number> {
  const [last] = await store.listRecords('leaf_block', LEAVES, { newest: true, limit: 1 })
  return last === undefined ? 0 : parseBlockKey(last.key) + 1
}

export type Indexing = {
  readonly most?: number
  /** Lets everybody else go first, before each run, and within one that is long. */
  readonly pause?: () => Promise<unknown>
}

/**
 * Brings the directory on, by a few runs that are whole; returns how many. Another engine may do the
 * same: what a run holds never changes, so whoever comes second leaves it.
 */
export async function indexLeaves(
  store: Store,
  { most = LIMITS.leafBlocksPerRound, pause }: Indexing = {},
): Promise<number> {
  const first = await countIndexedBlocks(store)
  const whole = Math.floor((await store.countLeaves()) / BLOCK)
  const end = Math.min(whole, first + most)
  if (end <= first) return 0
  const erased = await readLastErasure(store)
  const writes: Write[] = []
  for (let number = first; number < end; number += 1) {
    await pause?.()
    const body = packLeafBlock(await readRun(store, number, pause))
    writes.push({
      kind: 'put_record',
      record: 'leaf_block',
      group: LEAVES,
      key: toLeafBlockKey(number),
      body,
    })
  }
  const guard = {
    kind: 'record_version',
    record: 'leaf_block',
    group: LEAVES,
    version: null,
  } as const
  const outcome = await store.commit({ guards: [{ ...guard, key: toLeafBlockKey(first) }], writes })
  if (!outcome.ok) return 0
  // Of a flow that was erased while it was read, the runs have what it said.
  if ((await readLastErasure(store)) !== erased)
    await updateLeafIndex(
      store,
      writes.map((_, at) => (first + at) * BLOCK),
    )
  return writes.length
}

/** Makes the runs of these leaves again, as far as they are in the directory: payloads that were away are back. */
export async function updateLeafIndex(store: Store, leaves: Iterable<number>): Promise<void> {
  const numbers = new Set(Array.from(leaves, (leaf) => Math.floor(leaf / BLOCK)))
  for (const number of numbers)
    for (let tries = 0; tries < LIMITS.unitAttempts; tries += 1)
      if (await updateRun(store, number)) break
}

/** False: somebody else has changed it meanwhile. */
async function updateRun(store: Store, number: number): Promise<boolean> {
  const place = { record: 'leaf_block', group: LEAVES, key: toLeafBlockKey(number) } as const
  const known = await store.readRecord('leaf_block', LEAVES, place.key)
  if (known === null) return true
  const body = packLeafBlock(await readRun(store, number, undefined))
  const { ok } = await store.commit({
    guards: [{ kind: 'record_version', ...place, version: known.version }],
    writes: [{ kind: 'put_record', ...place, body }],
  })
  return ok
}

async function readRun(
  store: Store,
  number: number,
  pause: Indexing['pause'],
): Promise<readonly FoundEntry[]> {
  const factsOf = createFactsReader(store)
  const found: FoundEntry[] = []
  while (found.length < BLOCK) {
    if (found.length > 0) await pause?.()
    const page = await readLeafPage(store, number * BLOCK + found.length, BLOCK - found.length)
    if (page.length === 0) break
    for (const entry of page) found.push({ entry, facts: await factsOf(entry) })
  }
  return found
}
