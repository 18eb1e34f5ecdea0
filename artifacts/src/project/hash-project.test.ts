import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listComponents } from './components.ts'
import { hashArtifacts } from './hash-project.ts'
import { createTestProject, LOCKED } from './project.test-support.ts'
import { checkRef, createRef } from './symbol-ref.ts'

test('two nodes are in one component exactly if each reaches the other, and what is reached comes first', () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 })
  fc.assert(
    fc.property(edges, (pairs) => {
      const nodes = Array.from({ length: 10 }, (_, i) => String(i))
      const listNext = (node: string): string[] =>
        pairs.filter(([from]) => String(from) === node).map(([, to]) => String(to))
      const reach = (node: string): Set<string> => {
        const found = new Set([node])
        for (const one of found) for (const next of listNext(one)) found.add(next)
        return found
      }
      const components = listComponents(nodes, listNext)
      assert.deepEqual(components.flat().sort(), nodes)
      const indexOf = (node: string): number => components.findIndex((one) => one.includes(node))
      for (const a of nodes)
        for (const b of reach(a)) {
          assert.ok(indexOf(b) <= indexOf(a))
          assert.equal(indexOf(a) === indexOf(b), reach(b).has(a))
        }
    }),
  )
})

test('a circle of ten thousand artifacts does not end the stack', () => {
  const nodes = Array.from({ length: 10_000 }, (_, i) => String(i))
  const [component, ...more] = listComponents(nodes, (node) => [
    String((Number(node) + 1) % 10_000),
  ])
  assert.equal(component?.length, 10_000)
  assert.equal(more.length, 0)
})

const TEXTS = {
  'a.ts': `import { b } from './b.ts'\nexport const a = b\n`,
  'b.ts': `import { c } from './c.ts'\nexport const b = c\n`,
  'c.ts': `import { b } from './b.ts'\nimport { z } from 'zod'\nexport const c = 1\n`,
  'd.ts': 'export const d = 1\n',
}

function hashAll(texts: Readonly<Record<string, string>>, locked = LOCKED): Record<string, string> {
  const hashes = hashArtifacts(createTestProject(texts, locked))
  return Object.fromEntries(
    [...hashes].map(([name, { component_hash, index }]) => [name, `${component_hash}#${index}`]),
  )
}

function listMoved(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before)
    .filter((name) => before[name] !== after[name])
    .sort()
}

test('a hash follows references, and those who refer to each other are one unit', () => {
  const before = hashAll(TEXTS)
  const [b = '', c = ''] = [before['b.ts'], before['c.ts']]
  assert.equal(b.split('#')[0], c.split('#')[0])
  assert.notEqual(b, c)
  assert.deepEqual(listMoved(before, hashAll({ ...TEXTS, 'a.ts': `${TEXTS['a.ts']}\n` })), ['a.ts'])
  const changed = { ...TEXTS, 'c.ts': `${TEXTS['c.ts']}\n` }
  assert.deepEqual(listMoved(before, hashAll(changed)), ['a.ts', 'b.ts', 'c.ts'])
  const locked = { ...LOCKED, zod: { name: 'zod', version: '4.0.1', hash: 'c' } }
  assert.deepEqual(listMoved(before, hashAll(TEXTS, locked)), ['a.ts', 'b.ts', 'c.ts'])
  const gone = { ...TEXTS, 'd.ts': `import './none.ts'\nexport const d = 1\n` }
  const found = { ...gone, 'none.ts': '' }
  assert.deepEqual(listMoved(hashAll(gone), hashAll(found)), ['d.ts'])
})

test('hashes do not depend on the order in which artifacts are given', () => {
  const turned = Object.fromEntries(Object.entries(TEXTS).reverse())
  assert.deepEqual(hashAll(turned), hashAll(TEXTS))
})

test('a reference holds as long as the definition does, and only to bytes that were there', () => {
  const project = createTestProject({ 'a.ts': 'export function f(a: 1) { return 1 }\n' })
  const ref = createRef(project, 'a.ts', 'function:f')
  assert.ok(ref !== null)
  const put = (text: string | null) => project.change(new Map([['a.ts', text]]))
  const check = (text: string | null, isKnown = true) => {
    const checked = checkRef(put(text), ref, () => isKnown)
    return checked.ok ? 'holds' : checked.error.kind
  }
  assert.equal(check('export function f(a: 1) { return 1 }\n', false), 'holds')
  assert.equal(check('// moved\nexport function f(a: 1) { return 2 }\n'), 'holds')
  assert.equal(check('export function f(a: 2) { return 1 }\n'), 'CHANGED')
  assert.equal(check('export function g(a: 1) { return 1 }\n'), 'VANISHED')
  assert.equal(check(null), 'VANISHED')
  assert.equal(check('export function f(a: 1) { return 2 }\n', false), 'PARENT_UNKNOWN')
  assert.equal(createRef(project, 'a.ts', 'function:g'), null)
})
