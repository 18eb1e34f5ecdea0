import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('an effect of which nobody knows says what happens next, and who has to find out', async () => {
  const { page, url } = opened
  await page.goto(`${url}/executions`)
  await page.getByRole('row', { name: /TRANSFER/ }).waitFor()
  assert.match(await page.getByRole('row', { name: /TRANSFER/ }).innerText(), /1\.00 USD/)
  await page.getByRole('link', { name: /TRANSFER/ }).click()
  await page.getByText('A person has to find out what happened').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Record the outcome' }).isDisabled(), true)
})

test('what was typed survives a server that is gone, and the message says so', async () => {
  const { page } = opened
  await page.getByLabel('It did not happen').check()
  await page.getByLabel(/Evidence/).fill('the account shows no transfer')
  await page.getByLabel('Reason').fill('looked at the statement')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Record the outcome' }).click()
  await page.getByText('SERVER_UNREACHABLE').first().waitFor()
  assert.equal(await page.getByLabel('Reason').inputValue(), 'looked at the statement')
  await page.context().setOffline(false)
})

test('a person settles it, and the record has their word', async () => {
  const { page, runtime } = opened
  await page.getByRole('button', { name: 'Record the outcome' }).click()
  await page.getByText('It did not happen. Nothing more is done.').waitFor()
  const rows = await runtime.engine.context.store.listExecutions({ status: ['FAILED'], limit: 10 })
  assert.deepEqual(
    rows.map(({ policy_kind }) => policy_kind),
    ['TRANSFER'],
  )
})
