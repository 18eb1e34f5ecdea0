import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './shell.ts'
import { COSTS_VARIABLE } from './test-cost.ts'
import { writeGroup } from './test-groups.ts'

const FOLLOWED = `import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { test } from 'node:test'
`
/** Only where something follows promises do they have a number. */
const UNFOLLOWED = `${FOLLOWED}test('is not followed', async () => {
  await null
  assert.equal(executionAsyncId(), 0)
})
`
const LEFT = `${FOLLOWED}test('leaves something behind', async () => {
  void Promise.reject(new Error('nobody took this'))
  await new Promise((resolve) => setTimeout(resolve, 10))
})
`

test('promises of tests are not followed, and an error that nobody took still fails, with the file that ran', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-following-'))
  const runGroup = (name: string, texts: readonly string[]) => {
    const files = texts.map((text, index) => {
      const file = join(folder, `${name}-${index}.test.mjs`)
      writeFileSync(file, text)
      return file
    })
    const group = writeGroup(join(folder, `${name}.mjs`), files)
    // What they take is of this file.
    const { NODE_TEST_CONTEXT: _, [COSTS_VARIABLE]: __, ...env } = process.env
    const loaded = `--import=${join(ROOT, 'scripts/test-following.ts')}`
    const options = { env, cwd: ROOT, encoding: 'utf8' } as const
    const ran = spawnSync(process.execPath, [loaded, '--test-reporter=tap', group], options)
    return { ...ran, files }
  }
  try {
    const good = runGroup('good', [UNFOLLOWED, UNFOLLOWED])
    assert.equal(good.status, 0, good.stdout)
    // What a file declares is below the suite of its name.
    for (const file of good.files)
      assert.match(good.stdout, new RegExp(`# Subtest: is not followed[^#]*ok \\d - ${file}`))
    const bad = runGroup('bad', [UNFOLLOWED, LEFT])
    assert.notEqual(bad.status, 0)
    assert.match(bad.stderr, new RegExp(`while ${bad.files[1]} ran: Error: nobody took this`))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
