/**
 * That the entries which rows are compared with are all that there are. Of which flow and of which trajectory an
 * entry is, a column of the database says: one that says otherwise is not found, not folded, and not missed.
 *
 * H1 from the opening of the oldest flow that is open, and from where `main` is said to end, every envelope is
 *    held against its id and its place. What stands before that belongs to flows that are over.
 * H2 an open flow has as many entries as name it.
 */
import { LIMITS, MAIN } from 'rubicon-kernel'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Deps } from '../../deps.ts'
import { TreeCheck } from '../../rows/tree-check.ts'

type Needed = Pick<Deps, 'store' | 'sha256'>

/** Throws a `HeadMismatch` at an entry that says something else of itself, a `StoreDiverged` where one is not found. */
export async function checkHidden(
  { store, sha256 }: Needed,
  flows: readonly string[],
): Promise<void> {
  // What comes meanwhile is not looked at: whoever wrote it was not deceived by what is here.
  const size = await store.countLeaves()
  const found = new Map<string, number>()
  let first = await findMainEnd({ store }, size)
  for (const dfid of flows) {
    const entries = await store.listFlowEntries(dfid)
    const leaves = entries.flatMap(({ leaf }) => (leaf === null || leaf >= size ? [] : [leaf]))
    found.set(dfid, leaves.length)
    first = Math.min(first, ...leaves)
  }
  const named = await countNamedEntries({ store, sha256 }, first, size, found)
  for (const [dfid, count] of found)
    if (named.get(dfid) !== count && count > 0)
      throw new StoreDiverged(
        `flow \`${dfid}\``,
        `${count} of its ${named.get(dfid) ?? 0} entries are found`,
      )
}

async function findMainEnd({ store }: Pick<Needed, 'store'>, size: number): Promise<number> {
  const head = (await store.listHeads()).find(({ trajectory }) => trajectory === MAIN)
  const [last] = head === undefined ? [] : await store.listEntries(MAIN, head.seq, 1)
  return Math.min(last?.leaf ?? size, size)
}

/** How many entries name each of these flows. */
async function countNamedEntries(
  { store, sha256 }: Needed,
  first: number,
  size: number,
  flows: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const named = new Map<string, number>()
  const check = new TreeCheck(store, sha256)
  for (let from = first; from < size; ) {
    const page = await store.listLeafEnvelopes(from, Math.min(LIMITS.entriesPerPage, size - from))
    await check.checkEnvelopes(page)
    for (const { envelope } of page) {
      const { dfid } = envelope
      if (dfid !== undefined && flows.has(dfid)) named.set(dfid, (named.get(dfid) ?? 0) + 1)
    }
    if (page.length === 0) break
    from += page.length
  }
  return named
}
