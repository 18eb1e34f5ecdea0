import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainMissingFile } from './missing-file.ts'

test('a file that is not there is told from one beside it with almost its name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-missing-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'refunds-bot.yaml'), '')
  const explain = async (path: string): Promise<object> =>
    explainMissingFile(path, await readFile(path).catch((cause: unknown) => cause))
  const why = 'there is no such file'
  const near = join(folder, 'refunds-bot.yaml')
  assert.deepEqual(await explain(join(folder, 'refund-bot.yaml')), {
    why,
    fix: `did you mean \`${near}\`?`,
  })
  assert.deepEqual(await explain(join(folder, 'other.ts')), { why, fix: 'check the path' })
  assert.deepEqual(await explain(join(folder, 'none', 'a.yaml')), { why, fix: 'check the path' })
  assert.match(JSON.stringify(await explain(folder)), /EISDIR/)
})
