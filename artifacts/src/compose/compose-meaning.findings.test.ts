/** Entries whose claims are disjoint, and whose composition would mean something else than each of their authors wrote. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STRATEGIES } from 'rubicon-kernel'
import { parseWhole, sha256 } from '../claims/parsed.test-support.ts'
import type { Delta } from '../delta/delta.ts'
import { findFormat } from '../formats/formats.ts'
import type { BatchEntry } from './batch.ts'
import { composeDeltas } from './compose-deltas.ts'

function compose(text: string, one: Delta, other: Delta, isOrdered = false): string {
  const format = findFormat('a.ts') ?? assert.fail()
  const batch: readonly BatchEntry[] = [one, other].map((delta, index) => ({
    key: 'ab'[index] ?? '',
    deltas: [delta],
    ...(isOrdered ? { order: index } : {}),
  }))
  const strategy = isOrdered ? STRATEGIES.Ordered : STRATEGIES.SingleWriter
  const options = { artifact: 'a.ts', sha256 }
  const result = composeDeltas(parseWhole(format, text), batch, strategy, format, options)
  return result.ok ? result.value.after.text : `${result.error.code} ${result.error.detail}`
}

const F = 'export function f() {\n  return 0\n}\n'
const FETCH: Delta = {
  op: 'replaceBody',
  target: 'function:f',
  fragment: "{\n  return fetch('x')\n}",
}
const ADD: Delta = { op: 'addMember', target: '', fragment: 'function fetch() {\n  return 1\n}' }

test('what one puts in is not caught by a declaration of another', () => {
  const text = `const limit = 1\n\nnamespace N {\n  ${F.replaceAll('\n', '\n  ').trimEnd()}\n}\n`
  const put: Delta = { op: 'addMember', target: 'namespace:N', fragment: 'const limit = 5' }
  const use: Delta = {
    op: 'replaceBody',
    target: 'namespace:N/function:f',
    fragment: '{\n    return limit\n  }',
  }
  assert.match(compose(text, put, use), /^CLAIMS_CONFLICT `limit`, which `b` uses, .*else/u)
})

test('a name of the platform that one uses is not one that another brings', () => {
  for (const [text, bring] of [
    [F, ADD],
    [`import { a } from './m'\n\n${F}`, { op: 'addImport', from: './n', name: 'fetch' }],
    [`function g() {}\n\n${F}`, { op: 'rename', target: 'function:g', name: 'fetch' }],
  ] as const)
    assert.match(compose(text, bring, FETCH), /^CLAIMS_CONFLICT `fetch`, .*another declares/u)
  // Whoever comes behind another in an order has seen what that one does.
  assert.match(compose(F, ADD, FETCH, true), /^export function f/u)
})

test('what one uses is not moved behind it by another', () => {
  const move: Delta = { op: 'move', target: 'variable:a', to: '' }
  const use: Delta = { op: 'replaceBody', target: 'variable:b', fragment: 'a + 1' }
  assert.match(compose('const a = 1\n\nconst b = 2\n', move, use), /^CLAIMS_CONFLICT .*behind it/u)
})

test('two do not export one name', () => {
  const one: Delta = { op: 'addMember', target: '', fragment: 'export default function p() {}' }
  const other: Delta = { op: 'addMember', target: '', fragment: 'export default class Q {}' }
  assert.match(compose(F, one, other), /^CLAIMS_CONFLICT `default` would be exported twice/u)
})

test('names of one entry that look like those of another are its own', () => {
  const put = (name: string): Delta => ({
    op: 'addMember',
    target: '',
    fragment: `const ${name} = (a: number) => {\n  const b = a\n  return a + b\n}`,
  })
  const text = compose(F, put('one'), put('two'))
  assert.match(text, /const one[\s\S]*const two/u)
})
