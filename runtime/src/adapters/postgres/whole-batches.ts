/**
 * Which of the entries that wait for their places stand in batches as they were sealed.
 *
 * Invariants:
 * 1. An entry without a seal that holds is nobody's: it stops everything, since what stands behind it
 *    in its trajectory was chained to it.
 * 2. A batch gets its places whole or not at all: it was committed at once, so that whatever is missing,
 *    added or in another order was changed by somebody who does not hold a key.
 */
import {
  type Address,
  AUTHORITY,
  computeBatchAddress,
  type Envelope,
  type Sha256,
} from 'rubicon-kernel'
import { SealMismatch } from '../../ports/head-mismatch.ts'
import type { OpenedSeal } from '../../ports/tree.ts'
import type { Unplaced } from './tree-order.ts'

export type Waiting = Unplaced & {
  readonly id: Address
  readonly envelope: Envelope
  readonly seal: string | null
}

export type Batch = OpenedSeal & { readonly name: string; readonly entries: readonly Waiting[] }

/** `authority`: the authority's last entry when it was written, by the word of who wrote it. */
export type SealedEntry = Waiting & { readonly authority: number }

/** As far as no batch is cut: its entries in the order of the tree. */
export type Sealed = {
  readonly entries: readonly SealedEntry[]
  readonly batches: readonly Batch[]
}

/** `entries` in the order of the tree; `isAll`: no others wait. Throws a `SealMismatch`. */
export function selectWholeBatches(
  entries: readonly Waiting[],
  isAll: boolean,
  seals: ReadonlyMap<string, OpenedSeal>,
  sha256: Sha256,
): Sealed {
  const groups = collectSealGroups(entries, seals)
  const cut: Group[] = []
  for (const group of groups.values()) {
    if (group.entries.length < group.body.count && !isAll) cut.push(group)
    else if (!isAsSealed(group, sha256))
      throw new SealMismatch(`the batch \`${group.name}\` is not the one that was sealed`)
  }
  const end = computeUncutLength(entries, groups, cut)
  const authority = new Map([...groups.values()].flatMap(deriveAuthority))
  return {
    entries: entries.slice(0, end).map((entry) => {
      return { ...entry, authority: authority.get(entry) ?? -1 }
    }),
    batches: [...groups.values()].filter(({ from }) => from < end),
  }
}

type Group = Batch & { readonly from: number; readonly entries: Waiting[] }

function collectSealGroups(
  entries: readonly Waiting[],
  seals: ReadonlyMap<string, OpenedSeal>,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const [from, entry] of entries.entries()) {
    const name = entry.seal ?? ''
    const seal = seals.get(name)
    if (seal === undefined)
      throw new SealMismatch(`the entry \`${entry.id}\` stands in no batch that was sealed`)
    const group = groups.get(name) ?? { ...seal, name, from, entries: [] }
    groups.set(name, group)
    group.entries.push(entry)
  }
  return groups
}

function isAsSealed({ entries, body }: Batch, sha256: Sha256): boolean {
  const ids = entries.map(({ id }) => id)
  return ids.length === body.count && computeBatchAddress(ids, sha256) === body.entries
}

/** The longest beginning that has all of a batch or nothing of it. */
function computeUncutLength(
  entries: readonly Waiting[],
  groups: ReadonlyMap<string, Group>,
  cut: readonly Group[],
): number {
  let end = Math.min(entries.length, ...cut.map(({ from }) => from))
  for (let i = entries.length - 1; i >= end; i -= 1)
    end = Math.min(end, groups.get(entries[i]?.seal ?? '')?.from ?? 0)
  return end
}

function deriveAuthority({ body, entries }: Batch): [Waiting, number][] {
  let { authority } = body
  return entries.map((entry) => {
    if (entry.trajectory === AUTHORITY) authority = entry.seq
    return [entry, authority]
  })
}
