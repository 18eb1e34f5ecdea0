import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNearest } from './nearest-name.ts'

test('a word that is almost another is that one, and the nearest of several', () => {
  assert.equal(findNearest('safety_rule', ['permissions', 'safety_rules']), 'safety_rules')
  assert.equal(findNearest('LIMIT_EXCEDED', ['RBAC_DENIED', 'LIMIT_EXCEEDED']), 'LIMIT_EXCEEDED')
  assert.equal(findNearest('abcd', ['abxx', 'abcx']), 'abcx')
})

test('a word that is like none is none', () => {
  assert.equal(findNearest('comma', ['idempotency', 'dim-gates']), undefined)
  assert.equal(findNearest('abcd', ['axxx']), undefined)
  assert.equal(findNearest('word', []), undefined)
})

test('of a short word one letter may differ, of a longer one two', () => {
  assert.deepEqual([findNearest('hue', ['hub']), findNearest('hue', ['his'])], ['hub', undefined])
  assert.deepEqual([findNearest('hues', ['hubs']), findNearest('hues', ['huby'])], ['hubs', 'huby'])
})

test('a word that is too long is compared with nothing', () => {
  const long = 'x'.repeat(64)
  assert.equal(findNearest(long, [`${long.slice(1)}y`]), `${long.slice(1)}y`)
  assert.equal(findNearest(`${long}x`, [long]), undefined)
})
