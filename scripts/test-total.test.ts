import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileCost } from './test-cost.ts'
import { BUDGET_SECONDS, formatTotal, sumCosts } from './test-total.ts'

function cost(file: string, seconds: number): FileCost {
  return { file, cpuMs: seconds * 1000, wallMs: 1, tests: 1 }
}

test('a run is summed by workspace, with loading and what is around it apart', () => {
  const costs = [
    cost('sim/src/a.test.ts', 3),
    cost('runtime/src/a.test.ts', 4),
    cost('runtime/src/engine/b.test.ts', 5),
    cost('loading sim/src/a.test.ts and those with it', 2),
  ]
  const total = sumCosts(costs, 20_000, 30)
  assert.deepEqual(Object.entries(total.by), [
    ['runtime', 9],
    ['around the tests', 6],
    ['sim', 3],
    ['loading files', 2],
  ])
  assert.equal(
    formatTotal(total, false),
    '20 s of a processor, where a calculation that is always the same took 30 ms: runtime 9, around the tests 6, sim 3, loading files 2\n',
  )
})

test('a whole run says whether it kept to its budget, on both sides of it', () => {
  const at = (seconds: number): string => formatTotal(sumCosts([], seconds * 1000, 30), true)
  assert.match(at(BUDGET_SECONDS), /\nwithin the budget of \d+ s\n$/)
  assert.match(at(BUDGET_SECONDS + 1), /\nNOTICED 1 s more than the budget of \d+ s: /)
})
