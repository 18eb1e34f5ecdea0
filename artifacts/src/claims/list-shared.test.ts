/** Anchors of YAML: whoever changes what one stands for, and whoever means it, are told of each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimSet, checkComposition, STRATEGIES } from 'rubicon-kernel'
import type { Delta } from '../delta/delta.ts'
import { YAML_FORMAT } from '../formats/yaml/yaml.ts'
import { claimDelta } from './claim-delta.ts'
import { sha256 } from './parsed.test-support.ts'

const TEXT = 'base: &b\n  deep:\n    a: 1\nuse: *b\nmerge:\n  <<: *b\n  d: 3\nother: 4\n'

function claim(key: string, delta: Delta, text = TEXT): ClaimSet {
  const parsed = YAML_FORMAT.parse(text)
  assert.ok(parsed.ok)
  const claimed = claimDelta(parsed.value, delta, YAML_FORMAT, { key, artifact: 'c.yaml', sha256 })
  assert.ok(claimed.ok, JSON.stringify(claimed))
  return claimed.value
}

function findProblems(one: Delta, other: Delta, text = TEXT): readonly string[] {
  const sets = [claim('one', one, text), claim('other', other, text)]
  return checkComposition(STRATEGIES.SingleWriter, sets).map(({ kind }) => kind)
}

const add = (target: string, fragment: string): Delta => ({ op: 'addMember', target, fragment })
const set = (target: string, value: number): Delta => ({ op: 'setValue', target, value })

test('who changes an anchored value and who puts in or takes out an alias of it are in conflict', () => {
  const aliases: readonly Delta[] = [
    add('', 'more: *b'),
    add('key:merge', 'e: *b'),
    set('key:use', 5),
    { op: 'removeKey', target: 'key:use' },
  ]
  for (const changed of [add('key:base', 'e: 5'), add('key:base/key:deep', 'e: 5')])
    for (const alias of aliases)
      assert.deepEqual(findProblems(changed, alias), ['READS_WHAT_CHANGES'], JSON.stringify(alias))
})

test('an anchor that nobody means yet is relied on by the first who does', () => {
  const text = 'base: &b\n  a: 1\nother: 2\n'
  assert.deepEqual(findProblems(set('key:base/key:a', 2), add('', 'more: *b'), text), [
    'READS_WHAT_CHANGES',
  ])
  assert.deepEqual(findProblems(set('key:other', 3), add('', 'more: *b'), text), [])
})

test('of two anchors of one name an alias stands for the last one before it', () => {
  const text = 'one: &b\n  a: 1\ntwo: &b\n  a: 2\nother: 3\n'
  assert.deepEqual(findProblems(set('key:one/key:a', 9), add('', 'more: *b'), text), [])
  assert.deepEqual(findProblems(set('key:two/key:a', 9), add('', 'more: *b'), text), [
    'READS_WHAT_CHANGES',
  ])
})

test('who touches neither is in nobody’s way', () => {
  assert.deepEqual(findProblems(add('key:base', 'e: 5'), set('key:other', 5)), [])
  assert.deepEqual(findProblems(set('key:use', 5), set('key:other', 5)), [])
})
