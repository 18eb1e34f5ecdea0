/** In the hand, and beside what is open, every list is read line by line: nothing scrolls sideways, and each cell says what it is. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

const MONITOR = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'a_rather_long_name_of_a_monitor',
  agents: ['refunds_bot'],
  statistic: { kind: 'mean', value: 'measure:refund_usd', max: '100' },
  window: { executions: 5 },
  min_samples: 3,
}

let opened: OpenConsole

before(async () => {
  opened = await openConsole({
    runtime: { capabilities },
    async seed(runtime) {
      await seedRefunds(runtime)
      await runtime.monitor(MONITOR)
    },
    width: 390,
  })
})
after(() => opened.close())

const LISTS: readonly string[] = [
  '/inbox',
  '/flows',
  '/executions?in=all',
  '/ledger',
  '/agents',
  '/policies',
  '/world',
  '/settings?in=people',
  '/settings?in=tokens',
  '/settings?in=keys',
  '/settings?in=retention',
]

/** Tables that are still set as tables, and what around one scrolls sideways. */
const SIDEWAYS = `[...document.querySelectorAll('main table')].flatMap((table) => {
  const found = getComputedStyle(table).display === 'table' ? ['a table'] : []
  for (let at = table; at !== null; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1) found.push(at.className || at.tagName)
  return found
})`

for (const path of LISTS)
  test(`${path} is read line by line`, async () => {
    const { page, url } = opened
    await page.goto(`${url}${path}`)
    await page.locator('main table tbody tr').first().waitFor()
    assert.deepEqual(await page.evaluate(SIDEWAYS), [])
  })

test('a figure says its head, which is seen in a wide window alone', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings?in=people`)
  const logins = page.locator('main table tbody td.number').first()
  await logins.waitFor()
  const label = (): Promise<string> =>
    logins.evaluate((cell) => getComputedStyle(cell, '::before').content)
  assert.equal(await label(), '"logins"')
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.equal(await label(), 'none')
})

test('beside what is open a list is read line by line too, and its field says all of what it is for', async () => {
  const { page, url } = opened
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of ['/inbox', '/flows', '/executions?in=all', '/ledger']) {
    await page.goto(`${url}${path}`)
    await page.locator('main a.rows-link').first().click()
    await page.locator('.list-detail-list table tbody tr').first().waitFor()
    await page.locator('[aria-label="detail"] :is(h2, h3)').first().waitFor()
    assert.deepEqual(await page.evaluate(BESIDE), [], path)
    assert.ok(await page.evaluate(FIELD), `${path}: the field is too narrow for its words`)
  }
})

test('in the list beside a flow each says what it was about, and why it was refused', async () => {
  const { page, url } = opened
  for (const width of [1280, 1920, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${url}/flows`)
    await page.getByRole('link', { name: /ticket 1/ }).click()
    await page.locator('.list-detail-list table tbody tr').first().waitFor()
    const refused = page.locator('.list-detail-list').getByRole('row', { name: /ticket 2/ })
    assert.equal(await refused.getByText('order o_1, amount 20000.00').isVisible(), true)
    assert.equal(await refused.getByRole('link', { name: 'LIMIT_EXCEEDED' }).isVisible(), true)
  }
})

test('beside what is open nothing of the list is clipped, however narrow it is dragged', async () => {
  const { page, url } = opened
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of ['/monitors', '/inbox', '/flows', '/executions?in=all']) {
    await page.goto(`${url}${path}`)
    await page.locator('main :is(a.rows-link, a.monitor-name)').first().click()
    await page.locator('.list-detail-list table tbody tr').first().waitFor()
    await page.locator('[aria-label="detail"] :is(h2, h3)').first().waitFor()
    const divider = page.getByRole('separator', { name: 'width of the list' })
    for (let step = 0; step < 13; step += 1) await divider.press('ArrowLeft')
    assert.equal(await divider.getAttribute('aria-valuenow'), '20')
    assert.deepEqual(await page.evaluate(CLIPPED), [], path)
  }
})

/** Words that end behind the edge of the list; a word that is for those who hear it is in a box of no size. */
const CLIPPED = `(() => {
  const list = document.querySelector('.list-detail-list')
  const { right } = list.getBoundingClientRect()
  return [...list.querySelectorAll('*')].flatMap((element) => {
    const own = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
    if (!own || element.closest('.unseen, option, thead, .filter-button-word') !== null) return []
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getBoundingClientRect().right > right + 1 ? [element.textContent] : []
  })
})()`

/** Only what is in the list: a detail has rooms of its own that scroll. */
const BESIDE = SIDEWAYS.replace('main table', '.list-detail-list table')
/** As wide as its words, in a field beside it. */
const FIELD = `(() => {
  const field = document.querySelector('.filter-words input')
  const style = getComputedStyle(field)
  const words = document.createElement('canvas').getContext('2d')
  words.font = style.font
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  return words.measureText(field.placeholder).width <= room
})()`
