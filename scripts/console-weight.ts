/**
 * How much a browser that knows nothing yet loads before it shows the first page: every file of the console, compressed as
 * a proxy in front of the server would. Typefaces and pictures are compressed already.
 */
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'

/** On a slow phone (1.6 Mbit/s) two seconds. */
export const FIRST_PAGE_BYTES = 400_000

const COMPRESSED = /\.(woff2|png)$/

export async function measureFirstPage(
  browser: Browser,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const bodies: Promise<{ readonly path: string; readonly body: Buffer }>[] = []
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname
      if (!path.startsWith('/v1/')) bodies.push(response.body().then((body) => ({ path, body })))
    })
    await page.goto(`${url}/#token=${token}`)
    await page.locator('main h1').waitFor()
    await page.locator('main:not(:has(.loading))').waitFor()
    await page.evaluate('document.fonts.ready.then(() => {})')
    const files = await Promise.all(bodies)
    return files.reduce(
      (sum, { path, body }) => sum + (COMPRESSED.test(path) ? body : gzipSync(body)).length,
      0,
    )
  } finally {
    await context.close()
  }
}
