import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ensurePrivateFolder, isPrivateFolder, readOwner } from './private-folder.ts'

const UID = process.geteuid?.() ?? 0

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-private-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder is made for its owner alone', (t) => {
  const path = join(folderOf(t), 'run')
  assert.ok(ensurePrivateFolder(path, UID) && ensurePrivateFolder(path, UID))
  assert.equal(lstatSync(path).mode & 0o777, 0o700)
  assert.equal(readOwner(path), UID)
})

test('a folder of another user, one that others can enter, and what is no folder are not private', (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'run')
  mkdirSync(path, { mode: 0o700 })
  assert.ok(isPrivateFolder(path, [UID]))
  assert.ok(!isPrivateFolder(path, [UID + 1]), 'it was there, and is not theirs')
  assert.ok(!ensurePrivateFolder(path, UID + 1))
  for (const mode of [0o710, 0o701, 0o755, 0o777, 0o1777]) {
    chmodSync(path, mode)
    assert.ok(!isPrivateFolder(path, [UID]), mode.toString(8))
  }
  writeFileSync(join(folder, 'file'), '', { mode: 0o600 })
  assert.ok(!ensurePrivateFolder(join(folder, 'file'), UID))
  assert.ok(!ensurePrivateFolder(join(folder, 'none', 'run'), UID))
})
