import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import type { LeafEntry } from '../../ports/store.ts'
import { readLeafPage } from './leaf-page.ts'

/** A ledger of so many entries, each of so many characters. */
function write(leaves: number, length: number) {
  const payload = 'x'.repeat(length)
  return {
    async listLeaves(from: number, limit: number): Promise<readonly LeafEntry[]> {
      const count = Math.max(0, Math.min(limit, leaves - from))
      return Array.from({ length: count }, (_, i) => parseLeaf({ leaf: from + i, payload }))
    },
  }
}

function parseLeaf(leaf: object): LeafEntry {
  return leaf as LeafEntry
}

test('a page is as long as an agent makes its entries', async () => {
  const page = await readLeafPage(write(1_000, LIMITS.justificationLength), 7, 1_000)
  const length = page.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0)
  assert.equal(page[0]?.leaf, 7)
  assert.equal(length, LIMITS.pageLength)
  const longest = await readLeafPage(write(1_000, LIMITS.json.bytes), 0, 1_000)
  assert.equal(longest.length, LIMITS.entriesPerStep)
})

test('short entries fill a page, up to the last', async () => {
  const count = async (leaves: number, from: number, most: number): Promise<number> =>
    (await readLeafPage(write(leaves, 10), from, most)).length
  assert.equal(await count(5_000, 0, 1_000), 1_000)
  assert.equal(await count(5_000, 0, 1), 1)
  assert.equal(await count(40, 0, 1_000), 40)
  assert.equal(await count(40, 39, 1_000), 1)
  assert.equal(await count(40, 40, 1_000), 0)
})

test('a round of the scrub takes as long as an agent makes its entries', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket 1' })
  const narrative = 'x'.repeat(LIMITS.justificationLength)
  const more = LIMITS.pageLength / narrative.length + LIMITS.entriesPerStep
  for (let i = 0; i < more; i++)
    assert.ok((await engine.contextStore.explain(flow.dfid, { narrative })).ok)
  const size = await store.countLeaves()
  const { checked, of } = await engine.scrub()
  assert.equal(of, size)
  assert.ok(checked < size, 'what is too long for a round is left for the next')
  assert.deepEqual(await engine.scrub(), { checked: size, of: size, passes: 1 })
  await example.close()
})
