/** Two keys in a row, which mean a page. */
import type { Page } from 'playwright-core'

/** On a busy machine the second key can come too late to be one of the first; a person would press both again. */
const TRIES = 5
const PATIENCE_MS = 12_000

export async function goByKeys(page: Page, key: string, path: string): Promise<void> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    for (const one of ['g', key]) await page.keyboard.press(one)
    const isThere = await page
      .waitForURL((url) => url.pathname === path, { timeout: PATIENCE_MS })
      .then(
        () => true,
        () => false,
      )
    if (isThere) return
  }
  throw new Error(`\`g ${key}\` did not lead to ${path}`)
}
