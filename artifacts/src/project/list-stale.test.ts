import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listStale } from './list-stale.ts'
import { createTestProject, LOCKED } from './project.test-support.ts'

const TEXTS = {
  'a.ts':
    'export function f(a: 1) { return a }\nexport const g = (x: 1) => x\nfunction own() { f(1) }\n',
  'index.ts': `export { f as h } from './a.ts'\nexport * as all from './a.ts'\n`,
  'b.ts': `import { h, all } from './index.ts'\nexport class B {\n  run() { h(1) }\n  rest() { all.g(1) }\n}\n`,
  'c.ts': `import { z } from 'zod'\nexport const c = z\nexport const d = 1\n`,
}

function show(texts: Readonly<Record<string, string | null>>, locked = LOCKED): string[] {
  const before = createTestProject(TEXTS)
  const kept = Object.entries({ ...TEXTS, ...texts }).flatMap(([name, text]) =>
    text === null ? [] : [[name, text] as const],
  )
  const after = createTestProject(Object.fromEntries(kept), locked)
  return listStale(before, after).map(
    ({ artifact, path, refers, reason }) =>
      `${artifact} ${path} -> ${refers.artifact} ${refers.path} ${reason}`,
  )
}

test('nothing is stale if only bodies, comments and white space changed', () => {
  const text = TEXTS['a.ts'].replace('return a', 'return  a /* same */ ?? 2')
  assert.deepEqual(show({ 'a.ts': `// head\n${text}` }), [])
})

test('who refers to a definition that changed is stale, by symbol and through what hands it on', () => {
  assert.deepEqual(show({ 'a.ts': TEXTS['a.ts'].replace('f(a: 1)', 'f(a: 1, b: 2)') }), [
    'a.ts function:own -> a.ts function:f changed',
    'b.ts class:B/method:run -> a.ts function:f changed',
  ])
  assert.deepEqual(show({ 'a.ts': TEXTS['a.ts'].replace('(x: 1)', '(x: 2)') }), [
    'b.ts class:B/method:rest -> a.ts variable:g changed',
  ])
})

test('who refers to what is gone is stale', () => {
  const without = TEXTS['a.ts'].replace('export const g = (x: 1) => x\n', '')
  assert.deepEqual(show({ 'a.ts': without }), [
    'b.ts class:B/method:rest -> a.ts variable:g vanished',
  ])
})

test('who was written anew is not stale, unless it refers in vain', () => {
  const texts = { 'a.ts': TEXTS['a.ts'].replace('f(a: 1)', 'f(a: 2)').replace('f(1)', 'f(2)') }
  const known = TEXTS['b.ts'].replace('h(1)', 'h(2)')
  assert.deepEqual(show({ ...texts, 'b.ts': known }), [])
  const vain = `import { none } from './a.ts'\nexport const e = none\n`
  assert.deepEqual(show({ 'e.ts': vain }), ['e.ts variable:e -> e.ts none vanished'])
})

test('another version of a package makes stale what refers to it, and nothing else', () => {
  const zod = { name: 'zod', version: '4.0.1', hash: 'c' }
  assert.deepEqual(show({}, { ...LOCKED, zod }), ['c.ts variable:c -> zod z external_changed'])
  assert.deepEqual(show({}, {}), ['c.ts variable:c -> zod z vanished'])
})
