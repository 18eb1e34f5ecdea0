import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseMonitor } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { editorOf, readEditor, writeEditor } from './editor.test-support.ts'
import { capabilities, contract, refund } from './refunds.test-support.ts'

const FILE = 'The monitor file'

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
  await goByKeys(page, 'm', '/monitors')
  const card = page.getByRole('article').filter({ hasText: 'mean_refund' })
  await card.getByText('of at most 100, 28 %').waitFor()
  const bound = card.locator('svg .monitor-bound')
  await bound.first().waitFor({ state: 'attached' })
  assert.equal(await bound.count(), 1)
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
  await page.getByRole('link', { name: 'New monitor' }).click()
  await editorOf(page, FILE).getByText('agents: [refunds_bot]').waitFor()
  await page.getByText('share of executions whose status is FAILED').waitFor()
  const text = await readEditor(page, FILE)
  const mean = 'statistic: {kind: mean, value: "measure:refund_usd", max: "10"}'
  const other = text.replace(/statistic: .*/, mean)
  await writeEditor(page, FILE, other)
  await page.getByRole('button', { name: 'What would it have done?' }).click()
  await page.getByText(/[1-9] trips over 3\d executions/).waitFor()
  const { monitors } = await runtime.engine.context.authorities.loadLatest()
  assert.deepEqual([...monitors.keys()], ['mean_refund'])
  await writeEditor(page, FILE, other.replace('refunds_bot', 'nobody_yet'))
  await page.getByRole('button', { name: 'What would it have done?' }).click()
  await page.getByText('nothing to try it on').waitFor()
  await writeEditor(page, FILE, other.replace('kind: mean', 'kind: meen'))
  await page
    .getByRole('region', { name: 'problems' })
    .getByText(/statistic\.kind/)
    .waitFor()
  await page.locator('.cm-lintRange-error').first().waitFor()
})

test('a monitor is deployed by its name, edited, and withdrawn with a reason', async () => {
  const { page, runtime } = opened
  const source = `api_version: rubicon/v1
kind: Monitor
name: failures
agents: [refunds_bot]
statistic: {kind: rate, value: status, when: {is: FAILED}, max: "0.10"}
window: {executions: 20}
`
  await writeEditor(page, FILE, source)
  await page.getByRole('heading', { name: 'Deploy failures' }).waitFor()
  await page.getByLabel('Type failures to confirm').fill('failures')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.getByText('The monitor failures is in force.').waitFor()
  await page
    .getByRole('link', { name: /failures/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Edit the file' }).click()
  await editorOf(page, FILE).getByText('name: failures').waitFor()
  const stricter = source.replace('0.10', '0.05')
  await writeEditor(page, FILE, stricter)
  await page.getByLabel('Type failures to confirm').waitFor()
  // Somebody else is quicker: nothing is overwritten unread.
  const loose = parseMonitor({ ...MONITOR, name: 'failures' })
  assert.ok(loose.ok)
  await runtime.engine.oversight.deployMonitor(loose.value)
  const moved = page.getByRole('region', { name: 'changed meanwhile' })
  await moved.getByText(/Somebody deployed another version/).waitFor()
  assert.equal(await page.getByLabel('Type failures to confirm').count(), 0)
  await moved.getByRole('button', { name: 'Show the difference' }).click()
  await moved.getByRole('button', { name: 'Keep my text' }).click()
  await page.getByLabel('Type failures to confirm').fill('failures')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.getByText('The monitor failures is in force.').waitFor()
  await page.getByText('No draft.').waitFor()
  const { monitors } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(JSON.stringify(monitors.get('failures')?.monitor.statistic).includes('0.05'), true)
  await page.getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByRole('button', { name: 'Withdraw' }).isDisabled(), true)
  await dialog.getByLabel('Reason').fill('not needed')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('The monitor failures was withdrawn.').waitFor()
  const after = await runtime.engine.context.authorities.loadLatest()
  assert.deepEqual([...after.monitors.keys()], ['mean_refund'])
})

test('nothing was asked from elsewhere', () => {
  // Of a monitor that was withdrawn a moment ago, nothing is found.
  const told = opened.errors.filter((error) => !/ (422|404) /.test(error))
  assert.deepEqual([told, opened.foreign], [[], []])
})
