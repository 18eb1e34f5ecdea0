import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, contract } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({
    runtime: { capabilities },
    async seed(runtime) {
      await runtime.deploy(contract())
      await runtime.deploy({ ...contract(), version: '9.0.0' })
    },
  })
})
after(() => opened.close())

test('one version of a contract is revoked with its name and a reason; another takes its place', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/agents/refunds_bot?view=versions`)
  const newest = page.getByRole('row', { name: /9\.0\.0/ })
  await newest.getByRole('button', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke version 9.0.0' })
  const revoke = dialog.getByRole('button', { name: 'Revoke' })
  await dialog.getByLabel('Reason').fill('it allows too much')
  assert.equal(await revoke.isDisabled(), true)
  await dialog.getByLabel(/Type 9\.0\.0/).fill('9.0.0')
  await revoke.click()
  await newest.getByText('✖ revoked').waitFor()
  assert.equal(await newest.getByRole('button', { name: 'Revoke…' }).count(), 0)
  await page.getByRole('row').filter({ hasText: 'in force' }).waitFor()
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  const standing = contracts.get('refunds_bot')?.map(({ revoked }) => revoked)
  assert.deepEqual(standing, [false, true])
})

test('nothing went wrong, and nothing was asked from elsewhere', () => {
  assert.deepEqual([opened.errors, opened.foreign], [[], []])
})
