import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyMapInTurns, sortItemsInTurns } from './in-turns.ts'

/** Counts how often others could go first. */
function turns(): { readonly pause: () => Promise<void>; count: number } {
  const counting = {
    count: 0,
    pause: async () => {
      counting.count += 1
    },
  }
  return counting
}

const byValue = (a: { readonly value: number }, b: { readonly value: number }): number =>
  a.value - b.value

test('what is sorted in turns is sorted as at once, and what is alike keeps its order', async () => {
  for (const size of [0, 1, 511, 512, 513, 1_024, 5_000]) {
    const items = Array.from({ length: size }, (_, n) => ({ value: (n * 7_919) % 101, n }))
    const { pause } = turns()
    assert.deepEqual(
      await sortItemsInTurns(items, byValue, pause),
      items.toSorted(byValue),
      `${size}`,
    )
  }
})

test('a copy is the same, and is changed alone', async () => {
  const map = new Map(Array.from({ length: 2_000 }, (_, n) => [n, `${n}`]))
  const copy = await copyMapInTurns(map, turns().pause)
  assert.deepEqual([...copy], [...map])
  copy.delete(0)
  assert.equal(map.size, 2_000)
})

test('others go first again and again, the more there is to do', async () => {
  const [copying, sorting] = [turns(), turns()]
  const map = new Map(Array.from({ length: 10_000 }, (_, n) => [n, { value: -n }]))
  await copyMapInTurns(map, copying.pause)
  assert.equal(copying.count, Math.floor(map.size / 512))
  await sortItemsInTurns(map.values(), byValue, sorting.pause)
  assert.ok(sorting.count > 5 * copying.count, String(sorting.count))
})
