/** What axe finds on a page as it stands: the rule, and where. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RUN =
  "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))"

export async function findAxeProblems(page: Page): Promise<unknown> {
  await page.evaluate(AXE)
  return page.evaluate(RUN)
}
