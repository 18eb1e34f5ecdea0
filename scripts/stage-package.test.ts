import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, run } from './shell.ts'
import { PUBLISHED, stagePackage } from './stage-package.ts'

test('npm packs no sources: it is refused, and says what to do instead', () => {
  for (const workspace of PUBLISHED) {
    const { ok, stderr } = run('npm', ['pack', '--dry-run'], { cwd: join(ROOT, workspace) })
    assert.equal(ok, false, workspace)
    assert.match(stderr, /npm run packages/)
  }
})

test('what is staged has JavaScript behind its names, and nothing that refuses it', () => {
  const built = run('tsc', ['-b', 'verifier'])
  assert.ok(built.ok, built.stdout)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-staged-'))
  try {
    const staged = stagePackage('verifier', folder)
    const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.exports['.']), ['types', 'default'])
    assert.match(manifest.exports['.'].default, /^\.\/dist\/.*\.js$/)
    assert.equal(manifest.scripts, undefined)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
