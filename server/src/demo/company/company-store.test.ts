import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildContract } from '../contract.ts'
import { isCompanyStore } from './company-store.ts'
import { buildCompanyContracts, REFUNDS } from './contracts.ts'

async function open(folder: string): Promise<Runtime> {
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: join(folder, 'state'),
    background: false,
    report: () => {},
  })
  await runtime.start()
  return runtime
}

test('the company of the demo does not work in a store where others do', async () => {
  const runtime = await open(temporaryFolder())
  assert.ok(await isCompanyStore(runtime), 'nobody works in it')
  await runtime.deploy(buildContract(REFUNDS, ['REFUND'], { version: '2.0.0' }))
  assert.ok(!(await isCompanyStore(runtime)))
  await runtime.close()
})

test('a store of the company stays its own, whoever else comes to work there', async () => {
  const folder = temporaryFolder()
  const first = await open(folder)
  const [lead] = buildCompanyContracts()
  assert.ok(lead !== undefined)
  await first.deploy(lead)
  await first.close()
  const runtime = await open(folder)
  await runtime.deploy(buildContract('mine', ['REFUND']))
  await runtime.deploy(buildContract(REFUNDS, ['REFUND'], { version: '2.0.0' }))
  assert.ok(await isCompanyStore(runtime))
  await runtime.close()
})
