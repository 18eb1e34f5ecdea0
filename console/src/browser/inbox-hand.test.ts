import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Contract } from 'rubicon-kernel'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases

function alone({ parent_agent: _, ...contract }: Contract): Contract {
  return { ...contract, safety_rules: { ...contract.safety_rules, escalations_per_hour: 100 } }
}

before(async () => {
  opened = await openPurchases(alone, { width: 390 })
})
after(() => opened.close())

async function isWithin(): Promise<boolean> {
  return opened.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
}

test('in the hand requests are cards, selected by the thumb and decided from the bottom', async () => {
  const { page, url, want, bought } = opened
  await want('1500')
  await want('1600')
  await page.goto(`${url}/inbox?in=fast`)
  const card = page.getByRole('row', { name: /usd 1600/ })
  await card.waitFor()
  assert.equal(await card.evaluate((row) => getComputedStyle(row).display), 'flex')
  assert.match(await card.innerText(), /60 % over the limit of 1,000/)
  assert.equal(await isWithin(), true)
  await card.getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'selected requests' })
  const approve = bar.getByRole('button', { name: /^Approve/ })
  const box = (await approve.boundingBox()) ?? assert.fail()
  assert.ok(box.height >= 44 && box.y + box.height > 600, JSON.stringify(box))
  await approve.click()
  const asks = page.getByRole('dialog', { name: 'Approve together' })
  await asks.getByLabel(/your reason/).fill('it is needed')
  assert.equal(await isWithin(), true)
  await page.keyboard.press('Enter')
  await asks.getByText('1 of 1 decided.').waitFor()
  assert.deepEqual(bought, ['1600'])
})

test('what is missing for an approval leads to its field, which is below what the screen shows', async () => {
  const { page, url, want } = opened
  await want('1700')
  await page.goto(`${url}/inbox?in=fast`)
  await page.getByRole('link', { name: /usd 1700/ }).click()
  await page.getByRole('button', { name: 'give a reason' }).click()
  const reason = page.getByLabel('your reason')
  assert.equal(await reason.evaluate((field) => field === document.activeElement), true)
  await reason.fill('it is needed')
  await page.getByRole('button', { name: 'give a reason' }).waitFor({ state: 'detached' })
  assert.equal(await page.locator('.request kbd').first().isVisible(), false)
})

test('nothing failed', () => {
  assert.deepEqual(opened.errors, [])
})
