/**
 * A store whose entries fit their own hashes. Whoever shows entries to people, or writes them into a file, would
 * otherwise show what somebody put into the database; and what cannot be unpacked is no JSON at all.
 *
 * Boundary: that they stand where they should, in a tree that was signed, is for `verify` and the scrub to find.
 */
import type { Sha256 } from 'rubicon-kernel'
import { EntryMismatch } from '../../ports/head-mismatch.ts'
import type { Store, StoredEntry } from '../../ports/store.ts'
import { findEntryProblem } from './tree-check.ts'

/** What it reads as the store does; at an entry that does not fit it throws an `EntryMismatch`. */
export function createCheckedStore(store: Store, sha256: Sha256): Store {
  const check = async <E extends StoredEntry>(
    reading: Promise<readonly E[]>,
  ): Promise<readonly E[]> => {
    const entries = await reading
    for (const entry of entries) {
      const problem = findEntryProblem(entry, sha256)
      if (problem !== undefined) throw new EntryMismatch(problem, entry.leaf)
    }
    return entries
  }
  const checked: Pick<Store, 'listEntries' | 'listCommits' | 'listFlowEntries' | 'listLeaves'> = {
    listEntries: (...asked) => check(store.listEntries(...asked)),
    listCommits: (...asked) => check(store.listCommits(...asked)),
    listFlowEntries: (...asked) => check(store.listFlowEntries(...asked)),
    listLeaves: (...asked) => check(store.listLeaves(...asked)),
  }
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(checked, name)) return Reflect.get(checked, name)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
