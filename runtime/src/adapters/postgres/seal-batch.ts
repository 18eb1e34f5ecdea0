import { AUTHORITY } from 'rubicon-kernel'
import { createUnsignedError } from '../unit/unsigned.ts'
import type { NewEntry } from './changes.ts'
import type { SealRow } from './seals.ts'
import type { DatabaseSession } from './session.ts'
import type { PostgresTree } from './tree.ts'
import { readTreeHead } from './tree-rows.ts'

/**
 * Vouches for a batch before it is sent; null where there is nothing to vouch for, or nobody signs. Where
 * others sign, entries that nobody vouches for would stop them, so that they are refused here.
 */
export async function sealBatch(
  entries: readonly NewEntry[],
  { keeper, own, reached, tenant }: PostgresTree,
  session: DatabaseSession,
): Promise<SealRow | null> {
  const [first] = entries
  if (first === undefined) return null
  if (keeper === undefined) {
    if ((await readTreeHead(tenant, session)) !== null) throw createUnsignedError('postgres')
    return null
  }
  const { entry, authorityHead } = first
  const authority = entry.envelope.trajectory === AUTHORITY ? authorityHead - 1 : authorityHead
  const ids = entries.map(({ entry: { id } }) => id)
  const seal = keeper.seal({ size: reached, authority, ids })
  own.markSent(entry.id, seal)
  return { name: entry.id, text: seal.text }
}
