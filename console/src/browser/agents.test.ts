import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { formatContract, parseContractText } from 'rubicon-runtime/contract-file'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { editorOf, readEditor, selectedInEditor, writeEditor } from './editor.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('an agent is opened by keys alone, and says who put it where it is', async () => {
  const { page } = opened
  await goByKeys(page, 'a', '/agents')
  const row = page.getByRole('row', { name: /refunds_bot/ })
  await row.getByRole('img', { name: /decisions of refunds_bot/ }).waitFor()
  assert.match(await textOf(row), /2 accepted.*1 rejected.*1 sent to a person/)
  await page.getByRole('link', { name: 'Hierarchy' }).click()
  const graph = page.getByRole('region', { name: 'who stands below whom' })
  await graph.getByRole('link', { name: /refunds_bot/ }).waitFor()
  await page.getByRole('link', { name: 'List', exact: true }).click()
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: /refunds_bot/ }).waitFor()
  const detail = page.getByRole('region', { name: 'detail' })
  assert.match(await textOf(detail), /set .* by registry/)
  assert.match(await textOf(detail), /1 sent to a person/)
  assert.match(await textOf(detail), /escalations/)
})

test('an operator makes an instance of an agent, by name', async () => {
  const { page, runtime } = opened
  await page.getByRole('button', { name: 'New instance…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('refunds_night')
  await dialog.getByRole('button', { name: 'New instance' }).click()
  await page.getByText('refunds_night is an instance of refunds_bot.').waitFor()
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(contracts.get('refunds_night')?.at(0)?.contract.instance_of, 'refunds_bot')
})

test('its contract reads as sentences beside its source', async () => {
  const { page } = opened
  await page.getByRole('link', { name: 'Contract', exact: true }).click()
  await page.getByText('it may propose REFUND and TRANSFER').waitFor()
  assert.match(await textOf(page.locator('pre.agent-source')), /^api_version: rubicon\/v1/)
})

const EDIT = 'Edit the contract'

test('a change of its contract shows what it would have decided, and is put in force by name', async () => {
  const { page, runtime } = opened
  await page.getByRole('link', { name: EDIT }).click()
  await editorOf(page, EDIT).waitFor()
  const text = await newestSource()
  await writeEditor(page, EDIT, text.replace('max: "5000"', 'max: "1000"'))
  await page.getByText('1 of 4 would be decided differently').waitFor()
  const last = page.getByRole('region', { name: 'the last decisions' })
  assert.match(
    await textOf(last),
    /sent to a person AUTHORITY_CEILING[\s\S]*rejected LIMIT_EXCEEDED/,
  )
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).isDisabled(), true)
  const heading = page.getByRole('heading', { name: 'Deploy version 1.1.0 of refunds_bot' })
  await heading.waitFor()
  await page.getByText('this text becomes 1.1.0').waitFor()
  await page.getByRole('button', { name: 'Raise the version' }).click()
  await page.getByText('this text becomes 1.1.0').waitFor({ state: 'detached' })
  await heading.waitFor()
  const difference = page.getByRole('region', { name: 'difference' })
  assert.match(await textOf(difference), /removed: .*5000/)
  const put = page.getByRole('button', { name: 'Deploy' })
  assert.equal(await put.isDisabled(), true)
  await page.getByLabel('Type refunds_bot to confirm').fill('refunds_bot')
  await put.dblclick()
  await page.getByText('Version 1.1.0 of refunds_bot was deployed.').waitFor()
  await page.getByText('No draft: this is the newest version.').waitFor()
  await page.getByText('can be read; no changes').waitFor()
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(contracts.get('refunds_bot')?.length, 2)
})

test('what is wrong is underlined where the server found it, and listed by line', async () => {
  const { page } = opened
  const text = await newestSource()
  await writeEditor(page, EDIT, `${text}hue: 1\n`)
  const problems = page.getByRole('region', { name: 'problems' })
  await problems.getByText(/hue is not a known field/).waitFor()
  assert.equal(await textOf(page.locator('.cm-lintRange-error').first()), 'hue')
  await problems.getByRole('button', { name: /line \d+/ }).click()
  assert.equal(await selectedInEditor(page), 'hue: 1')
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).count(), 0)
  await writeEditor(page, EDIT, text.replace('agent_id: refunds_bot', 'agent_id: other_bot'))
  await page.getByText(/a contract of other_bot, not of refunds_bot/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).count(), 0)
  // Anchors, aliases and bombs of them are refused by the server, and nothing here expands them.
  const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nmission: *c\n'
  await writeEditor(page, EDIT, bomb)
  await problems.getByText('an anchor is not allowed').first().waitFor()
})

test('it is used by keys alone: names are completed, Escape leaves, Tab goes on', async () => {
  const { page } = opened
  await writeEditor(page, EDIT, 'safety_rules:\n  escal')
  await page.keyboard.press('Control+Space')
  await chooseOption(page, 'escalations_per_hour')
  await page.keyboard.press('Tab')
  await editorOf(page, EDIT).getByText('escalations_per_hour:').waitFor()
  await writeEditor(page, EDIT, 'safety_rules:\n  self_approval: ')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: 'refused' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option', { name: 'refused' }).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'editor-host')
  await page.keyboard.press('Escape')
  assert.match(String(await page.evaluate(() => document.activeElement?.className)), /^editor /)
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const label = await editorOf(page, EDIT).getAttribute('aria-describedby')
  assert.equal(label, 'editor-hint')
})

test('a draft survives a reload and a session that ends, and is thrown away with an undo', async () => {
  const { page, token, url } = opened
  const text = (await newestSource()).replace('priority: 50', 'priority: 51')
  await writeEditor(page, EDIT, text)
  await page.getByText(/can be read; 1 change/).waitFor()
  await page.reload()
  await editorOf(page, EDIT).getByText('priority: 51').waitFor()
  await page.context().clearCookies()
  await page.goto('about:blank')
  await page.goto(`${url}/agents/refunds_bot?view=change#token=${token}`)
  await editorOf(page, EDIT).getByText('priority: 51').waitFor()
  await page.getByRole('button', { name: 'Throw the draft away' }).click()
  await editorOf(page, EDIT).getByText('priority: 50').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await editorOf(page, EDIT).getByText('priority: 51').waitFor()
})

test('what somebody else deploys meanwhile is told, and never overwritten', async () => {
  const { page, runtime } = opened
  const found = parseContractText(
    (await newestSource())
      .replace('version: 1.1.0', 'version: 1.2.0')
      .replace('max: "1000"', 'max: "800"'),
    'other',
  )
  assert.ok(found.ok)
  assert.ok((await runtime.engine.deploy(found.value)).ok)
  const moved = page.getByRole('region', { name: 'changed meanwhile' })
  await moved.getByText(/Version 1.2.0 was deployed by .* while you were writing/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).count(), 0)
  assert.equal(await moved.getByRole('button', { name: 'Keep my text' }).isDisabled(), true)
  await moved.getByRole('button', { name: 'Show what changed' }).click()
  assert.match(await textOf(moved), /added: .*max: "800"/)
  await editorOf(page, EDIT).getByText('priority: 51').waitFor()
  await moved.getByRole('button', { name: 'Take theirs' }).click()
  await editorOf(page, EDIT).getByText('version: 1.2.0').waitFor()
})

test('a text that is too long is not sent, and a long one can be edited', async () => {
  const { page } = opened
  await writeEditor(page, EDIT, `# ${'long '.repeat(52_000)}\n`)
  await page.getByText(/longer than 65536 characters/).waitFor()
  await page.getByText(/This browser does not keep the draft/).waitFor()
  await page.getByRole('button', { name: 'Throw the draft away' }).click()
  await editorOf(page, EDIT).getByText('version: 1.2.0').waitFor()
})

test('a checker that does not answer leaves the text alone, and says so', async () => {
  const { page } = opened
  await page.route('**/v1/contracts/check', (route) => route.abort())
  const text = (await newestSource()).replace('priority: 50', 'priority: 52')
  await writeEditor(page, EDIT, text)
  await page.getByText('SERVER_UNREACHABLE').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).count(), 0)
  await page.unroute('**/v1/contracts/check')
  // What was said before lies over the button for a while.
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await page.getByText(/can be read; 1 change/).waitFor()
  await editorOf(page, EDIT).getByText('priority: 52').waitFor()
  await page.getByRole('button', { name: 'Throw the draft away' }).click()
  opened.errors.splice(0)
})

test('where the editor cannot be loaded, the text stands in a plain field', async () => {
  const { context, url } = opened
  const other = await context.newPage()
  await other.route('**/code-view-*.js', (route) => route.abort())
  await other.goto(`${url}/agents/refunds_bot?view=change`)
  await other.getByText('The editor could not be loaded').waitFor()
  const plain = other.getByRole('textbox', { name: EDIT })
  await plain.fill(`${await plain.inputValue()}hue: 1\n`)
  await other.getByText(/hue is not a known field/).waitFor()
  await other.getByRole('button', { name: 'Throw the draft away' }).click()
  await other.close()
})

test('whoever may not deploy reads it, and why', async () => {
  const { page } = opened
  await page.route('**/v1/sign-in', async (route) => {
    const response = await route.fetch()
    const ways = await response.json()
    const session = { ...ways.session, roles: ['auditor'] }
    await route.fulfill({ response, json: { ...ways, session } })
  })
  await page.reload()
  await page.getByText(/Read-only: deploying needs the role operator/).waitFor()
  const content = editorOf(page, 'Contract, read-only')
  assert.equal(await content.getAttribute('contenteditable'), 'false')
  assert.equal(await page.getByRole('button', { name: 'Deploy' }).count(), 0)
  await page.unroute('**/v1/sign-in')
  await page.reload()
  await editorOf(page, EDIT).waitFor()
})

test('a new agent begins from a template of the cookbook', async () => {
  const { page, runtime } = opened
  await page.getByRole('link', { name: 'New agent' }).click()
  const label = EDIT
  await editorOf(page, label).getByText('agent_id: my_agent').waitFor()
  await page.getByLabel('Begin with').selectOption('people')
  await editorOf(page, label).getByText('approvers:').waitFor()
  await page.getByLabel('Begin with').selectOption('amount')
  await editorOf(page, label).getByText('on_breach: escalate').waitFor()
  const text = await readEditor(page, label)
  await writeEditor(page, label, text.replace('my_agent', 'fresh_bot'))
  await page.getByLabel('Type fresh_bot to confirm').fill('fresh_bot')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL(/agents\/fresh_bot/)
  await page.getByRole('heading', { name: /fresh_bot/ }).waitFor()
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(contracts.get('fresh_bot')?.length, 1)
  await page.goto(`${opened.url}/agents/refunds_bot`)
  await page.getByRole('heading', { name: /refunds_bot/ }).waitFor()
})

/** A list that has just opened takes no key yet, so that nobody takes a name by mistake. */
async function chooseOption(page: Page, name: string): Promise<void> {
  const chosen = page.getByRole('option', { name, selected: true })
  await page.getByRole('option', { name }).waitFor()
  while ((await chosen.count()) === 0) await page.keyboard.press('ArrowDown')
}

/** As the server would begin with; an editor draws what can be seen. */
async function newestSource(): Promise<string> {
  const { contracts } = await opened.runtime.engine.context.authorities.loadLatest()
  const newest = contracts.get('refunds_bot')?.at(-1)
  assert.ok(newest !== undefined)
  return formatContract(newest.contract)
}

test('versions are told apart line by line, and the choice is in the address', async () => {
  const { page } = opened
  await page.getByRole('link', { name: 'Versions' }).click()
  const difference = page.getByRole('region', { name: 'difference' })
  await difference.waitFor()
  assert.match(await textOf(difference), /removed: .*max: "1000"/)
  assert.match(await textOf(difference), /added: .*max: "800"/)
  await page.getByLabel('from').selectOption('1.2.0')
  assert.match(page.url(), /from=1\.2\.0/)
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
  const said = page.getByRole('status').filter({ hasText: 'refunds_bot is suspended.' })
  assert.match((await said.getByRole('link').getAttribute('href')) ?? '', /do=reactivate/)
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
