import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, refund, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('flows are listed newest first, and opened by keys alone', async () => {
  const { page } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('row', { name: /ticket 1/ }).waitFor()
  const rows = await page.getByRole('table', { name: 'flows' }).locator('tbody tr').allInnerTexts()
  assert.deepEqual(
    rows.map((row) => row.match(/ticket \d/)?.[0]),
    ['ticket 4', 'ticket 3', 'ticket 2', 'ticket 1'],
  )
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: /REFUND amount 20000\.00, order o_1/ }).waitFor()
  assert.match(page.url(), /\/flows\/[0-9a-f-]{36}/)
})

test('a refused proposal shows the stage that refused it, its code, and what was found', async () => {
  const detail = opened.page.getByRole('region', { name: 'detail' })
  await detail.getByRole('link', { name: 'LIMIT_EXCEEDED' }).waitFor()
  assert.match(await detail.getByRole('list', { name: 'stages' }).innerText(), /preconditions ✖|✖/)
  assert.match(
    await detail.locator('.attempt-why').innerText(),
    /is 20,000; limit \S+ allows 0 to 5,000/,
  )
})

test('what the agent says stands apart', async () => {
  const claims = opened.page.getByRole('region', { name: 'the agent says' })
  assert.match(await claims.first().innerText(), /the parcel was late/)
  assert.equal(await claims.first().locator('button').count(), 0)
})

test('every view of a flow is in the address', async () => {
  const { page } = opened
  for (const view of ['Compact', 'Ledger entries', 'JSON', 'Context as the agent saw it']) {
    await page.getByRole('link', { name: view }).click()
    assert.match(page.url(), /view=/)
  }
  await page.goBack()
})

test('a flow that comes while somebody reads waits behind a button', async () => {
  const { page, runtime } = opened
  const first = page.getByRole('table', { name: 'flows' }).locator('tbody tr a').first()
  assert.equal(await first.innerText(), 'ticket 4')
  await refund(runtime, 'ticket 5', '1.00')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  assert.equal(await first.innerText(), 'ticket 4')
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('row', { name: /ticket 5/ }).waitFor()
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
