/** The directory of the ledger, where a flow is erased while its entries are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERASURE, MAIN } from 'rubicon-kernel'
import { createMemoryStore } from '../../../adapters/memory/store.ts'
import { sha256 } from '../../../adapters/system/sha256.ts'
import {
  begin,
  buildRoot,
  commit,
  putFlow,
  START,
  TENANT,
  toDfid,
} from '../../../ports/conformance/fixture.ts'
import { indexLeaves } from './index-leaves.ts'
import { BLOCK } from './leaf-block.ts'

const CODE = 'LIMIT_EXCEEDED'

test('a code that was read before its erasure is not left in the directory', async () => {
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
  await begin(store)
  const dfid = toDfid(1)
  const refused = { kind: 'append', trajectory: MAIN, entry: 'rejection' } as const
  const payload = `{"reason_code":"${CODE}"}`
  await commit(store, [buildRoot(ERASURE), putFlow(1), { ...refused, dfid, payload }])
  for (let n = 0; n < 2 * BLOCK; n++) await commit(store, [{ ...refused, payload: '{}' }])
  await store.integrate()
  let runs = 0
  const pause = async (): Promise<void> => {
    runs += 1
    if (runs !== 2) return
    await commit(store, [
      { kind: 'append', trajectory: ERASURE, entry: 'erasure', dfid, payload: '{}' },
      { kind: 'erase_flow', dfid },
    ])
  }
  assert.equal(await indexLeaves(store, { pause }), 2)
  const blocks = await store.listRecords('leaf_block', 'leaves', { limit: 10 })
  assert.equal(blocks.length, 2)
  assert.ok(!JSON.stringify(blocks).includes(CODE))
})
