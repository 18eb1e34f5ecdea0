import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUses } from './find-uses.ts'
import { createTestProject } from './project.test-support.ts'

/** `artifact: text of the use, role`, with a star where it goes by another name. */
function list(texts: Readonly<Record<string, string>>, artifact: string, path: string): string[] {
  const project = createTestProject(texts)
  const found = findUses(project, artifact, path)
  assert.ok(found.ok, JSON.stringify(found))
  return found.value.uses.map(({ artifact: name, at, role, isAliased }) => {
    const text = project.artifacts.get(name)?.text.slice(at.start, at.end)
    return `${name}: ${text} ${role}${isAliased ? '*' : ''}`
  })
}

test('uses are found through aliases, barrels and namespaces', () => {
  const texts = {
    'a.ts': 'export class Alpha {}\nexport const made = new Alpha()\n',
    'index.ts': `export { Alpha as Beta } from './a.ts'\nexport * from './a.ts'\n`,
    'b.ts': `import { Beta, Alpha } from './index.ts'\nnew Beta() as Alpha\n`,
    'c.ts': `import * as all from './index.ts'\nnew all.Alpha(all.Beta, all.made)\n`,
    'd.ts': `import Alpha from 'zod'\nnew Alpha()\n`,
  }
  assert.deepEqual(list(texts, 'a.ts', 'class:Alpha'), [
    'a.ts: Alpha declaration',
    'a.ts: Alpha use',
    'b.ts: Beta import*',
    'b.ts: Alpha import',
    'b.ts: Beta use*',
    'b.ts: Alpha use',
    'c.ts: Alpha member',
    'c.ts: Beta member*',
    'index.ts: Alpha export',
    'index.ts: Beta export*',
  ])
})

test('a default import goes by its own name only if it is the one of the symbol', () => {
  const texts = {
    'a.ts': 'function alpha() {}\nexport default alpha\n',
    'b.ts': `import alpha from './a.ts'\nimport { default as again } from './a.ts'\nalpha(again)\n`,
  }
  assert.deepEqual(list(texts, 'a.ts', 'function:alpha'), [
    'a.ts: alpha declaration',
    'a.ts: alpha use',
    'b.ts: alpha import',
    'b.ts: default import*',
    'b.ts: again import*',
    'b.ts: alpha use',
    'b.ts: again use*',
  ])
})

test('what `export =` exports is used by whoever asks for the module', () => {
  const texts = {
    'a.ts': 'function alpha() {}\nexport = alpha\n',
    'b.ts': `import one = require('./a.ts')\none()\n`,
  }
  assert.deepEqual(list(texts, 'a.ts', 'function:alpha').slice(2), [
    'b.ts: one import*',
    'b.ts: one use*',
  ])
})

test('a module that is handed on is named, not passed over', () => {
  const project = createTestProject({
    'a.ts': 'export const alpha = 1\n',
    'b.ts': `import * as all from './a.ts'\nhand(all)\nall.other\n`,
    'c.ts': `const all = await import('./a.ts')\n`,
  })
  const found = findUses(project, 'a.ts', 'variable:alpha')
  assert.ok(found.ok)
  assert.deepEqual(
    found.value.unknown.map(({ artifact, at }) => [artifact, at.start]),
    [
      ['b.ts', 35],
      ['c.ts', 18],
    ],
  )
})

test('modules that export themselves within themselves come to an end', () => {
  const texts = {
    'a.ts': `export const alpha = 1\nexport * as self from './a.ts'\nexport * from './a.ts'\n`,
  }
  assert.deepEqual(list(texts, 'a.ts', 'variable:alpha'), ['a.ts: alpha declaration'])
})
