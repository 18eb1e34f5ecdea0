import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { systemClock } from '../adapters/system/clock.ts'
import { exampleRuntime } from '../evidence/example.test-support.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { runJson } from './cli.test-support.ts'

const DAY_MS = 86_400_000

test('the doctor judges clock and rows as a start does', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'rubicon.db')
  const place = ['--store', `sqlite:${path}`, '--state', join(folder, 'state')]
  const clock = { ...systemClock, now: () => systemClock.now() - 8 * DAY_MS }
  const example = await exampleRuntime({
    store: `sqlite:${path}`,
    stateDirectory: join(folder, 'state'),
    clock,
    background: false,
  })
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'open', steps: 'many' })
  await example.close()
  const checkOf = async (name: string): Promise<readonly string[]> => {
    const { data } = await runJson(['doctor', ...place])
    const found = data.checks.find((one: { readonly name: string }) => one.name === name)
    return [found.status, found.detail]
  }
  const [status, detail] = await checkOf('time')
  assert.equal(status, 'failure')
  assert.match(detail ?? '', /the clock stands at .* far ahead of/)
  assert.deepEqual(await checkOf('rows'), ['ok', 'those of 1 open flows say what the ledger says'])
  const database = new DatabaseSync(path)
  database.prepare('UPDATE flows SET agent_id = ? WHERE dfid = ?').run('another', flow.dfid)
  database.close()
  assert.equal((await checkOf('rows'))[0], 'failure')
})
