import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('the token is gone from the address before anything else happens', () => {
  assert.equal(opened.page.url().includes('token'), false)
})

test('a session that ends while somebody types is opened again over the page, and nothing is lost', async () => {
  const { page, url, token, context } = opened
  await page.goto(`${url}/executions`)
  await page.getByRole('link', { name: /TRANSFER/ }).click()
  await page.getByLabel('Reason').fill('half a sentence')
  await page.getByLabel('It did not happen').check()
  await page.getByLabel(/Evidence/).fill('a statement')
  await context.clearCookies()
  // What the page asks by itself may be refused first: then the dialog is there already.
  await page.getByRole('button', { name: 'Record the outcome' }).dispatchEvent('click')
  const over = page.getByRole('dialog', { name: 'signed out' })
  await over.waitFor()
  await over.getByLabel('Token').fill(token)
  await over.getByRole('button', { name: 'Sign in' }).click()
  await over.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Reason').inputValue(), 'half a sentence')
  await page.getByRole('button', { name: 'Record the outcome' }).click()
  await page.getByText('It did not happen. Nothing more is done.').waitFor()
})

test('whoever signs out is out: the page is empty, and going back shows nothing', async () => {
  const { page } = opened
  await page.getByRole('button', { name: /^Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByText('TRANSFER').count(), 0)
})

test('a token that is nobody’s is refused with its code and what to do', async () => {
  const { page } = opened
  await page.getByLabel('Token').fill('rbo_nobodys')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('TOKEN_INVALID').first().waitFor()
  await page.getByText('rubicon token').first().waitFor()
})

test('a link whose token was replaced since says so on the page where one signs in', async () => {
  const { page, url } = opened
  await page.goto('about:blank')
  await page.goto(`${url}/#token=rbo_replaced`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.getByText('TOKEN_INVALID').first().waitFor()
  assert.equal(page.url().includes('token'), false)
})

test('a link with a token that is pasted into the page where one signs in signs in', async () => {
  const { page, url, token } = opened
  await page.goto(`${url}/flows`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const open = (fragment: string): Promise<void> =>
    page.evaluate((to) => {
      location.hash = to
    }, fragment)
  await open('#token=rbo_nobodys')
  await page.getByText('TOKEN_INVALID').first().waitFor()
  await open(`#token=${token}`)
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
  assert.equal(page.url().includes('token'), false)
  await open('#token=rbo_somebody')
  await page.waitForFunction(() => location.hash === '')
  await page.reload()
  await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor()
  await page.getByRole('button', { name: /^Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a provider that did not let somebody in is named on the page where one signs in', async () => {
  const { page, url } = opened
  await page.goto(`${url}/?sign_in_problem=SIGN_IN_REFUSED`)
  await page.getByRole('alert').getByText('SIGN_IN_REFUSED').waitFor()
})
