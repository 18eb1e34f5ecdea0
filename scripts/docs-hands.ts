/** What pages say that a person does, done in a real browser. */
import { launchBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import type { Reader } from './docs-reader.ts'

/** The dwell of a HIGH_IMPACT request, and some patience. */
const PATIENCE_MS = 40_000

type Hand = (reader: Reader) => Promise<void>

export const HANDS: Readonly<Record<string, Hand>> = {
  'override in the inbox': (reader) => overrideInInbox(reader, { request: /REFUND/, tab: 'mine' }),
  'approve the call in the inbox': (reader) =>
    overrideInInbox(reader, { request: /write_file/, tab: 'fast' }),
}

/** Follows the link that was printed, opens the one request, and approves it as it asks to be. */
async function overrideInInbox(
  { url, names }: Reader,
  { request, tab }: { readonly request: RegExp; readonly tab: 'fast' | 'mine' },
): Promise<void> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${url}/inbox#token=${names.get('rbo_…')}`)
    // What little is at stake for has a tab of its own.
    if (tab === 'fast') await page.locator('a.tab', { hasText: 'Fast track' }).click()
    await page.getByRole('link', { name: request }).click()
    const words = page.getByLabel(/to confirm/)
    await page.getByLabel('reason').waitFor()
    // Nothing has to be typed where little is at stake.
    if ((await words.count()) > 0) {
      const asked = await page.locator('label', { has: words }).locator('code').textContent()
      await words.fill(asked ?? '')
    }
    await page.getByLabel('reason').fill('the order is lost, and the customer is owed it')
    const decided = page.waitForResponse((response) => response.url().endsWith('/decision'))
    await page.getByRole('button', { name: 'Approve' }).click()
    const status = (await decided).status()
    if (status !== 200) throw new Error(`the decision was answered with ${status}`)
  } finally {
    await browser.close()
  }
}
