/** The overview: every figure leads to the list that it counts, and nothing is shown without saying how complete it is. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { capabilities, refund, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

async function goToOverview({ page, url }: OpenConsole, query = ''): Promise<void> {
  await page.goto(`${url}/${query}`)
  await page.getByRole('region', { name: 'Decisions' }).waitFor()
}

/** The first number in it. */
function parseCount(text: string): number {
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
}

/** Follows the link and reads how many flows the list says it has, and has. */
async function countBehind(page: Page, link: Locator): Promise<readonly [number, number]> {
  await link.click()
  const tabs = page.getByRole('navigation', { name: 'outcome of a decision' })
  const count = tabs.locator('[aria-current="page"] .tab-count')
  await count.waitFor()
  const said = parseCount(await textOf(count))
  if (said > 0) await page.locator('main a.rows-link').first().waitFor()
  return [said, await page.locator('main a.rows-link').count()]
}

/** Where figures about flows stand, as CSS, and how many there are. */
const FIGURES = [
  ['.overview-figures > div:first-child a', 1],
  ['.overview-figures > div:nth-child(2) a', 1],
  ['figure.columns figcaption a', 3],
  ['[aria-label="Why we said no"] li a', 1],
  ['.overview-amounts a', 1],
] as const

const INDEXING = { leaf: 43, size: 100, problem: null }

test('every figure about decisions leads to as many flows as it counts', async () => {
  const { page } = opened
  for (const [where, count] of FIGURES) {
    const links = page.locator(where)
    for (let index = 0; index < count; index++) {
      await goToOverview(opened)
      const link = links.nth(index)
      const figure = parseCount(await textOf(link))
      assert.equal(await links.count(), count, where)
      assert.deepEqual(await countBehind(page, link), [figure, figure], `${where} ${index}`)
    }
  }
})

test('every column leads to the flows that were decided in its step', async () => {
  const { page } = opened
  const columns = page.locator('figure.columns a.columns-bar')
  await goToOverview(opened)
  await columns.first().waitFor()
  const count = await columns.count()
  let flows = 0
  for (let index = 0; index < count; index++) {
    await goToOverview(opened)
    const [said, shown] = await countBehind(page, columns.nth(index))
    assert.equal(said, shown)
    flows += said
  }
  // Each was decided once, or within one step.
  assert.equal(flows, 4)
})

test('what waits leads to the tab of the inbox that has as many, and a request to itself', async () => {
  const { page } = opened
  await goToOverview(opened)
  const waiting = page.getByRole('region', { name: 'Waiting for a person' })
  const mine = waiting.getByRole('link', { name: /for you$/ })
  const count = parseCount(await textOf(mine))
  await mine.click()
  await page.locator('main a.rows-link').first().waitFor()
  assert.equal(await page.locator('main a.rows-link').count(), count)
  await goToOverview(opened)
  const [first] = await waiting.locator('li').allInnerTexts()
  await waiting.locator('li a').first().click()
  await page.getByRole('button', { name: /^Approve/ }).waitFor()
  const atStake = /[\d,.]+\s+USD/.exec(first ?? '')?.[0] ?? 'no amount'
  const detail = await textOf(page.getByRole('region', { name: 'detail' }))
  const toPlain = (text: string): string => text.replaceAll(/\s+/g, ' ')
  assert.ok(toPlain(detail).includes(`at stake ${toPlain(atStake)}`), `${first}: ${detail}`)
})

test('budgets lead to their agent, events to their entry, and health to the ledger', async () => {
  const { page } = opened
  for (const [card, heading] of [
    ['Accepted amounts and budgets', 'refunds_bot'],
    ['What happened', /^Entry|^#|contract/i],
  ] as const) {
    await goToOverview(opened)
    await page.getByRole('region', { name: card }).locator('li a.overview-what').first().click()
    await page.getByRole('region', { name: 'detail' }).getByText(heading).first().waitFor()
  }
  await goToOverview(opened)
  const entries = page.getByRole('link', { name: /entries$/ }).first()
  const size = parseCount(await textOf(entries))
  await entries.click()
  await page.locator('main a.rows-link').first().waitFor()
  assert.equal(await page.locator('main a.rows-link').count(), Math.min(size, 50))
})

test('the range is in the address, and changes what is counted', async () => {
  const { page } = opened
  await goToOverview(opened)
  await page.getByRole('navigation', { name: 'time range' }).getByText('7 days').click()
  await page.getByText('in the last 7 days').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('range'), '7d')
  await page.reload()
  await page.getByText('in the last 7 days').waitFor()
})

test('what happens meanwhile is counted without a hand, and pushes nothing', async () => {
  const { page, runtime } = opened
  await goToOverview(opened)
  const figure = page.locator('.overview-figure')
  const count = parseCount(await textOf(figure))
  const happened = page.getByRole('region', { name: 'What happened' })
  const first = await textOf(happened.locator('li').first())
  await refund(runtime, 'ticket 5', '21.00')
  await runtime.engine.moveAgent({
    ...{ agent_id: 'refunds_bot', to: 'SUSPENDED', actor: 'operator' },
    justification: 'it talks too much',
  })
  await happened.getByRole('button', { name: '1 new' }).waitFor()
  await page.waitForFunction(
    (wanted) => document.querySelector('.overview-figure')?.textContent === wanted,
    String(count + 1),
  )
  assert.equal((await textOf(happened.locator('li').first())).slice(0, 12), first.slice(0, 12))
  await happened.getByRole('button', { name: '1 new' }).click()
  await happened.getByText('refunds_bot: suspended').waitFor()
  await page.getByRole('region', { name: 'Agents at risk' }).getByText('suspended').waitFor()
})

test('while the index is made the page says how far it has come', async () => {
  const { page, url } = opened
  await page.route('**/v1/overview*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({ response: answer, json: { ...body, indexed: INDEXING } })
  })
  await page.goto(`${url}/`)
  await page.getByText('Indexing 43 %').waitFor()
  await page.unroute('**/v1/overview*')
})

test('where there are many agents the page says of how many it knows the budgets', async () => {
  const { page, url } = opened
  await page.route('**/v1/overview*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const agents = { of: 1340, looked_at: 200, suspended: 0 }
    await route.fulfill({ response: answer, json: { ...body, agents } })
  })
  await page.goto(`${url}/`)
  const said = page.getByText('Budgets of 200 of 1,340 agents were looked at')
  await said.first().waitFor()
  assert.equal(await said.count(), 2)
  await page.unroute('**/v1/overview*')
})

test('in the hand what waits and who is at risk come first', async () => {
  const { page } = opened
  await page.setViewportSize({ width: 390, height: 844 })
  await goToOverview(opened)
  const tops = await Promise.all(
    ['Waiting for a person', 'Agents at risk', 'Decisions', 'Why we said no', 'Health'].map(
      async (name) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? 0,
    ),
  )
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
  )
})

test('an empty store says what to do next', async () => {
  const empty = await openConsole()
  try {
    await empty.page.goto(`${empty.url}/`)
    await empty.page.getByRole('region', { name: 'Nothing has happened yet' }).waitFor()
    assert.equal(await empty.page.getByRole('button', { name: 'copy the command' }).count(), 3)
    assert.deepEqual(empty.errors, [])
  } finally {
    await empty.close()
  }
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
