import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTHORITY, LIMITS } from 'rubicon-kernel'
import { createMemoryStore } from '../../../adapters/memory/store.ts'
import { sha256 } from '../../../adapters/system/sha256.ts'
import {
  begin,
  buildFlowRow,
  commit,
  START,
  TENANT,
  toDfid,
} from '../../../ports/conformance/fixture.ts'
import type { Store, Write } from '../../../ports/store.ts'
import { type EntryFilter, findEntries } from './find-entries.ts'
import { countIndexedBlocks, indexLeaves } from './index-leaves.ts'
import { BLOCK } from './leaf-block.ts'

function rejection(n: number, code: string): Write {
  const payload = JSON.stringify({ reason_code: code })
  return { kind: 'append', trajectory: 'main', entry: 'rejection', dfid: toDfid(n), payload }
}

function evidence(n: number): Write {
  const payload = JSON.stringify({ details: { text: '"reason_code":"FAKE"' } })
  return { kind: 'append', trajectory: 'main', entry: 'evidence', dfid: toDfid(n), payload }
}

/** Flows 0…9 of two agents; every tenth entry is a rejection, of one code in a hundred another. */
async function ledger(entries: number): Promise<Store> {
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
  await begin(store)
  for (let n = 0; n < 10; n += 1) {
    const flow = { ...buildFlowRow(n), agent_id: `agent_${n % 2}` }
    await commit(store, [{ kind: 'put_flow', flow }])
  }
  for (let leaf = await store.countLeaves(); leaf < entries; leaf += 1) {
    const flow = leaf % 10
    const code = leaf % 100 === 0 ? 'TTL_EXPIRED' : 'LIMIT_EXCEEDED'
    await commit(store, [leaf % 10 === 0 ? rejection(flow, code) : evidence(flow)])
  }
  return store
}

async function leaves(
  store: Store,
  filter: Partial<EntryFilter>,
  limit = 1_000,
): Promise<readonly number[]> {
  const { found } = await findEntries(store, { facts: {}, ...filter }, { limit })
  return found.map(({ entry }) => entry.leaf)
}

function expected(entries: number, isMeant: (leaf: number) => boolean): readonly number[] {
  return Array.from({ length: entries }, (_, i) => i)
    .filter((leaf) => leaf > 1 && isMeant(leaf))
    .toReversed()
}

test('the directory is brought on by a run that is as long as an agent makes its entries', async () => {
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
  await begin(store)
  const payload = JSON.stringify({ narrative: 'x'.repeat(LIMITS.justificationLength) })
  const said = { kind: 'append', trajectory: 'main', entry: 'evidence', payload } as const
  await commit(
    store,
    Array.from({ length: BLOCK }, () => said),
  )
  let pauses = 0
  const pause = async (): Promise<void> => {
    pauses += 1
  }
  assert.equal(await indexLeaves(store, { pause }), 1)
  const pages = Math.ceil((BLOCK * LIMITS.justificationLength) / LIMITS.pageLength)
  assert.equal(pauses, pages)
})

test('F1: with and without the directory the same is found, newest first', async () => {
  const entries = 3 * BLOCK + 17
  const store = await ledger(entries)
  const found = async (): Promise<object> => ({
    rejections: await leaves(store, { facts: { kind: ['rejection'] } }),
    late: await leaves(store, { facts: { code: ['TTL_EXPIRED'] } }),
    both: await leaves(store, { facts: { code: ['TTL_EXPIRED'], agent_id: ['agent_1'] } }),
    either: await leaves(store, { facts: { code: ['TTL_EXPIRED', 'NO_SUCH'] } }),
    none: await leaves(store, { facts: { code: ['FAKE'] } }),
    authority: await leaves(store, { facts: { trajectory: [AUTHORITY] } }),
  })
  const before = await found()
  assert.equal(await indexLeaves(store), 3)
  assert.equal(await countIndexedBlocks(store), 3)
  assert.equal(await indexLeaves(store), 0)
  assert.deepEqual(await found(), before)
  const late = expected(entries, (leaf) => leaf % 100 === 0)
  assert.deepEqual(before, {
    rejections: expected(entries, (leaf) => leaf % 10 === 0),
    late,
    both: [],
    either: late,
    none: [],
    authority: [0],
  })
})

test('an id is found by its digits, whole or in part, in the directory and behind it', async () => {
  const entries = BLOCK + 40
  const store = await ledger(entries)
  await indexLeaves(store)
  for (const leaf of [0, 1, 100, BLOCK - 1, BLOCK, entries - 1]) {
    const [entry] = await store.listLeaves(leaf, 1)
    const digits = entry?.id.slice('sha256:'.length) ?? ''
    assert.deepEqual(await leaves(store, { digits }), [leaf])
    assert.deepEqual(await leaves(store, { digits: digits.slice(0, 12) }), [leaf])
    const other = `${digits.slice(0, -1)}${digits.endsWith('0') ? '1' : '0'}`
    assert.deepEqual(await leaves(store, { digits: other }), [])
  }
})

test('a leaf, a place and a flow are read from where they stand, and filtered', async () => {
  const store = await ledger(60)
  assert.deepEqual(await leaves(store, { leaf: 50 }), [50])
  assert.deepEqual(await leaves(store, { leaf: 50, facts: { kind: ['commit'] } }), [])
  assert.deepEqual(await leaves(store, { leaf: 60 }), [])
  const [entry] = await store.listLeaves(33, 1)
  const { trajectory = '', seq = 0 } = entry?.envelope ?? {}
  assert.deepEqual(await leaves(store, { place: { trajectory, seq } }), [33])
  assert.deepEqual(await leaves(store, { place: { trajectory, seq: 99 } }), [])
  assert.deepEqual(await leaves(store, { dfid: [toDfid(3), toDfid(3)] }), [53, 43, 33, 23, 13, 3])
  const both = { dfid: [toDfid(0), toDfid(3)], facts: { code: ['LIMIT_EXCEEDED'] } }
  assert.deepEqual(await leaves(store, both), [50, 40, 30, 20, 10])
})

test('pages follow one another without gaps, wherever they are cut', async () => {
  const entries = 2 * BLOCK + 50
  const store = await ledger(entries)
  await indexLeaves(store)
  const filters: readonly EntryFilter[] = [
    { facts: {} },
    { facts: { kind: ['rejection'] } },
    { facts: {}, dfid: [toDfid(0), toDfid(7)] },
  ]
  for (const filter of filters) {
    const whole = await leaves(store, filter)
    const pages: number[] = []
    for (let before: number | null = entries; before !== null; ) {
      const page = await findEntries(store, filter, { limit: 7, before })
      pages.push(...page.found.map(({ entry }) => entry.leaf))
      assert.ok(page.found.length <= 7)
      before = page.next
    }
    assert.deepEqual(pages, whole)
  }
})

test('F2: a search that finds nothing ends, and says where to go on', async () => {
  const runs = LIMITS.leafBlocksSearched / 64 + 2
  const store = await ledger(runs * BLOCK)
  let pauses = 0
  const pause = async (): Promise<void> => {
    pauses += 1
  }
  const filter = { facts: { code: ['NO_SUCH'] } }
  const first = await findEntries(store, filter, { limit: 10, pause })
  assert.deepEqual([first.found, first.next], [[], 2 * BLOCK])
  assert.equal(pauses, LIMITS.leafBlocksSearched / 64)
  assert.equal((await findEntries(store, filter, { limit: 10, before: 2 * BLOCK })).next, null)
})

test('of two engines that bring the directory on, the second leaves what the first did', async () => {
  const store = await ledger(2 * BLOCK)
  const both = await Promise.all([indexLeaves(store), indexLeaves(store)])
  assert.deepEqual(both.toSorted(), [0, 2])
  assert.equal(await countIndexedBlocks(store), 2)
})

test('an erased payload is found by what its envelope says', async (t) => {
  const store = await ledger(30)
  const asStored = store.listLeaves.bind(store)
  t.mock.method(store, 'listLeaves', async (from: number, limit: number) =>
    (await asStored(from, limit)).map((entry) => ({ ...entry, payload: null })),
  )
  assert.deepEqual(await leaves(store, { facts: { code: ['LIMIT_EXCEEDED'] } }), [])
  assert.deepEqual(await leaves(store, { facts: { kind: ['rejection'] } }), [20, 10])
})
