import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readNodePackages } from './node-packages.ts'
import { buildPackageEntry } from './package-entry.ts'
import { ROOT, run } from './shell.ts'
import { buildManifest, preparePackage } from './stage-package.ts'
import { PUBLISHED } from './walls.ts'

test('npm packs no sources: it is refused, and says what to do instead', () => {
  const readPrepack = (workspace: string): unknown =>
    JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')).scripts?.prepack
  // All refuse by the same script: it is run for one of them, for npm takes its time.
  const [first = ''] = PUBLISHED
  for (const workspace of PUBLISHED) {
    assert.equal(typeof readPrepack(workspace), 'string')
    assert.equal(readPrepack(workspace), readPrepack(first), workspace)
  }
  const { ok, stderr } = run('npm', ['pack', '--dry-run'], { cwd: join(ROOT, first) })
  assert.equal(ok, false, first)
  assert.match(stderr, /npm run packages/)
})

test('what is staged has JavaScript behind its names, and nothing that refuses it', () => {
  const built = run('tsc', ['-b', 'verifier'])
  assert.ok(built.ok, built.stdout)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-staged-'))
  try {
    const staged = preparePackage('verifier', folder)
    const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.exports['.']), ['types', 'default'])
    assert.match(manifest.exports['.'].default, /^\.\/dist\/.*\.js$/)
    assert.equal(manifest.scripts, undefined)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what was built of a file that has moved since is not published', () => {
  const built = run('tsc', ['-b', 'verifier'])
  assert.ok(built.ok, built.stdout)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-staged-'))
  const left = ['js', 'd.ts'].map((end) => `dist/moved-${process.pid}.${end}`)
  try {
    for (const file of left) writeFileSync(join(ROOT, 'verifier', file), '')
    const staged = preparePackage('verifier', folder)
    assert.deepEqual(
      left.filter((file) => existsSync(join(staged, file))),
      [],
    )
    assert.ok(existsSync(join(staged, 'dist/crypto/node-crypto.d.ts')))
  } finally {
    for (const file of left) rmSync(join(ROOT, 'verifier', file), { force: true })
    rmSync(folder, { recursive: true })
  }
})

test('finding 30h: an app on an older Node gets the packages without a Node that fits', () => {
  // Of the manifest alone: to stage the package, everything would have to be built.
  for (const workspace of ['runtime', 'server']) {
    const manifest = JSON.parse(JSON.stringify(buildManifest(workspace)))
    assert.deepEqual(manifest.optionalDependencies, readNodePackages())
    assert.ok(Object.keys(manifest.optionalDependencies).length > 0)
    assert.deepEqual(manifest.engines, { node: '>=24' })
    assert.equal(manifest.exports['.'].default, './dist/entry.js')
  }
})

test('finding 30h: a guide has a newcomer run a file on whatever Node is there', () => {
  const pages = globSync(['docs/getting-started.md', 'docs/guides/*.md'], { cwd: ROOT })
  const bare = pages.flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .filter((line) => /^(?:\w+=\S+ )*node (?:-\S+ )*\S+\.(?:ts|js)/.test(line))
      .map((line) => `${page}: ${line}`),
  )
  assert.deepEqual(bare, [])
})

test('finding 30h: an app on an older Node ends in the error of a module that is not there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-entry-'))
  try {
    const index = "export { two, one as first } from './names.js';\n"
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'names.js'), 'export const [one, two] = [1, 2]\n')
    writeFileSync(join(folder, 'index.js'), index)
    writeFileSync(join(folder, 'entry.js'), buildPackageEntry('it', index, 24))
    writeFileSync(join(folder, 'later.js'), buildPackageEntry('it', index, 999))
    const { two, first } = await import(join(folder, 'entry.js'))
    assert.deepEqual([first, two], [1, 2])
    await assert.rejects(
      import(join(folder, 'later.js')),
      /^Error: it needs Node 999 or newer, and this is v\d+\S*: run it with `npx node FILE`/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
