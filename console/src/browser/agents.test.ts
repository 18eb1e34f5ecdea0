import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('an agent is opened by keys alone, and says who put it where it is', async () => {
  const { page } = opened
  for (const key of ['g', 'a']) await page.keyboard.press(key)
  const row = page.getByRole('row', { name: /refunds_bot/ })
  await row.getByRole('img', { name: /decisions of refunds_bot/ }).waitFor()
  assert.match(await textOf(row), /2 accepted.*1 rejected.*1 sent to a person/)
  const graph = page.getByRole('region', { name: 'who stands below whom' })
  await graph.getByRole('link', { name: /refunds_bot/ }).waitFor()
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: /refunds_bot/ }).waitFor()
  const detail = page.getByRole('region', { name: 'detail' })
  assert.match(await textOf(detail), /set .* by registry/)
  assert.match(await textOf(detail), /1 escalated/)
  assert.match(await textOf(detail), /escalations/)
})

test('its contract reads as sentences beside its source', async () => {
  const { page } = opened
  await page.getByRole('link', { name: 'Contract', exact: true }).click()
  await page.getByText('it may propose REFUND and TRANSFER').waitFor()
  assert.match(await textOf(page.locator('pre.agent-source')), /^api_version: rubicon\/v1/)
})

test('a change of its contract shows what it would have decided, and is put in force by name', async () => {
  const { page, runtime } = opened
  await page.getByRole('link', { name: 'Try a change' }).click()
  const source = page.getByRole('textbox', { name: /Edit the contract in force/ })
  const text = await source.inputValue()
  await source.fill(text.replace('max: "5000"', 'max: "1000"').replace('1.0.0', '1.1.0'))
  await page.getByText('1 of 4 would be decided differently').waitFor()
  const last = page.getByRole('region', { name: 'the last decisions' })
  assert.match(await textOf(last), /escalated AUTHORITY_CEILING[\s\S]*rejected LIMIT_EXCEEDED/)
  await source.fill(`${text}hue: 1\n`)
  await page.getByText(/line \d+: hue is not a known field/).waitFor()
  await source.fill(text.replace('max: "5000"', 'max: "1000"').replace('1.0.0', '1.1.0'))
  const put = page.getByRole('button', { name: 'Deploy' })
  await put.waitFor()
  assert.equal(await put.isDisabled(), true)
  await page.getByLabel('Type refunds_bot to confirm').fill('refunds_bot')
  await put.click()
  await page.getByText('version 1.1.0 is in force').waitFor()
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(contracts.get('refunds_bot')?.length, 2)
})

test('versions are told apart line by line, and the choice is in the address', async () => {
  const { page } = opened
  await page.getByRole('link', { name: 'Versions' }).click()
  const difference = page.getByRole('region', { name: 'difference' })
  await difference.waitFor()
  assert.match(await textOf(difference), /removed: .*max: "5000"/)
  assert.match(await textOf(difference), /added: .*max: "1000"/)
  await page.getByLabel('from').selectOption('1.1.0')
  assert.match(page.url(), /from=1\.1\.0/)
  await page.getByText('No differences.').waitFor()
})

test('a suspension says what stops, and takes the name and a reason', async () => {
  const { page, runtime } = opened
  await page.keyboard.press('Escape')
  await page.locator('h1').click()
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Nothing more is sent for it/).waitFor()
  await dialog.getByText(/open flows stop where they are/).waitFor()
  const suspend = dialog.getByRole('button', { name: 'Suspend' })
  await dialog.getByLabel('Reason').fill('odd refunds')
  assert.equal(await suspend.isDisabled(), true)
  await dialog.getByLabel(/Type refunds_bot/).fill('refunds_bo')
  assert.equal(await suspend.isDisabled(), true)
  await dialog.getByLabel(/Type refunds_bot/).press('t')
  await suspend.press('Enter')
  await page.getByRole('button', { name: 'Reactivate…' }).waitFor()
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(statuses.get('refunds_bot'), 'SUSPENDED')
  await page.locator('a.tab', { hasText: 'Overview' }).click()
  await page.getByText('odd refunds', { exact: true }).waitFor()
})

test('it goes on with a justification, and not without', async () => {
  const { page, runtime } = opened
  await page.getByRole('button', { name: 'Reactivate…' }).click()
  const dialog = page.getByRole('dialog')
  const go = dialog.getByRole('button', { name: 'Reactivate' })
  assert.equal(await go.isDisabled(), true)
  await dialog.getByLabel(/Reason why/).fill('looked into it')
  await go.click()
  await page.getByRole('button', { name: 'Suspend…' }).waitFor()
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(statuses.get('refunds_bot'), 'ACTIVE')
})

test('nothing went wrong, and nothing was asked from elsewhere', () => {
  assert.deepEqual([opened.errors, opened.foreign], [[], []])
})
