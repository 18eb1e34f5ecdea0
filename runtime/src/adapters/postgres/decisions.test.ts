import { deepEqual, equal, rejects } from 'node:assert/strict'
import { it } from 'node:test'
import { begin, buildFlowRow, commit, putFlow, toDfid } from '../../ports/conformance/fixture.ts'
import type { Store } from '../../ports/store.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

async function withFlows(count: number): Promise<Store> {
  const store = await open(await createFreshDatabase())
  await begin(store)
  await commit(store, [
    ...Array.from({ length: count }, (_, n) => putFlow(n)),
    ...Array.from({ length: count }, (_, n) => ({ kind: 'count', id: `c${n}`, by: n }) as const),
  ])
  return store
}

describeWithServer('decisions that are read together', () => {
  it('get each its own rows, also those that are not there', async () => {
    const store = await withFlows(300)
    const numbers = Array.from({ length: 400 }, (_, n) => (n * 7) % 310)
    const views = await Promise.all(
      numbers.map((n) => store.readDecision(toDfid(n), 'a', () => [`c${n}`, 'none'])),
    )
    for (const [i, n] of numbers.entries()) {
      const view = views[i] ?? null
      if (n >= 300) equal(view, null)
      else deepEqual([view?.flow, view?.counters], [buildFlowRow(n), { [`c${n}`]: n, none: 0 }])
    }
  })

  it('do not suffer from one that asks wrongly', async () => {
    const store = await withFlows(2)
    const wrong = store.readDecision(toDfid(0), 'a', () => {
      throw new TypeError('a mistake of the caller')
    })
    const right = store.readDecision(toDfid(1), 'a', () => ['c1'])
    await rejects(wrong, TypeError)
    deepEqual((await right)?.counters, { c1: 1 })
  })
})
