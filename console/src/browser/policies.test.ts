import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { readEditor, selectedInEditor, writeEditor } from './editor.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

const RULE = `@id("small") forbid(principal, action == Action::"REFUND", resource)
when { context.measures.refund_usd.greaterThan(decimal("15.0")) };`

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('a past decision is loaded by keys, and is what was recorded', async () => {
  const { page } = opened
  await goByKeys(page, 'p', '/policies')
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  await page.getByRole('row', { name: /REFUND.*accepted/ }).waitFor()
  await page.getByRole('combobox', { name: 'filter by outcome' }).selectOption('ACCEPTED')
  await page.getByRole('row', { name: /REFUND.*accepted/ }).waitFor()
  await page.locator('h1').click()
  for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
  const verdict = page.getByRole('region', { name: 'verdict' })
  await verdict.getByText('same as recorded').waitFor()
  assert.match(page.url(), /decision=main%2F\d+/)
  assert.match(await textOf(verdict.getByRole('list', { name: 'stages' })), /policy/)
})

test('a rule is judged as it is typed: verdict, rule, and how many would flip', async () => {
  const { page, runtime } = opened
  const leaves = await runtime.store.countLeaves()
  await writeEditor(page, 'Cedar', RULE)
  const verdict = page.getByRole('region', { name: 'verdict' })
  await verdict.getByRole('link', { name: 'POLICY_DENIED' }).first().waitFor()
  await verdict.getByText('draft / small').waitFor()
  await verdict.getByText(/2 of 4 would be decided differently/).waitFor()
  await writeEditor(page, 'Cedar', `${RULE} forbid(`)
  await verdict.getByText('POLICY_INVALID').first().waitFor()
  await writeEditor(page, 'Cedar', RULE)
  await verdict.getByText('draft / small').waitFor()
  assert.equal(await runtime.store.countLeaves(), leaves)
})

test('beside the text stands what each rule did, in a word and a number', async () => {
  const { page } = opened
  const never = '@id("never") forbid(principal, action == Action::"STEAL", resource);'
  await writeEditor(page, 'Cedar', `${RULE}\n${never}`)
  const coverage = page.getByRole('region', { name: 'coverage' })
  await coverage.getByText('evaluated 3 times, never decided').waitFor()
  assert.match(await textOf(coverage), /small.*decided 2 of 3/)
  await coverage.getByRole('button', { name: 'never' }).click()
  const chosen = await selectedInEditor(page)
  assert.equal(chosen, never)
  await writeEditor(page, 'Cedar', RULE)
  await coverage.getByText('never decided').waitFor({ state: 'detached' })
})

test('parameters are tried; what is no JSON is said beside them', async () => {
  const { page } = opened
  const params = page.getByRole('textbox', { name: /parameters/ })
  await params.fill('{"order": "o_1", "amount": "5.00"}')
  const verdict = page.getByRole('region', { name: 'verdict' })
  await verdict.getByText('same as recorded').waitFor()
  await params.fill('{"order"')
  await page.getByText(/✖ .*JSON/).waitFor()
  await params.fill('{"order": "o_1", "amount": "20.00"}')
  await verdict.getByText('recorded:').waitFor()
})

test('the address holds the draft: whoever opens it sees the same', async () => {
  const { page, context } = opened
  assert.match(page.url(), /#draft=/)
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByText('draft / small').waitFor()
  assert.equal(await readEditor(other, 'Cedar'), RULE)
  await other.close()
})

test('the decision is saved as a test', async () => {
  const { page } = opened
  await page.getByLabel('Save as a test:').fill('small refunds wait')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  const saved = JSON.parse(readFileSync(await file.path(), 'utf8'))
  assert.deepEqual(
    [saved.format, saved.name, saved.expect],
    ['rubicon-case/1', 'small refunds wait', { outcome: 'REJECTED', code: 'POLICY_DENIED' }],
  )
})

test('a server that stops leaves the draft where it is', async () => {
  const { page } = opened
  await page.context().setOffline(true)
  await writeEditor(page, 'Cedar', `${RULE}\n// more`)
  await page.getByText('SERVER_UNREACHABLE').first().waitFor()
  assert.equal(await readEditor(page, 'Cedar'), `${RULE}\n// more`)
  await page.context().setOffline(false)
})

test('nothing was asked from elsewhere', () => {
  assert.deepEqual(opened.foreign, [])
})
