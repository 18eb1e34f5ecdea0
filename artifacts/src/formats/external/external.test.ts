import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { test } from 'node:test'
import { isExternalName, toPackageName } from './external-name.ts'
import { type Externals, findLocked, listChangedModules } from './find-locked.ts'
import { lockBuiltins, readLock } from './read-lock.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

function build(packages: object, version: number = 3): string {
  return JSON.stringify({ lockfileVersion: version, packages: { '': { name: 'x' }, ...packages } })
}

function read(packages: object, node = '24.0.0'): Externals {
  const locked = readLock(build(packages), sha256)
  assert.ok(locked.ok, locked.ok ? '' : locked.error.detail)
  return { packages: locked.value, builtins: lockBuiltins(builtinModules, node, sha256) }
}

const A1 = { version: '1.0.0', integrity: 'sha512-a' }
const LOCK = {
  'node_modules/a': A1,
  'node_modules/@s/b': { version: '2.0.0', integrity: 'sha512-b' },
  'node_modules/@s/b/node_modules/a': { version: '0.9.0', integrity: 'sha512-c' },
  'node_modules/mine': { resolved: 'packages/mine', link: true },
  'packages/mine': { name: 'mine', version: '1.0.0' },
  'packages/mine/node_modules/a': { version: '3.0.0', integrity: 'sha512-d' },
  'node_modules/git': { version: '1.0.0', resolved: 'git+ssh://x#1' },
}

test('a lock gives roots by the place that they are installed in; the project itself is none', () => {
  const { packages } = read(LOCK)
  assert.deepEqual([...packages.keys()].sort(), [
    'node_modules/@s/b',
    'node_modules/@s/b/node_modules/a',
    'node_modules/a',
    'node_modules/git',
    'packages/mine/node_modules/a',
  ])
  assert.equal(packages.get('node_modules/@s/b/node_modules/a')?.name, 'a')
})

test('the lock of this repository is read', () => {
  const text = readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8')
  const locked = readLock(text, sha256)
  assert.ok(locked.ok && locked.value.size > 100)
  assert.equal(locked.value.get('node_modules/yaml')?.version, '2.9.1')
})

test('what is no lock of these versions is refused', () => {
  for (const text of [
    '{',
    '[]',
    '{}',
    build({}, 1),
    '{"lockfileVersion": 3}',
    build({ 'node_modules/a': 1 }),
    build({ 'node_modules/a': { integrity: 'x' } }),
    build({ 'node_modules/': A1 }),
    build({ 'node_modules/../x': A1 }),
  ])
    assert.equal(readLock(text, sha256).ok, false, text)
})

test('a specifier means the nearest root above its artifact; what the platform brings comes first', () => {
  const externals = read({ ...LOCK, 'node_modules/fs': A1 })
  const find = (from: string, artifact = 'src/x.ts'): string | undefined => {
    const found = findLocked(externals, { artifact, from })
    return found === null ? undefined : `${found.name}@${found.version}`
  }
  assert.equal(find('a/sub'), 'a@1.0.0')
  assert.equal(find('a', 'packages/mine/src/deep/x.ts'), 'a@3.0.0')
  assert.equal(find('@s/b/c', 'packages/mine/x.ts'), '@s/b@2.0.0')
  assert.equal(find('fs'), 'node:fs@24.0.0')
  assert.equal(find('node:fs/promises'), 'node:fs/promises@24.0.0')
  // Only under its full name: a package may be called so.
  assert.equal(find('test'), undefined)
  assert.equal(find('node:test'), 'node:test@24.0.0')
  for (const from of ['./a', '../a', '/a', '.', '#a', 'nobody', '@s'])
    assert.equal(find(from), undefined)
})

test('a changed root names who refers to it, and nobody else', () => {
  const uses = [
    { artifact: 'src/x.ts', from: 'a' },
    { artifact: 'src/y.ts', from: 'a/sub' },
    { artifact: 'src/y.ts', from: 'a' },
    { artifact: 'src/z.ts', from: '@s/b' },
    { artifact: 'packages/mine/x.ts', from: 'a' },
    { artifact: 'src/git.ts', from: 'git' },
    { artifact: 'src/fs.ts', from: 'fs' },
  ]
  const list = (packages: object, node?: string): readonly string[] =>
    listChangedModules(read(LOCK), read(packages, node), uses).map(
      ({ name, before, after, referrers }) =>
        `${name} ${before?.version} ${after?.version} ${referrers.join()}`,
    )
  assert.deepEqual(list(LOCK), [])
  assert.deepEqual(list({ ...LOCK, 'node_modules/a': { ...A1, version: '1.0.1' } }), [
    'a 1.0.0 1.0.1 src/x.ts,src/y.ts',
  ])
  // Other bytes of the same version are another root.
  assert.deepEqual(list({ ...LOCK, 'node_modules/a': { ...A1, integrity: 'sha512-z' } }), [
    'a 1.0.0 1.0.0 src/x.ts,src/y.ts',
  ])
  const git = { version: '1.0.0', resolved: 'git+ssh://x#2' }
  assert.deepEqual(list({ ...LOCK, 'node_modules/git': git }), ['git 1.0.0 1.0.0 src/git.ts'])
  const { 'node_modules/a': _, ...without } = LOCK
  assert.deepEqual(list(without), ['a 1.0.0 undefined src/x.ts,src/y.ts'])
  assert.deepEqual(list(LOCK, '24.1.0'), ['node:fs 24.0.0 24.1.0 src/fs.ts'])
})

test('what lies below an external root, and the lock, are external by name', () => {
  for (const name of [
    'node_modules/a/x.ts',
    'p/node_modules/a.md',
    'a\\NODE_MODULES\\b',
    'node:fs',
    'package-lock.json',
    'p/npm-shrinkwrap.json',
  ])
    assert.ok(isExternalName(name), name)
  for (const name of ['src/x.ts', 'node_modules.ts', 'my_node_modules/x', 'package.json'])
    assert.ok(!isExternalName(name), name)
  assert.equal(toPackageName('@a/b/c'), '@a/b')
})
