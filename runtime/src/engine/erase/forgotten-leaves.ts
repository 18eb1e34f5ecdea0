import type { Guard, Store, Unit, Write } from '../../ports/store.ts'
import { BLOCK, clearRowCodes, LEAVES, toLeafBlockKey } from '../ledger/find/leaf-block.ts'

/** What the directory of the ledger says about these leaves beside kind, place and agent. */
export async function buildForgottenLeavesUnit(
  store: Store,
  leaves: ReadonlySet<number>,
): Promise<Unit> {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const number of new Set([...leaves].map((leaf) => Math.floor(leaf / BLOCK)))) {
    const place = { record: 'leaf_block', group: LEAVES, key: toLeafBlockKey(number) } as const
    const block = await store.readRecord('leaf_block', LEAVES, place.key)
    // Not in the directory yet: then it is made of what is left.
    guards.push({ kind: 'record_version', ...place, version: block?.version ?? null })
    if (block === null) continue
    const rows = [...leaves]
      .filter((leaf) => Math.floor(leaf / BLOCK) === number)
      .map((leaf) => leaf % BLOCK)
    writes.push({ kind: 'put_record', ...place, body: clearRowCodes(block.body, rows) })
  }
  return { guards, writes }
}
