import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Runtime } from 'rubicon-runtime'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { capabilities, contract, refund } from './refunds.test-support.ts'

const MONITOR = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean_refund',
  agents: ['refunds_bot'],
  statistic: { kind: 'mean', value: 'measure:refund_usd', max: '100' },
  window: { executions: 5 },
  min_samples: 3,
}

async function seed(runtime: Runtime): Promise<void> {
  await runtime.deploy(contract())
  await runtime.monitor(MONITOR)
  for (let at = 1; at <= 30; at += 1) await refund(runtime, `ticket ${at}`, `${at}.00`)
  await runtime.engine.oversight.sweepMonitors()
}

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities, background: false }, seed })
})
after(() => opened.close())

test('a monitor says its rule as a sentence, its state and its sample size', async () => {
  const { page } = opened
  for (const key of ['g', 'm']) await page.keyboard.press(key)
  const card = page.getByRole('article').filter({ hasText: 'mean_refund' })
  await card.getByText('of at most 100, 28 %').waitFor()
  assert.equal(await card.locator('svg .monitor-bound').count(), 1)
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: /mean_refund/ }).waitFor()
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByText('mean refund_usd over the last 5 executions above 100').first().waitFor()
  assert.match(await textOf(detail), /28, over 5 executions/)
  assert.match(await textOf(detail), /from 2 to 20: its first 20 points/)
})

test('the chart is a picture with words, and its points are a table for keys', async () => {
  const { page } = opened
  const chart = page.getByRole('img', { name: /30 points, the last 28 over 5 executions/ })
  await chart.waitFor()
  assert.equal(await chart.locator('canvas').count(), 1)
  await page.getByText('The points as a table').press('Enter')
  const table = page.getByRole('table', { name: 'points' })
  await table
    .getByRole('button', { name: /behind entry/ })
    .first()
    .press('Enter')
  const behind = page.getByRole('region', { name: 'flows behind the point' })
  await behind.getByRole('link', { name: /…/ }).first().waitFor()
  assert.equal(await behind.locator('li').count(), 5)
  assert.match(page.url(), /point=\d+/)
})

test('a click on the line opens the flows behind it', async () => {
  const { page } = opened
  const before = page.url()
  const over = page.locator('.series-chart .u-over')
  const box = await over.boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
  await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2)
  await page.waitForFunction((was) => location.href !== was, before)
  await page.getByRole('region', { name: 'flows behind the point' }).waitFor()
})

test('a trip is shown with the mark of the suspension', async () => {
  const { page, runtime } = opened
  for (const amount of ['400.00', '400.00']) await refund(runtime, 'ticket', amount)
  await runtime.engine.oversight.sweepMonitors()
  await page.reload()
  await page.getByRole('heading', { name: /mean_refund .*tripped/ }).waitFor()
  await page
    .getByText(/MONITOR_TRIPPED: mean_refund is/)
    .first()
    .waitFor()
})

test('another monitor is tried on the past, and nothing is put in force', async () => {
  const { page, runtime } = opened
  await page.getByRole('link', { name: 'Try a monitor on past data' }).click()
  const source = page.getByRole('textbox', { name: /The monitor file/ })
  await page.waitForFunction(
    () => document.querySelector('textarea')?.value.includes('agents: [refunds_bot]') === true,
  )
  const mean = 'statistic: {kind: mean, value: "measure:refund_usd", max: "10"}'
  await source.fill((await source.inputValue()).replace(/statistic: .*/, mean))
  await page.getByRole('button', { name: 'What would it have done?' }).click()
  await page.getByText(/[1-9] trips over 3\d executions/).waitFor()
  const { monitors } = await runtime.engine.context.authorities.loadLatest()
  assert.deepEqual([...monitors.keys()], ['mean_refund'])
  await source.fill((await source.inputValue()).replace('refunds_bot', 'nobody_yet'))
  await page.getByRole('button', { name: 'What would it have done?' }).click()
  await page.getByText('nothing to try it on').waitFor()
  await source.fill('name: [')
  await page.getByRole('button', { name: 'What would it have done?' }).click()
  await page.getByText('MONITOR_INVALID').first().waitFor()
})

test('nothing was asked from elsewhere', () => {
  const told = opened.errors.filter((error) => !error.includes('422'))
  assert.deepEqual([told, opened.foreign], [[], []])
})
