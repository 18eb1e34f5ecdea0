import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import { YAML_FORMAT } from './yaml.ts'

function list(text: string): readonly string[] {
  const parsed = YAML_FORMAT.parse(text)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.detail)
  const walk = (symbols: readonly SymbolNode[]): readonly string[] =>
    symbols.flatMap(({ path, own, children }) => [
      `${path} ${text.slice(own.start, own.end)}`,
      ...walk(children),
    ])
  return walk(parsed.value.symbols)
}

function refuse(text: string): string {
  const parsed = YAML_FORMAT.parse(text)
  assert.ok(!parsed.ok, 'it was read')
  return parsed.error.detail
}

test('an item is found by its own dash, also without a value, in another item, and behind an anchor', () => {
  assert.deepEqual(list('- a\n-\n- - b-c\n  - &d-e f\n'), [
    'item:0 - a',
    'item:1 -',
    'item:2 - - b-c\n  - &d-e f',
    'item:2/item:0 - b-c',
    'item:2/item:1 - &d-e f',
  ])
})

test('a comment behind the last member of a block is no part of it', () => {
  assert.deepEqual(list('a:\n  b: 1 # c\n# d\n'), ['key:a a:\n  b: 1', 'key:a/key:b b: 1'])
})

test('a map without brackets in a list has no place for a second key', () => {
  const parsed = YAML_FORMAT.parse('a: [2, b: 1]\n')
  assert.ok(parsed.ok)
  assert.equal(parsed.value.symbols[0]?.children[1]?.container, null)
})

test('a key that is there twice is refused; a number and a text are two keys', () => {
  assert.match(refuse('a: 1\nb:\n  c: 1\n  "c": 2\n'), /`c` is there twice/u)
  assert.deepEqual(list('1: a\n"1": b\n'), ['key:1#1 1: a', 'key:1#2 "1": b'])
})

test('ten thousand keys are read, and more tokens than the limit are refused', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1\n`)
  assert.equal(list(lines.join('')).length, 10_000)
  assert.match(
    refuse(`a: [${'1,'.repeat(ARTIFACT_LIMITS.yamlTokens)}1]\n`),
    /more than 400000 tokens/u,
  )
})
