import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { planDelta } from './plan-delta.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()
const TEXT = `import { imported } from './a.ts'
const value = 1
interface Shape {}
class Thing {
  get one() { return 1 }
  two = 2
  static three() {}
}
`

function add(target: string, fragment: string): string {
  const delta = { op: 'addMember', target, fragment } as const
  const planned = planDelta(parseWhole(FORMAT, TEXT), delta, FORMAT)
  return planned.ok ? 'ok' : planned.error.code
}

test('a name is taken by whatever stands for the same thing, of any kind', () => {
  assert.equal(add('', 'function value() {}'), 'NAME_TAKEN')
  assert.equal(add('', 'class value {}'), 'NAME_TAKEN')
  assert.equal(add('', 'type Shape = 1'), 'NAME_TAKEN')
  assert.equal(add('', 'enum Thing {}'), 'NAME_TAKEN')
  assert.equal(add('', 'function imported() {}'), 'NAME_TAKEN')
  assert.equal(add('class:Thing', 'two() {}'), 'NAME_TAKEN')
  assert.equal(add('class:Thing', 'one = 1'), 'NAME_TAKEN')
})

test('a name that stands for something else beside it is free', () => {
  assert.equal(add('', 'type value = 1'), 'ok')
  assert.equal(add('', 'class Shape {}'), 'ok')
  assert.equal(add('', 'namespace Thing {}'), 'ok')
  assert.equal(add('class:Thing', 'set one(value: number) {}'), 'ok')
  assert.equal(add('class:Thing', 'three() {}'), 'ok')
  assert.equal(add('class:Thing', 'imported() {}'), 'ok')
  assert.equal(add('class:Thing', 'constructor() {}\n\nstatic constructor() {}'), 'ok')
})
