import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home, runJson } from '../cli.test-support.ts'

const FIRST = 'export function a() {\n  return 1\n}\n'
const LAST = '\nexport function b() {\n  return 2\n}\n'

test('an undo does not overwrite a file that is no text any more', async () => {
  const { folder } = home()
  const file = join(folder, 'a.ts')
  writeFileSync(file, `${FIRST}${LAST}`)
  const root = ['--root', folder]
  const delta = '{"op":"remove","target":"function:b"}'
  assert.equal((await runJson(['artifact', 'apply', file, '--delta', delta, ...root])).exit, 0)
  // Saved in another encoding, with more in it.
  const now = Buffer.from(`${FIRST}// caf\u00e9, and work of an hour\n`, 'latin1')
  writeFileSync(file, now)
  const { exit, data } = await runJson(['artifact', 'undo', ...root])
  assert.equal(exit, 2)
  assert.equal(data.error.code, 'ARTIFACT_UNREADABLE')
  assert.deepEqual(readFileSync(file), now)
})
