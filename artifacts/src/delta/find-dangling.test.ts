import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { createWordFormat } from '../claims/word-references.test-support.ts'
import { sliceSpan } from '../text/span.ts'
import type { Delta } from './delta.ts'
import type { DeltaProblem } from './plan.ts'
import { planDelta } from './plan-delta.ts'
import { planDeltas } from './plan-deltas.ts'

const FORMAT = createWordFormat('a.ts')
const TEXT = `import { a } from 'a'

function one() {
  return two() + a
}

function two(): number {
  return one()
}

class A {
  three = 3

  four() {
    return this.three
  }
}
`
const PARSED = parseWhole(FORMAT, TEXT)
const remove = (target: string): Delta => ({ op: 'remove', target })

function findProblem(...deltas: readonly Delta[]): DeltaProblem | null {
  const planned = planDeltas(PARSED, deltas, FORMAT)
  return planned.ok ? null : planned.error
}

test('what is still referred to is not removed, and it is said where', () => {
  const planned = planDelta(PARSED, remove('function:two'), FORMAT)
  assert.ok(!planned.ok)
  assert.equal(planned.error.code, 'DANGLING_REFERENCE')
  assert.equal(planned.error.detail, '`two` would refer to nothing')
  assert.deepEqual(
    planned.error.places?.map((place) => [place.start, sliceSpan(TEXT, place)]),
    [[TEXT.indexOf('two()'), 'two']],
  )
  assert.equal(findProblem(remove('import:a'))?.code, 'DANGLING_REFERENCE')
  assert.equal(findProblem(remove('class:A/field:three'))?.code, 'DANGLING_REFERENCE')
  assert.equal(findProblem(remove('class:A')), null)
})

test('two that refer to each other can be removed together', () => {
  assert.equal(findProblem(remove('function:one'), remove('function:two')), null)
  assert.equal(findProblem(remove('class:A/field:three'), remove('class:A/method:four')), null)
})

test('a new name for a reference that is lost does not hide it', () => {
  const body: Delta = { op: 'replaceBody', target: 'function:one', fragment: '{ return a }' }
  assert.equal(findProblem(body, remove('function:two')), null)
  assert.equal(findProblem(remove('function:two'), body), null)
})
