/**
 * Which entries that wait get their places: those of batches that a process of this log has sealed, as
 * they were sealed, behind what they were chained to, and none that has its place already.
 *
 * Boundary: the caller holds the lock of the sequencer, and the tree is caught up under a head that
 * holds. Whatever does not fit is a `SealMismatch`: somebody without a key was at the database.
 */
import { SealMismatch } from '../../ports/head-mismatch.ts'
import type { HeadKeeper, OpenedSeal } from '../../ports/tree.ts'
import { listSeals, type SealRow } from './seals.ts'
import type { DatabaseSession } from './session.ts'
import type { PostgresTree } from './tree.ts'
import { type Batch, selectWholeBatches, type Waiting } from './whole-batches.ts'

export type AdmittedEntries = {
  readonly entries: readonly Waiting[]
  /** The names of the seals that are used up then. */
  readonly seals: readonly string[]
}

/** `entries` in the order of the tree; `isAll`: no others wait. None: only more of them make a whole batch. */
export async function admit(
  entries: readonly Waiting[],
  isAll: boolean,
  tree: PostgresTree,
  session: DatabaseSession,
): Promise<AdmittedEntries> {
  const { keeper } = tree
  if (keeper === undefined) return { entries, seals: [] }
  // A key that was compromised vouches for nothing from here on.
  if (entries.some(({ envelope }) => envelope.kind === 'key')) await keeper.learn()
  const names = new Set(entries.flatMap(({ seal }) => seal ?? []))
  const opened = new Map<string, OpenedSeal>()
  for (const row of await listSeals([...names], tree.tenant, session))
    opened.set(row.name, await openSeal(row, tree, keeper))
  const sealed = selectWholeBatches(entries, isAll, opened, tree.sha256)
  await assertNew(sealed.batches, tree, session)
  const ends = await tree.loadEnds(session)
  ends.advanceEnds(sealed.entries, sealed.batches)
  return { entries: sealed.entries, seals: sealed.batches.map(({ name }) => name) }
}

/** Keys are added while others run: a seal fails only before somebody who knows them all. */
async function openSeal(
  { name, text }: SealRow,
  { own }: PostgresTree,
  keeper: HeadKeeper,
): Promise<OpenedSeal> {
  const recognised = own.recognise(name, text)
  if (recognised !== undefined) return recognised
  const seal = keeper.openSeal(text)
  if (seal.ok) return seal.value
  await keeper.learn()
  const again = keeper.openSeal(text)
  if (again.ok) return again.value
  throw new SealMismatch(`the seal of the batch \`${name}\` does not hold: ${again.error}`)
}

/**
 * A seal that was kept and put back with its entries would place them twice. What this process placed
 * or followed it knows; of what was written before that, the leaves since then are looked at.
 */
async function assertNew(
  batches: readonly Batch[],
  tree: PostgresTree,
  session: DatabaseSession,
): Promise<void> {
  const { since } = await tree.loadEnds(session)
  const late = batches.find(({ body }) => body.size > tree.size)
  if (late !== undefined)
    throw new SealMismatch(
      `the batch \`${late.name}\` was written behind ${late.body.size} entries, and there are ${tree.size}`,
    )
  const earlier = batches.filter(({ body }) => body.size < since)
  if (earlier.length === 0) return
  const from = Math.min(...earlier.map(({ body }) => body.size))
  const ids = earlier.flatMap(({ entries }) => entries.map(({ id }) => id))
  if (await tree.hasAny(ids, from, session))
    throw new SealMismatch('entries that have their places are to get others')
}
