/** A word of the protocol says what it means, to pointer and keyboard, and leads to its entry in the glossary. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, contract, refund } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({
    runtime: { capabilities },
    async seed(runtime) {
      await runtime.deploy(contract())
      await refund(runtime, 'ticket 4711', '20.00')
    },
  })
})
after(() => opened.close())

test('its meaning is shown on hover and on focus, and escape hides it', async () => {
  const { page } = opened
  await page.goto(`${new URL(page.url()).origin}/ledger/1`)
  const word = page.getByRole('link', { name: 'place', exact: true })
  await word.hover()
  const tip = page.getByRole('tooltip')
  assert.match(await tip.innerText(), /^a chain of entries/)
  await tip.hover()
  assert.equal(await tip.count(), 1)
  await page.mouse.move(0, 0)
  await tip.waitFor({ state: 'detached' })
  await word.focus()
  assert.equal(await word.getAttribute('aria-describedby'), await tip.getAttribute('id'))
  if (process.env.RUBICON_TERM_SHOT !== undefined)
    await page.screenshot({ path: process.env.RUBICON_TERM_SHOT })
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
})

test('it stays inside of a narrow window, and leads to the glossary', async () => {
  const { page } = opened
  await page.setViewportSize({ width: 390, height: 800 })
  const word = page.getByRole('link', { name: 'place', exact: true })
  await word.hover()
  const box = await page.getByRole('tooltip').boundingBox()
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  const href = await word.getAttribute('href')
  assert.equal(href, '/docs/glossary#trajectory')
  const { origin } = new URL(page.url())
  const answer = await page.request.get(`${origin}${href}`)
  assert.match(await answer.text(), /<tr id="trajectory">/)
})
