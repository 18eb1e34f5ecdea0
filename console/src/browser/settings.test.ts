/** What operators look after, in a real browser, on a real server that sends to a real receiver. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { findAxeProblems } from './axe.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'

const TABS = ['channels', 'people', 'tokens', 'keys', 'writs', 'sources', 'tenants', 'retention']

const bodies: string[] = []
let status = 200
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += String(part)
  bodies.push(body)
  response.statusCode = status
  response.end('<b>heard</b>')
})
let port = 0
let opened: OpenConsole

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  assert.ok(address !== null && typeof address === 'object')
  port = address.port
  opened = await openConsole({
    runtime: { channels: { allow: [{ host: '127.0.0.1', port, addresses: 'loopback' }] } },
  })
})
after(async () => {
  await opened.close()
  receiver.close()
})

test('an operator sets a channel up, tries it, changes it, removes it and takes that back', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings?in=channels`)
  await page.getByText('No channels yet').waitFor()
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  const save = dialog.getByRole('button', { name: 'Add channel' })
  assert.equal(await save.isDisabled(), true)
  await dialog.getByLabel('Name', { exact: true }).fill('ops')
  await dialog.getByLabel('Address', { exact: true }).fill('http://169.254.169.254/latest')
  await save.click()
  await dialog.getByText('CHANNEL_INVALID', { exact: true }).waitFor()
  await dialog.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/hook`)
  await dialog.getByLabel('an adviser has used up its budget').uncheck()
  await save.click()
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByRole('heading', { name: 'ops' }).waitFor()
  // By keyboard, from the page itself.
  await page.keyboard.press('t')
  await detail.getByText('answered 200: <b>heard</b>').waitFor()
  assert.equal(bodies.length, 1)
  status = 500
  await detail.getByRole('button', { name: 'Send test' }).click()
  await detail.getByText('answered 500').waitFor()
  await detail.getByRole('button', { name: 'Pause' }).click()
  await detail.getByText('paused').waitFor()
  await detail.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No channels yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('row', { name: /ops .*paused/ }).waitFor()
})

test('a person is registered and gets another name, which is taken away again', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings?in=people`)
  await page.getByRole('button', { name: 'Register person…' }).click()
  await page.getByLabel('Name, as their token').fill('ann@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Register person' }).click()
  await page.getByRole('link', { name: 'ann@example.com' }).click()
  await page.getByRole('button', { name: 'Link name…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('ann')
  await page.getByRole('dialog').getByRole('button', { name: 'Link name' }).click()
  const row = page
    .getByRole('table', { name: 'identities' })
    .getByRole('row', { name: /^ann Unlink/ })
  await row.getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await row.waitFor({ state: 'detached' })
})

test('keys of the runtime are changed on the machine, and the last token is not ended', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings?in=keys`)
  const kernel = page.getByRole('row', { name: /kernel: signs decisions/ })
  await kernel.getByRole('link').first().click()
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByText(/rubicon keys retire/).waitFor()
  assert.equal(await detail.getByRole('button', { name: 'Retire…' }).count(), 0)
  await page.goto(`${url}/settings?in=tokens`)
  await page.getByRole('button', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/to confirm/).fill('operator')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByText('TOKEN_LAST', { exact: true }).waitFor()
})

test('a source is registered, and retired with its name typed', async () => {
  const { page, url } = opened
  await page.goto(`${url}/settings?in=sources`)
  await page.getByRole('button', { name: 'Register source…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('prices')
  await page.getByLabel(/Paths that it owns/).fill('market.*')
  await page.getByRole('dialog').getByRole('button', { name: 'Register source' }).click()
  await page.getByRole('link', { name: 'prices' }).click()
  await page.getByRole('button', { name: 'Retire…' }).click()
  const dialog = page.getByRole('dialog')
  const retire = dialog.getByRole('button', { name: 'Retire' })
  assert.equal(await retire.isDisabled(), true)
  await dialog.getByLabel(/to confirm/).fill('prices')
  await retire.click()
  await page.getByText('prices is retired.').waitFor()
})

for (const [scheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test(`axe finds nothing in any tab, and nothing is wider than ${width} pixels, in the ${scheme}`, async () => {
    const { page, url } = opened
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 844 })
    for (const tab of [...TABS, 'channels&open']) {
      await page.goto(`${url}/settings${tab.endsWith('open') ? '/ops' : ''}?in=${tab}`)
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      await page.locator('.settings-tab :is(h2, table, .settings-lead):visible').first().waitFor()
      assert.deepEqual(await findAxeProblems(page), [], tab)
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wide) <= 0, `${tab} is ${wide} wider`)
    }
  })

test('nothing was asked for from elsewhere, and the page complained of what was refused alone', async () => {
  const { errors, foreign, page } = opened
  assert.deepEqual(foreign, [])
  // A browser says itself that an answer was a refusal.
  assert.deepEqual(
    errors.filter((error) => !error.includes('status of 4')),
    [],
  )
  assert.match(await textOf(page.getByRole('banner')), /operator/)
})
