import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualTime } from './clock.ts'
import { Rng } from './rng.ts'

test('wake-ups come in order of time, then of asking, and cancelled ones never', async () => {
  const time = new VirtualTime()
  const woken: string[] = []
  time.schedule(20, () => woken.push('late'))
  time.schedule(10, () => woken.push('a'))
  time.schedule(10, () => woken.push('b'))
  const cancel = time.schedule(5, () => woken.push('never'))
  cancel()
  while (await time.step());
  assert.deepEqual(woken, ['a', 'b', 'late'])
  assert.equal(time.getElapsedMs(), 20)
})

test('every promise settles before the next wake-up', async () => {
  const time = new VirtualTime()
  const seen: string[] = []
  const chain = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await null
    seen.push('chain')
  }
  time.schedule(1, () => void chain())
  time.schedule(1, () => seen.push('next'))
  while (await time.step());
  assert.deepEqual(seen, ['chain', 'next'])
})

test('a seed is a stream of its own, and the same one each time', () => {
  const draw = (seed: number) =>
    Array.from(
      { length: 8 },
      (
        (rng) => () =>
          rng.drawUint32()
      )(new Rng(seed)),
    )
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
  const rng = new Rng(3)
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < 40_000; i++) counts[rng.drawBelow(4)] = (counts[rng.drawBelow(4)] ?? 0) + 1
  assert.ok(counts.every((count) => count > 100))
})
