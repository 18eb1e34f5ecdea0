import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type Contract, LIMITS } from 'rubicon-kernel'
import { createPurchaseCapability } from '../../../scenarios/src/escalation.ts'
import { findAxeProblems } from './axe.test-support.ts'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases

function alone({ parent_agent: _, ...contract }: Contract): Contract {
  return { ...contract, safety_rules: { ...contract.safety_rules, escalations_per_hour: 100 } }
}

const bought: string[] = []

before(async () => {
  const lasting = { ...createPurchaseCapability(bought), reversible: false }
  opened = await openPurchases(alone, { width: 390, runtime: { capabilities: [lasting] } })
})
after(() => opened.close())

async function isWithin(): Promise<boolean> {
  return opened.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
}

test('in the hand requests are cards, selected by the thumb and decided from the bottom', async () => {
  const { page, url, want } = opened
  await want('1500')
  await want('1600')
  await page.goto(`${url}/inbox?in=fast`)
  const card = page.getByRole('row', { name: /usd 1600/ })
  await card.waitFor()
  assert.equal(await card.evaluate((row) => getComputedStyle(row).display), 'flex')
  assert.match(await card.innerText(), /60 % over the limit of 1,000/)
  assert.equal(await isWithin(), true)
  const sorts = page.getByRole('table').getByRole('button', { name: 'time left' })
  assert.equal(await sorts.count(), 0, 'what it is sorted by is chosen above the cards')
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

/** What is there, and takes touches: nothing lies above it, and it is not below what the screen shows. */
async function isAtHand(wanted: Locator): Promise<boolean> {
  return wanted.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  })
}

test('a request that cannot be undone says so where it begins and beside its buttons', async () => {
  const { page, url, want } = opened
  const id = await want('5000')
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}`)
  const request = page.getByRole('article', { name: 'the request' })
  const said = request.getByText('cannot be undone')
  await said.first().waitFor()
  const places = await said.evaluateAll((all) =>
    all.map((one) => (one.closest('form') === null ? 'the request' : 'the decision')),
  )
  assert.deepEqual(places, ['the request', 'the decision'])
  assert.equal(await isAtHand(said.first()), true)
  assert.equal(await isAtHand(said.last()), true)
})

test('approve opens a sheet with all that has to be typed, and the thumb approves from there', async () => {
  const { page, ahead } = opened
  assert.equal(await page.getByLabel('your reason').count(), 0)
  const approve = page.getByRole('button', { name: 'Approve…' })
  assert.equal(await isAtHand(approve), true)
  await approve.click()
  const sheet = page.getByRole('dialog', { name: 'Approve' })
  const words = sheet.getByLabel(/to confirm/)
  assert.equal(await words.evaluate((field) => field === document.activeElement), true)
  for (const field of [words, sheet.getByLabel('your reason')])
    assert.equal(await isAtHand(field), true)
  const send = sheet.getByRole('button', { name: 'Approve' })
  const box = (await send.boundingBox()) ?? assert.fail()
  assert.ok(box.height >= 44 && box.y + box.height > 700, JSON.stringify(box))
  await sheet.getByText('cannot be undone').waitFor()
  assert.deepEqual(await findAxeProblems(page), [])
  assert.equal(await isWithin(), true)
  await words.fill('PURCHASE 5000')
  await page.keyboard.press('Enter')
  const reason = sheet.getByLabel('your reason')
  assert.equal(await reason.evaluate((field) => field === document.activeElement), true)
  await reason.fill('it is needed')
  assert.equal(await send.isDisabled(), true, 'too soon')
  ahead(LIMITS.highImpactDwellMs)
  await page.waitForFunction(
    () => document.querySelector('dialog[open] [data-field="override"]:not([disabled])') !== null,
  )
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('article', { name: 'the request' }).getByText('✔').first().waitFor()
  assert.deepEqual(bought, ['1600', '5000'])
  assert.equal(await page.locator('.request kbd').first().isVisible(), false)
})

test('what was typed in the sheet is kept when it is closed, and stands on the page of a wide window', async () => {
  const { page, url, want } = opened
  const id = await want('1700')
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}`)
  await page.getByRole('button', { name: 'Approve…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Approve' })
  await sheet.getByLabel('your reason').fill('it is needed')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.setViewportSize({ width: 1280, height: 900 })
  assert.equal(await page.getByLabel('your reason').inputValue(), 'it is needed')
  assert.equal(await page.getByRole('button', { name: 'Approve a' }).isEnabled(), true)
  await page.getByLabel('your reason').press('Control+Enter')
  await page.getByRole('article', { name: 'the request' }).getByText('✔').first().waitFor()
  assert.equal(bought.at(-1), '1700')
})

test('nothing failed', () => {
  assert.deepEqual(opened.errors, [])
})
