import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildModuleGraph } from './module-graph.ts'
import { createTestProject } from './project.test-support.ts'
import { createProject, type Resolved } from './project.ts'
import { resolveExport } from './resolve-export.ts'

function show(to: Resolved): string {
  if (to.kind === 'artifact') return to.artifact
  return to.kind === 'external' ? `${to.external.name}@${to.external.version}` : 'unresolved'
}

test('a specifier is resolved with and without its ending, as a folder, and to the source of what is made', () => {
  const project = createTestProject({
    'src/a.ts': '',
    'src/b.tsx': '',
    'src/c.js': '',
    'src/d.ts': '',
    'src/d.js': '',
    'src/sub/index.ts': '',
    'src/e.mts': '',
    'src/data.json': '{}',
    'src/t.d.ts': '',
    'src/name.part.ts': '',
  })
  const cases = {
    './a': 'src/a.ts',
    './a.ts': 'src/a.ts',
    './a.js': 'src/a.ts',
    './b': 'src/b.tsx',
    './b.jsx': 'src/b.tsx',
    './c': 'src/c.js',
    './c.js': 'src/c.js',
    './d.js': 'src/d.ts',
    './sub': 'src/sub/index.ts',
    './sub/': 'src/sub/index.ts',
    './e.mjs': 'src/e.mts',
    './data.json': 'src/data.json',
    './t': 'src/t.d.ts',
    './name.part': 'src/name.part.ts',
    '../src/a': 'src/a.ts',
    './none': 'unresolved',
    '../../out': 'unresolved',
    'zod/v4': 'zod@4.0.0',
    'node:fs': 'node:fs@24',
    left: 'unresolved',
  }
  for (const [specifier, expected] of Object.entries(cases))
    assert.equal(show(project.resolve('src/x.ts', specifier)), expected, specifier)
})

test('packages of the project are resolved by their exports, their imports and the table of paths', () => {
  const manifest = {
    name: '@own/kernel',
    exports: {
      '.': { require: './no.js', types: './src/index.ts', default: './dist/index.js' },
      './sub/*': './src/sub/*.ts',
      './gone': './dist/gone.js',
    },
    imports: { '#inner': './src/inner.ts', '#deep/*': { default: './src/sub/*.ts' } },
  }
  const project = createTestProject({
    'kernel/package.json': JSON.stringify(manifest),
    'kernel/src/index.ts': '',
    'kernel/src/inner.ts': '',
    'kernel/src/sub/one.ts': '',
    'plain/package.json': '{"name": "plain", "main": "./lib/main.js"}',
    'plain/lib/main.js': '',
    'app/tsconfig.json':
      '{ /* paths */ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./code/*"], "exact": ["./code/e"] } } }',
    'app/code/e.ts': '',
  })
  const cases = [
    ['app/x.ts', '@own/kernel', 'kernel/src/index.ts'],
    ['app/x.ts', '@own/kernel/sub/one', 'kernel/src/sub/one.ts'],
    ['app/x.ts', '@own/kernel/sub/two', 'unresolved'],
    ['app/x.ts', '@own/kernel/gone', 'unresolved'],
    ['app/x.ts', '@own/kernel/src/inner', 'unresolved'],
    ['kernel/src/x.ts', '#inner', 'kernel/src/inner.ts'],
    ['kernel/src/x.ts', '#deep/one', 'kernel/src/sub/one.ts'],
    ['app/x.ts', '#inner', 'unresolved'],
    ['app/x.ts', 'plain', 'plain/lib/main.js'],
    ['app/x.ts', '@/e', 'app/code/e.ts'],
    ['app/x.ts', 'exact', 'app/code/e.ts'],
    ['kernel/src/x.ts', '@/e', 'unresolved'],
  ] as const
  for (const [from, specifier, expected] of cases)
    assert.equal(show(project.resolve(from, specifier)), expected, `${from} ${specifier}`)
})

test('two artifacts may have two versions of one package', () => {
  const project = createProject(
    new Map([
      ['a/x.ts', ''],
      ['b/x.ts', ''],
    ]),
    {
      sha256: (data) => data,
      findExternal: (name, { artifact, from }) => ({ name, version: artifact, hash: from }),
    },
  )
  assert.equal(show(project.resolve('a/x.ts', 'zod/v4')), 'zod@a/x.ts')
  assert.equal(show(project.resolve('b/x.ts', 'zod/v4')), 'zod@b/x.ts')
})

test('the graph names what it cannot resolve, and what nobody can say', () => {
  const graph = buildModuleGraph(
    createTestProject({
      'a.ts': `import './b.ts'\nimport x from './none.ts'\nexport * from 'zod'\nawait import(x)\n`,
      'b.ts': `import { a } from './a.ts'\nimport type { c } from './a.ts'\n`,
    }),
  )
  assert.deepEqual(
    graph.unresolved.map(({ artifact, specifier }) => [artifact, specifier]),
    [['a.ts', './none.ts']],
  )
  assert.deepEqual(
    [...graph.importers],
    [
      ['b.ts', ['a.ts']],
      ['a.ts', ['b.ts']],
    ],
  )
  assert.deepEqual([...graph.externals.keys()], ['zod'])
  assert.equal(graph.unknown.length, 1)
})

test('a name is resolved through whatever hands it on, and a circle brings nothing', () => {
  const project = createTestProject({
    'a.ts': 'export function f(): void\nexport function f() {}\nexport default class {}\n',
    'b.ts': `export { f as g, default as D } from './a.ts'\nexport * from './c.ts'\n`,
    'c.ts': `import { g } from './b.ts'\nexport { g as h }\nexport * from './b.ts'\nexport * as all from './a.ts'\n`,
    'd.ts': `export * from './one.ts'\nexport * from './two.ts'\nexport const own = 1\n`,
    'one.ts': 'export const x = 1, own = 2\n',
    'two.ts': 'export const x = 2\n',
    'e.ts': `export * from 'zod'\n`,
  })
  const show = (artifact: string, name: string): unknown => {
    const target = resolveExport(project, artifact, name)
    return target.kind === 'symbol' ? [target.artifact, ...target.paths] : target.kind
  }
  assert.deepEqual(show('b.ts', 'g'), ['a.ts', 'function:f#1', 'function:f#2'])
  assert.deepEqual(show('b.ts', 'D'), ['a.ts', 'class:default'])
  assert.deepEqual(show('b.ts', 'h'), ['a.ts', 'function:f#1', 'function:f#2'])
  assert.equal(show('c.ts', 'all'), 'module')
  assert.equal(show('c.ts', 'none'), 'missing')
  assert.equal(show('d.ts', 'x'), 'ambiguous')
  assert.deepEqual(show('d.ts', 'own'), ['d.ts', 'variable:own'])
  assert.equal(show('e.ts', 'z'), 'external')
  assert.equal(show('c.ts', 'default'), 'missing')
})

test('a changed project shares what did not change, and knows what is new', () => {
  const project = createTestProject({ 'a.ts': `import './b.ts'\n`, 'c.ts': '' })
  assert.equal(show(project.resolve('a.ts', './b.ts')), 'unresolved')
  const next = project.change(
    new Map([
      ['b.ts', ''],
      ['c.ts', null],
    ]),
  )
  assert.equal(show(next.resolve('a.ts', './b.ts')), 'b.ts')
  assert.equal(next.artifacts.get('a.ts'), project.artifacts.get('a.ts'))
  assert.equal(next.artifacts.has('c.ts'), false)
  assert.equal(project.artifacts.has('c.ts'), true)
  const manifest = '{"name": "own", "exports": "./a.ts"}'
  const named = next.change(new Map([['package.json', manifest]]))
  assert.equal(show(named.resolve('b.ts', 'own')), 'a.ts')
  const moved = named.change(new Map([['package.json', manifest.replace('a.ts', 'b.ts')]]))
  assert.equal(show(moved.resolve('b.ts', 'own')), 'b.ts')
  const edited = moved.change(new Map([['a.ts', 'export {}\n']]))
  assert.equal(show(edited.resolve('b.ts', 'own')), 'b.ts')
})
