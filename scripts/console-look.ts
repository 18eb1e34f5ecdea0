/**
 * Looks at one place of the console, in one condition, one theme and one width: what the page complained
 * of, what axe found, what was asked for from elsewhere, and how long it took to be seen.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page, Route } from 'playwright-core'
import type { Condition, Place } from './console-place.ts'
import { takePageStep } from './everyday/take-steps.ts'
import type { PageStep } from './everyday/task.ts'

export type LookFinding = {
  readonly what: 'error' | 'axe' | 'foreign' | 'overflow' | 'missing'
  readonly detail: string
}

export type Look = {
  readonly findings: readonly LookFinding[]
  readonly fcp_ms: number
  /** How long the server took for what the page asked it, by address. */
  readonly asked_ms: Readonly<Record<string, number>>
  readonly image: Buffer | null
}

export type PictureSize = { readonly width: number; readonly height: number }

const PATIENCE_MS = 30_000
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function lookAt(
  context: BrowserContext,
  url: string,
  place: Place,
  condition: Condition,
  picture: PictureSize | null,
): Promise<Look> {
  const page = await context.newPage()
  try {
    page.setDefaultTimeout(PATIENCE_MS)
    const findings: LookFinding[] = []
    watch(page, url, condition, findings)
    if (condition === 'loading' || condition === 'failed')
      await page.route('**/v1/**', createRouteHandler(condition))
    await page.goto(`${url}${place.path}`)
    const missing = await showPlace(page, condition, place)
    if (missing !== null) findings.push({ what: 'missing', detail: missing })
    findings.push(...(await findAxeProblems(page)), ...(await findOverflow(page)))
    const times = await readTimes(page)
    return { findings, ...times, image: picture === null ? null : await takePicture(page, picture) }
  } finally {
    await page.close()
  }
}

async function takePicture(page: Page, size: PictureSize): Promise<Buffer> {
  await page.setViewportSize(size)
  await page.evaluate(ANIMATIONS_END)
  return page.screenshot()
}

function watch(page: Page, url: string, condition: Condition, findings: LookFinding[]): void {
  // That the server refuses is what is looked at then, and browsers say so by themselves.
  const isExpected = (text: string): boolean =>
    condition === 'failed' && text.startsWith('Failed to load resource')
  page.on('pageerror', (error) => findings.push({ what: 'error', detail: error.message }))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !isExpected(text))
      findings.push({ what: 'error', detail: text })
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) findings.push({ what: 'foreign', detail: request.url() })
  })
}

/** Who is signed in is answered; nothing else is, or everything else is refused. */
function createRouteHandler(condition: 'loading' | 'failed'): (route: Route) => Promise<void> {
  return async (route) => {
    if (route.request().url().endsWith('/v1/sign-in')) return route.continue()
    if (condition === 'loading') return
    await route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'urn:rubicon:reason:STORE_ERROR',
        title: 'the store does not answer',
        status: 503,
        code: 'STORE_ERROR',
        detail: 'the store does not answer',
        fix: 'look at the log of the runtime',
      }),
    })
  }
}

/** Null once it shows what it should; else what is missing. */
async function showPlace(
  page: Page,
  condition: Condition,
  { shows, command, steps = [] }: Place,
): Promise<string | null> {
  const wanted = {
    empty: command === true ? '.outcome-command code' : 'main h1',
    full: shows,
    // What a list says is not seen where what was opened from it is the whole page.
    loading: 'main .loading:visible',
    failed: '[role="alert"]:visible',
  }[condition]
  try {
    if (condition === 'full') await takeSteps(page, steps)
    await page.locator(wanted).first().waitFor()
    if (condition !== 'loading') await page.locator(NOTHING_LOADS).waitFor()
    // What is faded in is seen when it is there.
    await page.evaluate(ANIMATIONS_END)
    return null
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return `\`${wanted}\` does not come: ${said}`
  }
}

async function takeSteps(page: Page, steps: readonly PageStep[]): Promise<void> {
  if (steps.length === 0) return
  await page.locator('main h1').waitFor()
  await page.locator(NOTHING_LOADS).waitFor()
  for (const step of steps) await takePageStep(page, step)
}

/** A selector: the pages forbid that a text is run. */
const NOTHING_LOADS = 'main:not(:has(.loading))'
const ANIMATIONS_END = `Promise.all(document.getAnimations()
  .filter((one) => one.effect?.getTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {}))).then(() => {})`

async function findAxeProblems(page: Page): Promise<readonly LookFinding[]> {
  await page.evaluate(AXE)
  const found = parseViolations(
    await page.evaluate("axe.run(document, { resultTypes: ['violations'] })"),
  )
  return found.violations.map(({ id, nodes }) => ({
    what: 'axe',
    detail: `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  }))
}

type Violations = {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

function parseViolations(found: unknown): Violations {
  return found as Violations
}

async function findOverflow(page: Page): Promise<readonly LookFinding[]> {
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  const pixels = Number(wide)
  return pixels > 1 ? [{ what: 'overflow', detail: `${pixels} pixels too wide` }] : []
}

async function readTimes(page: Page): Promise<Pick<Look, 'fcp_ms' | 'asked_ms'>> {
  return parseTimes(
    await page.evaluate(`({
      fcp_ms: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      asked_ms: Object.fromEntries(performance.getEntriesByType('resource')
        .filter(({ name }) => name.includes('/v1/') && !name.includes('/v1/events'))
        .map(({ name, duration }) => [new URL(name).pathname + new URL(name).search, duration])),
    })`),
  )
}

function parseTimes(found: unknown): Pick<Look, 'fcp_ms' | 'asked_ms'> {
  return found as Pick<Look, 'fcp_ms' | 'asked_ms'>
}
