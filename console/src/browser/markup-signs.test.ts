/** The check of `markup.test.ts` on a page that trusts what it is given: there it has to find it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './machine-browser.test-support.ts'
import { FETCHED, payloads } from './markup.test-support.ts'
import { DEAD, type Signs, watchMarkup } from './markup-signs.test-support.ts'

const UNSAFE = '<!doctype html><title>unsafe</title><main id="console"></main>'

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end(UNSAFE)
})
let browser: Browser
let url = ''

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  browser = await launchBrowser()
})
after(async () => {
  await browser.close()
  server.close()
})

type Unsafe = { readonly page: Page; readonly signs: () => Promise<Signs> }

async function unsafePage(): Promise<Unsafe> {
  const page = await browser.newPage()
  const signs = watchMarkup(page)
  await page.goto(url)
  // What it asks for was seen by then, and goes nowhere.
  await page.route('**/*', (route) => route.fulfill({ status: 204 }))
  return { page, signs }
}

/** As a page does that takes text for markup. How many elements it became. */
function show(page: Page, text: string): Promise<number> {
  return page.evaluate((given) => {
    const root = document.getElementById('console')
    root?.replaceChildren(document.createRange().createContextualFragment(given))
    return root?.querySelectorAll('*').length ?? 0
  }, text)
}

/** They become elements that nothing can be told by: one asks for something, one does nothing at all. */
const UNMARKED = /^<(div style=|scr<script>)/

test('whatever becomes elements is found among them', async () => {
  const { page, signs } = await unsafePage()
  let found = 0
  for (const text of payloads()) {
    const elements = await show(page, text)
    const { markup } = await signs()
    if (markup.length > 0) found += 1
    else assert.ok(elements === 0 || UNMARKED.test(text), JSON.stringify(text))
  }
  assert.ok(found > 100, `${found} of them are markup`)
})

test('one that ran is found', async () => {
  const { page, signs } = await unsafePage()
  const text = payloads().find((one) => one.startsWith('<img src=x onerror=')) ?? ''
  await show(page, text)
  await page.waitForFunction(() => 'hit' in window)
  assert.equal((await signs()).hit, true)
})

test('one that asked for something is found, though no element tells', async () => {
  const { page, signs } = await unsafePage()
  const text = payloads().find((one) => one.startsWith('<div style=')) ?? ''
  const asked = page.waitForRequest((request) => request.url().includes(FETCHED))
  await show(page, text)
  await asked
  const { markup, fetched } = await signs()
  assert.deepEqual([markup.length, fetched.length], [0, 1])
})

test('shown as text, none of them is found', async () => {
  const { page, signs } = await unsafePage()
  const all = payloads()
  const shown = await page.evaluate((texts) => {
    const root = document.getElementById('console')
    root?.replaceChildren(...texts)
    return [...(root?.childNodes ?? [])].map(({ textContent }) => textContent)
  }, all)
  assert.deepEqual(shown, all)
  assert.deepEqual(await signs(), DEAD)
})
