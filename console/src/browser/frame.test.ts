/** What is around every page: who waits, where one can go, and how it looks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('the number that waits stands beside the inbox and in the title of the tab', async () => {
  const { page } = opened
  const inbox = page
    .getByRole('navigation', { name: 'pages' })
    .getByRole('link', { name: /^Inbox/ })
  const badge = inbox.locator('.nav-badge')
  await badge.waitFor()
  const waiting = Number.parseInt((await badge.textContent()) ?? '', 10)
  assert.ok(waiting > 0)
  await page.waitForFunction((count) => document.title === `(${count}) Inbox · Rubicon`, waiting)
})

test('an address without a path is the overview; g and a letter lead to every page', async () => {
  const { page, url } = opened
  await page.goto(`${url}/`)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page
    .getByRole('region', { name: 'Waiting for a person' })
    .getByRole('link')
    .first()
    .waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('the menu is walked by keys, chooses at once, and gives the focus back', async () => {
  const { page } = opened
  const button = page.getByRole('button', { name: /^Your menu/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'As the system', checked: true }).waitFor()
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  assert.equal(await button.evaluate((element) => element === document.activeElement), true)
})

test('what was chosen is kept, and the defaults can be restored and taken back', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings`)
  await page.getByRole('radio', { name: 'Dark' }).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Dark' }).isChecked(), true)
  await page.getByRole('radio', { name: 'Compact' }).check()
  assert.equal(await page.locator('html').getAttribute('data-density'), 'compact')
  await page.getByRole('button', { name: 'Restore the defaults' }).click()
  assert.equal(await page.locator('html').getAttribute('data-density'), 'comfortable')
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await page.locator('html').getAttribute('data-density'), 'compact')
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
})

test('in the hand pages are in a drawer, and a request is a page with its buttons in sight', async () => {
  const { page, url } = opened
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/`)
  await page.getByRole('button', { name: /^Pages/ }).click()
  const drawer = page.getByRole('dialog', { name: 'navigation' })
  await drawer.getByRole('link', { name: /^Inbox/ }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.locator('main a.rows-link').first().click()
  const reject = page.getByRole('button', { name: /^Reject/ })
  await reject.waitFor()
  const box = await reject.boundingBox()
  assert.ok(box !== null && box.y + box.height <= 844, 'the buttons stand in the window')
  assert.ok(box.height >= 44, 'a thumb finds them')
  assert.equal(await page.getByRole('table', { name: 'requests' }).isVisible(), false)
  await page.getByRole('region', { name: 'detail' }).getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('table', { name: 'requests' }).waitFor()
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
