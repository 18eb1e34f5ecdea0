import assert, { rejects } from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { systemClock } from '../../../runtime/src/adapters/system/clock.ts'
import { createOperator } from '../../../runtime/src/compose.ts'
import { exampleRuntime } from '../../../runtime/src/evidence/example.test-support.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
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

test('a lost key of rows is named, by a start and by the doctor, and no other is made in its place', async () => {
  const folder = temporaryFolder()
  const state = join(folder, 'state')
  const key = join(state, 'keys', 'rows.key')
  const place = ['--store', `sqlite:${join(folder, 'rubicon.db')}`, '--state', state]
  const options = {
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: state,
    background: false,
  }
  const example = await exampleRuntime(options)
  await example.close()
  const bytes = readFileSync(key)
  rmSync(key)
  await rejects(exampleRuntime(options), { code: 'ROW_KEY_MISSING' })
  await rejects(createOperator(options), { code: 'ROW_KEY_MISSING' })
  assert.equal(existsSync(key), false)
  const { exit, data } = await runJson(['doctor', ...place])
  assert.equal(exit, 4)
  const found = data.checks.find(({ name }: { readonly name: string }) => name === 'keys')
  assert.match(found.detail, /^rows\.key not in /)
  writeFileSync(key, bytes.subarray(1))
  await rejects(exampleRuntime(options), { code: 'ROW_KEY_INVALID' })
  writeFileSync(key, bytes)
  await (await exampleRuntime(options)).close()
})
