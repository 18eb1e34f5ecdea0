/**
 * The console in a real headless browser, on a real runtime in this process. Every request that leaves
 * the server's origin and every error of the page is kept, for the test to look at.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { createRuntime, type Runtime, type RuntimeOptions } from 'rubicon-runtime'
import { type Serving, serve } from '../../../server/src/http/serve.ts'
import { type HeldPage, heldPage } from './held-page.test-support.ts'
import { launchBrowser } from './machine-browser.test-support.ts'

export type OpenConsole = {
  readonly runtime: Runtime
  readonly url: string
  readonly token: string
  readonly page: Page
  readonly context: BrowserContext
  /** What the page complained of. */
  readonly errors: string[]
  /** What it asked for from elsewhere. */
  readonly foreign: string[]
  /** What it was answered is held against the API document. */
  readonly held: HeldPage
  /** Stops the server; the page stays open. */
  stopServer(): Promise<void>
  close(): Promise<void>
}

export type ConsoleOptions = {
  readonly runtime?: RuntimeOptions
  readonly dark?: boolean
  readonly width?: number
  /** Before anybody looks: what the runtime has seen by then. */
  readonly seed?: (runtime: Runtime) => Promise<void>
  /** In place of a server with nothing beside it. */
  readonly serve?: (runtime: Runtime) => Promise<Serving>
}

/** For a machine that does other things as well, or whose cores are taken away. */
const PATIENCE_MS = 60_000
/**
 * The browser of this process: to start one takes longer than most tests, and a context of its own shares nothing
 * with others. It ends when nobody has come back for it, so that it does not keep the process alive.
 */
let shared: Promise<Browser> | null = null
let users = 0
let ending: NodeJS.Timeout | undefined
/** From one test to the next. */
const UNUSED_MS = 1_000

function takeBrowser(): Promise<Browser> {
  clearTimeout(ending)
  users += 1
  shared ??= launchBrowser()
  return shared
}

function returnBrowser(): void {
  users -= 1
  if (users > 0) return
  ending = setTimeout(() => {
    const unused = shared
    shared = null
    void unused?.then((browser) => browser.close())
  }, UNUSED_MS)
}

/** Does nothing when it is built already; `npm test` has it built before. */
function buildConsole(): void {
  if (process.env.RUBICON_CONSOLE === 'built') return
  const script = new URL('../../../scripts/console-build.ts', import.meta.url)
  execFileSync(process.execPath, [script.pathname])
}

/** Signed in as an operator with every role, on the inbox. */
export async function openConsole(options: ConsoleOptions = {}): Promise<OpenConsole> {
  buildConsole()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-console-'))
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: folder,
    report: () => {},
    ...options.runtime,
  })
  await options.seed?.(runtime)
  const { url, token, close: stopServer } = await (options.serve ?? serveAlone)(runtime)
  const browser = await takeBrowser()
  const context = await browser.newContext({
    colorScheme: options.dark === true ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: 900 },
    // Nothing here looks at what moves, and each picture of it costs a processor.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const { errors, foreign } = watched(page, url)
  const held = heldPage(page, url)
  const close = async (): Promise<void> => {
    await held.settled()
    await context.close()
    returnBrowser()
    await runtime.close()
    rmSync(folder, { recursive: true })
  }
  try {
    await page.goto(`${url}/inbox#token=${token}`)
    await page.getByRole('banner').waitFor()
  } catch (error) {
    // Whoever fails here must not leave a browser behind that keeps the test alive.
    await close()
    throw error
  }
  return {
    runtime,
    url,
    token: token ?? '',
    page,
    context,
    errors,
    foreign,
    held,
    stopServer,
    close,
  }
}

function serveAlone(runtime: Runtime): Promise<Serving> {
  return serve(runtime, { port: 0 })
}

export function watched(
  page: Page,
  url: string,
): { readonly errors: string[]; readonly foreign: string[] } {
  const errors: string[] = []
  const foreign: string[] = []
  page.on('pageerror', (error) => void errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  return { errors, foreign }
}

/** What stands there, whether it can be seen or not. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? ''
}
