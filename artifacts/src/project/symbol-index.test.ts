import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SymbolIndex } from './symbol-index.ts'

const ALL = 1_000

const NAMES = ['a', 'ab', 'abc', 'b', 'constructor', 'é', 'x y']
const segment = fc
  .tuple(fc.constantFrom('class', 'method'), fc.constantFrom(...NAMES))
  .map(([kind, name]) => `${kind}:${encodeURIComponent(name)}`)
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const step = fc.record({
  artifact: fc.constantFrom('one.ts', 'two.ts', 'three.ts'),
  paths: fc.array(path, { maxLength: 12 }),
})

test('answers are those of a plain list, whatever was put and taken out before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const index = new SymbolIndex()
      const model = new Map<string, readonly string[]>()
      for (const { artifact, paths } of steps) {
        index.put(artifact, paths)
        model.set(artifact, [...new Set(paths)].sort())
      }
      const all = [...model].flatMap(([artifact, paths]) =>
        paths.map((one) => ({ artifact, path: one, name: nameOf(one) })),
      )
      assert.equal(index.size, all.length)
      const show = (found: readonly { artifact: string; path: string }[]): string[] =>
        found.map(({ artifact, path: one }) => `${artifact} ${one}`).sort()
      for (const name of NAMES) {
        const byName = all.filter((one) => one.name === name)
        assert.deepEqual(show(index.listByName(name, ALL).symbols), show(byName))
        const byPrefix = all.filter((one) => one.name.startsWith(name))
        assert.deepEqual(show(index.listByPrefix(name, ALL).symbols), show(byPrefix))
      }
      for (const [artifact, paths] of model) {
        for (const one of paths) assert.equal(index.find(artifact, one)?.name, nameOf(one))
        const below = paths.filter((one) => one.startsWith('class:a'))
        const found = index.listByPath(artifact, 'class:a', ALL).symbols.map((one) => one.path)
        assert.deepEqual(found, below)
      }
    }),
  )
})

function nameOf(one: string): string {
  return decodeURIComponent(one.slice(one.lastIndexOf(':') + 1))
}

test('an answer is bounded and says that there is more', () => {
  const index = new SymbolIndex()
  for (let i = 0; i < 50; i += 1)
    index.put(`a${i}.ts`, ['class:A', 'class:A/method:run#1', 'class:A/method:run#2'])
  const { symbols, more } = index.listByName('run', 10)
  assert.equal(symbols.length, 10)
  assert.equal(more, true)
  assert.deepEqual(symbols[0], {
    artifact: 'a0.ts',
    path: 'class:A/method:run#1',
    kind: 'method',
    name: 'run',
  })
  assert.equal(index.listByName('run', 100).more, false)
  assert.equal(index.find('a1.ts', 'class:A/method:run'), null)
})

test('names beyond one block keep their order', () => {
  const index = new SymbolIndex()
  const names = Array.from({ length: 5_000 }, (_, i) => `n${(i * 7_919) % 5_000}`)
  for (const [i, name] of names.entries()) index.put(`f${i}.ts`, [`function:${name}`])
  const found = index.listByPrefix('n', 10_000).symbols.map(({ name }) => name)
  assert.deepEqual(found, [...names].sort())
  for (const [i] of names.entries()) if (i % 2 === 0) index.remove(`f${i}.ts`)
  const left = names.filter((_, i) => i % 2 === 1)
  assert.deepEqual(
    index.listByPrefix('n', 10_000).symbols.map(({ name }) => name),
    left.sort(),
  )
  assert.equal(index.size, 2_500)
})
