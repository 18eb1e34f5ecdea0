import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createRuntime } from '../../../runtime/src/compose.ts'
import {
  buildSummaryContract,
  createSummaryCapability,
  listCalls,
} from '../../../scenarios/src/summary-provider.ts'
import { home, run, runJson } from './cli.test-support.ts'

const source = (name: string): URL => new URL(`../../../scenarios/src/${name}`, import.meta.url)

test('an effect that a dead process left behind is settled by its own capability only', async () => {
  const { folder, at } = home()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const state = join(folder, 'state')
  const provider = join(folder, 'provider')
  const runtime = await createRuntime({
    store,
    stateDirectory: state,
    capabilities: [createSummaryCapability(provider)],
  })
  await runtime.deploy(buildSummaryContract())
  await runtime.close()
  const child = fileURLToPath(source('idempotency-child.ts'))
  spawnSync(process.execPath, [child, store, 'default', state, provider])
  assert.equal(listCalls(provider).length, 1)

  const { data: listed } = await runJson(['executions', 'list', ...at])
  assert.equal(listed.executions[0].status, 'DISPATCHED')
  const without = await runJson(['executions', 'reconcile', ...at])
  assert.deepEqual([without.exit, without.data.error.code], [2, 'RULES_NEEDED'])
  // An operator's verb in between takes over nothing.
  assert.equal((await run(['agents', 'suspend', 'x', '--reason', 'r', '--yes', ...at])).exit, 2)
  const { data: still } = await runJson(['executions', 'list', ...at])
  assert.equal(still.executions[0].status, 'DISPATCHED')

  const rules = join(folder, 'rules.mjs')
  writeFileSync(
    rules,
    `import { createSummaryCapability } from '${source('summary-provider.ts').href}'
     export const capabilities = [createSummaryCapability(${JSON.stringify(provider)})]`,
  )
  const { exit, data } = await runJson(['executions', 'reconcile', '--rules', rules, ...at])
  assert.equal(exit, 0)
  assert.deepEqual([data.looked_at, data.executions[0].status], [1, 'SUCCESS'])
  assert.equal(listCalls(provider).length, 1, 'it was asked about, not sent again')
  assert.equal((await run(['verify', ...at.slice(0, 2)])).exit, 0)
})
