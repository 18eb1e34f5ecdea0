/** Some pages of the console, as `npm run console:check` looks at all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from './browser.ts'
import { checkConsole } from './console-check.ts'
import { lookAt } from './console-look.ts'
import { FIRST_PAGE_BYTES } from './console-weight.ts'

const LINES = { flows: 40, pictures: false, note: () => {} } as const

test('pages that are empty, full, loading or failed have no fault', async () => {
  const report = await checkConsole({
    ...LINES,
    only: ['inbox', 'flow'],
    themes: ['light'],
    // The narrow one, in which most goes wrong; all of them: `npm run console:check`.
    widths: [390],
  })
  assert.deepEqual(report.findings, [])
  // The inbox in four conditions and a flow in three.
  assert.equal(report.looks, 7)
  assert.ok(report.flows >= 40)
  assert.ok(report.first_page_bytes > 0 && report.first_page_bytes <= FIRST_PAGE_BYTES)
})

test('a page with faults is found out', async (t) => {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const url = 'http://console.test'
  await context.route('**/*', (route) =>
    route.request().url().startsWith(`${url}/`)
      ? route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><html><body><main><h1></h1><img src="http://elsewhere.test/a.png">
            <p style="width: 900px">wide</p></main><script>throw new Error('no')</script></body></html>`,
        })
      : route.abort(),
  )
  const place = { name: 'bad', path: '/', conditions: ['full'], shows: 'main p' } as const
  const { findings } = await lookAt(context, url, place, 'full', false)
  const kinds = new Set(findings.map(({ what }) => what))
  assert.deepEqual([...kinds].sort(), ['axe', 'error', 'foreign', 'overflow'])
})
