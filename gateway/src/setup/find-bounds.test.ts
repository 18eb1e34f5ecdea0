import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBounds } from './find-bounds.ts'
import { FILESYSTEM } from './templates/filesystem.ts'

test('a folder that is called like a pattern does not admit its neighbours', (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rubicon-bounds-')))
  t.after(() => rmSync(folder, { recursive: true }))
  const [plain, starred] = [join(folder, 'notes'), join(folder, 'no*')]
  for (const one of [plain, starred]) mkdirSync(one)
  const find = (...args: readonly string[]): object =>
    findBounds(
      { kind: 'program', argv: ['/bin/a', ...args], env: {}, era: 'legacy' },
      FILESYSTEM,
      {},
    )
  assert.deepEqual(find(plain, starred), { folders: [plain] })
  assert.deepEqual(find(starred), {})
})
