/** Lists that are searched: by words, by filters, in an order, as a view; all of it in the address. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

const rows = () => opened.page.getByRole('table').first().locator('tbody tr')
const tickets = async (): Promise<readonly (string | undefined)[]> =>
  (await rows().allInnerTexts()).map((row) => row.match(/ticket \d/)?.[0])

/** Waits until the list has as many rows as were asked for. */
async function countRows(count: number): Promise<void> {
  await opened.page.waitForFunction(
    (wanted) => document.querySelectorAll('main tbody tr').length === wanted,
    count,
  )
}

test('flows say what they were about, and how many there are of each outcome', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows`)
  await countRows(4)
  const refused = await page.getByRole('row', { name: /ticket 2/ }).innerText()
  assert.match(refused, /REFUND/)
  assert.match(refused, /20,000/)
  assert.match(refused, /LIMIT_EXCEEDED/)
  const tabs = page.getByRole('navigation', { name: 'outcome of a decision' })
  await tabs.getByRole('link', { name: 'Rejected 1' }).click()
  await countRows(1)
  assert.deepEqual(await tickets(), ['ticket 2'])
  assert.match(page.url(), /outcome=rejected/)
})

test('words are searched for as they are typed, reached by a key, and taken off as a chip', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows`)
  await countRows(4)
  await page.keyboard.press('/')
  await page.keyboard.type('acc_1')
  await countRows(1)
  assert.deepEqual(await tickets(), ['ticket 4'])
  assert.match(page.url(), /words=acc_1/)
  await page.getByRole('button', { name: 'remove the filter words' }).click()
  await countRows(4)
  assert.equal(new URL(page.url()).search, '')
})

test('a form has every filter, completes what is known, and an address brings it back', async () => {
  const { page } = opened
  const bar = page.getByRole('search', { name: 'filter of flows' })
  await bar.getByRole('button', { name: 'Filter' }).click()
  const reason = bar.getByLabel('reason')
  const listed = await reason.getAttribute('list')
  assert.ok((await page.locator(`[id="${listed}"] option[value=LIMIT_EXCEEDED]`).count()) === 1)
  await bar.getByLabel('agent').fill('refunds_bot')
  await bar.getByLabel('at least').fill('1000')
  await bar.getByLabel('at least').press('Enter')
  await countRows(2)
  assert.match(page.url(), /agent=refunds_bot/)
  assert.match(page.url(), /amount_min=1000/)
  await page.reload()
  await countRows(2)
  await bar.getByText('at least 1,000').waitFor()
})

test('a column is sorted by its head, which says so', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows`)
  await countRows(4)
  const head = page.getByRole('columnheader', { name: 'amount' })
  await head.getByRole('button').click()
  await page
    .getByRole('columnheader', { name: 'amount', exact: false })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await page.waitForFunction(() =>
    document.querySelector('main tbody tr')?.textContent?.includes('ticket 2'),
  )
  await head.getByRole('button').click()
  await page.waitForFunction(() =>
    document.querySelector('main tbody tr')?.textContent?.includes('ticket 4'),
  )
  assert.match(page.url(), /sort=amount/)
})

test('a view is saved under a name, found in the menu, and deleted', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows?reason=LIMIT_EXCEEDED`)
  await countRows(1)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('too much')
  await page.keyboard.press('Enter')
  await page.goto(`${url}/flows`)
  await countRows(4)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'too much' }).click()
  await countRows(1)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Delete this view' }).click()
  await page.getByText('The view too much is deleted.').waitFor()
})

test('effects are found by words, and their tabs are counted', async () => {
  const { page, url } = opened
  await page.goto(`${url}/executions?words=acc_1`)
  await countRows(1)
  await page.getByRole('link', { name: 'Uncertain 1' }).waitFor()
  await page.getByRole('link', { name: 'All 1' }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('link', { name: 'All 2' }).waitFor()
})

test('entries are found by words and by filters; a place is looked up by itself', async () => {
  const { page, url } = opened
  await page.goto(`${url}/ledger?kind=rejection&within=24h`)
  await countRows(1)
  await page.getByText('1 entry').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('main/1')
  await page.waitForFunction(() => location.search === '?q=main%2F1')
  await countRows(1)
  await page.getByRole('combobox', { name: 'time' }).selectOption('1h')
  await page.waitForFunction(() => location.search === '?within=1h')
})

test('requests are found among all of them, and opened from there', async () => {
  const { page, url } = opened
  await page.goto(`${url}/inbox?words=o_1`)
  await countRows(1)
  await page.getByRole('link', { name: 'Waiting 1' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'the request' }).waitFor()
  assert.match(page.url(), /\/inbox\/.+words=o_1/)
})

test('the palette finds flows by words, reasons and agents, and does things, by keys alone', async () => {
  const { page, url } = opened
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /a page, an agent/ }).waitFor()
    await page.keyboard.type(text)
  }
  await page.goto(`${url}/flows`)
  await countRows(4)
  await find('')
  const field = page.getByRole('combobox', { name: /a page, an agent/ })
  const before = await field.boundingBox()
  await page.keyboard.type('acc_1')
  await page.getByRole('option', { name: /ticket 4/ }).waitFor()
  assert.deepEqual(await field.boundingBox(), before, 'it stays where it is, whatever is found')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /TRANSFER/ }).waitFor()
  await find('suspend refunds_bot')
  await page.getByRole('option', { name: /Suspend refunds_bot…/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Suspend refunds_bot' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => location.search === '')
  await find('theme dark')
  await page.keyboard.press('Enter')
  await page.locator(':root[data-theme=dark]').waitFor()
  await find('')
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
  assert.match(await recent.nth(1).innerText(), /ticket 4/)
  await page.keyboard.type('action refund')
  const policies = page.getByRole('group', { name: 'Policies' })
  await policies.getByRole('option', { name: /^REFUND/ }).waitFor()
  await page.keyboard.press('Enter')
  const marked = page
    .getByRole('region', { name: 'capabilities in force' })
    .locator('[aria-current]')
  assert.match(await marked.innerText(), /^REFUND/)
  await find('limit exceeded')
  await page.getByRole('option', { name: /^LIMIT_EXCEEDED/ }).waitFor()
  await page.keyboard.press('Escape')
  await find('new agent')
  await page.getByRole('option', { name: /^New agent…/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New agent' }).waitFor()
  await find('keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
})

test('nothing failed, and what was answered is what the API document says', async () => {
  await opened.held.settled()
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})

test('a column is as wide as its border is dragged, also later, until it is pressed twice', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows`)
  await countRows(4)
  const head = page.getByRole('columnheader', { name: 'flow', exact: true })
  const border = page.getByRole('separator', { name: 'width of flow' })
  const measure = async (): Promise<number> => (await head.boundingBox())?.width ?? 0
  const usual = await measure()
  const box = await border.boundingBox()
  assert.ok(box !== null)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 80, y, { steps: 4 })
  await page.mouse.up()
  const dragged = await measure()
  assert.ok(Math.abs(usual - 80 - dragged) < 4, `${usual} became ${dragged}`)
  await page.reload()
  await countRows(4)
  assert.ok(Math.abs((await measure()) - dragged) < 4)
  await border.focus()
  await page.keyboard.press('ArrowRight')
  assert.ok((await measure()) > dragged)
  await border.dblclick()
  assert.ok(Math.abs((await measure()) - usual) < 4)
})
