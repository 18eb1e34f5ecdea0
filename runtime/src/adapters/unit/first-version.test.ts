import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFirstVersion } from './first-version.ts'

test('no two records begin at the same version', () => {
  const drawn = Array.from({ length: 10_000 }, () => drawFirstVersion('event'))
  assert.equal(new Set(drawn).size, drawn.length)
  for (const version of drawn) assert.ok(Number.isSafeInteger(version) && version > 0)
  assert.ok(Math.max(...drawn) > 2 ** 45, 'all bits are used')
})

test('a record whose version people see counts from 1', () => {
  assert.equal(drawFirstVersion('agent_state'), 1)
  assert.equal(drawFirstVersion('observation'), 1)
})
