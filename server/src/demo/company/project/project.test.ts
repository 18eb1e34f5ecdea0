import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDirectDesk } from 'rubicon-artifacts/desk'
import { createRuntime, type Runtime } from '../../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../../runtime/src/temporary-folder.test-support.ts'
import { judgeByLaw, readStore, verifyFile, writeLedgerOf } from '../../ledger-file.ts'
import { createCompany } from '../company.ts'
import { CART, CHECKOUT, CONFIG, PROJECT_FILES, PROJECT_PLAN_MS, PROJECT_SCHEMAS } from './files.ts'
import { REQUIREMENT } from './tickets.ts'
import { playProject } from './work.ts'

type Opened = { readonly runtime: Runtime; readonly files: string; readonly store: string }

async function open(folder: string): Promise<Opened> {
  const { capabilities, policies } = createCompany()
  const files = join(folder, 'project')
  mkdirSync(files, { recursive: true })
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const runtime = await createRuntime({
    ...{ store, stateDirectory: join(folder, 'state'), report: () => {} },
    ...{ capabilities, policies },
    artifacts: {
      ...{ files, desk: createDirectDesk() },
      ...{ schemas: PROJECT_SCHEMAS, planMs: PROJECT_PLAN_MS },
    },
  })
  return { runtime, files, store }
}

async function listCodes({ store }: Runtime): Promise<readonly string[]> {
  const executions = await store.listExecutions({ limit: 100 })
  return executions.flatMap(({ details }) =>
    typeof details?.code === 'string' ? [details.code] : [],
  )
}

test('the developers of the demo leave one of each kind of answer, and a ledger that holds', async () => {
  const folder = temporaryFolder()
  const { runtime, files, store } = await open(folder)
  await playProject(runtime, files)
  const read = (name: string): string => readFileSync(join(files, name), 'utf8')

  const cart = read(CART)
  assert.match(cart, /count\(\): number/, 'both added to one class')
  assert.match(cart, /reduced\(percent: number\): number/)
  assert.match(cart, /this\.items\.push\(item\)/, 'what was taken back is as it was')
  const config = (PROJECT_FILES[CONFIG] ?? '').replace('30 ', '45 ')
  assert.equal(read(CONFIG), config, 'one value, and no comment')
  assert.equal(read(CHECKOUT), PROJECT_FILES[CHECKOUT], 'what waits is not written')
  assert.deepEqual(await listCodes(runtime), ['PLAN_CONFLICT'])

  const { oversight } = runtime.engine
  const waiting = await oversight.escalations()
  assert.equal(waiting.length, 1)
  const brief = await oversight.brief(waiting[0]?.id ?? '', { name: 'ann', approver: true })
  const rows = brief?.effect?.changes ?? assert.fail('it cannot tell')
  assert.deepEqual(rows.find(({ field }) => field === 'symbols')?.after, [
    `${CHECKOUT} function:buy`,
  ])
  const shown = rows.find(({ subject }) => subject === CHECKOUT)
  assert.match(String(shown?.after), /total >= 5_000/)

  const flows = await runtime.store.listFlows({ limit: 100 })
  const refused = flows.filter(({ rejections }) => rejections > 0)
  assert.deepEqual(
    refused.map(({ trigger }) => trigger),
    [REQUIREMENT.trigger],
    'a requirement is nobody’s to remove who writes code',
  )
  await playProject(runtime, files)
  assert.equal((await runtime.store.listFlows({ limit: 100 })).length, flows.length, 'once')
  await runtime.close()

  const file = join(folder, 'ledger.ndjson')
  await readStore({ store, tenant: 'default' }, (left) => writeLedgerOf(left, file))
  assert.deepEqual(verifyFile(file).findings, [])
  assert.deepEqual(judgeByLaw(file).findings, [])
})
