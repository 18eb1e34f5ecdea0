/**
 * `npm run console:check`: every page of the console, empty and full, while it loads and when it fails,
 * light and dark, wide and narrow, in a real browser: no error of the page, nothing that axe finds,
 * nothing asked for from elsewhere, nothing wider than the window. On a store of so many flows it is
 * also timed: when something is seen, and how long lists take; and what the first page weighs. What a filled store
 * has nothing of is looked at in a demo company, and so is what the docs show: its pictures go to `docs/screenshots`.
 *
 * `--flows N` fills a smaller store, `--store ADDRESS --state FOLDER` uses one that `bench fill` made,
 * `--only NAME` looks at one page, and renews its picture with `--pictures`; `--no-pictures`, `--json`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from 'playwright-core'
import { runFillBench } from '../bench/src/fill.ts'
import { FILL_CAPABILITIES } from '../bench/src/fill-cast.ts'
import { launchBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import { createRuntime, type Runtime } from '../runtime/src/compose.ts'
import type { UpGateway } from '../server/src/cli/up-mcp.ts'
import { serveWithGateway } from '../server/src/http/serve.ts'
import { type ConsoleDemo, openConsoleDemo } from './console-demo.ts'
import { NO_DEMO } from './console-demo-places.ts'
import { openConsoleGateway } from './console-gateway.ts'
import { fetchKnown } from './console-known.ts'
import { type LookFinding, lookAt, type PictureSize } from './console-look.ts'
import type { Condition, Place } from './console-place.ts'
import { listPlaces } from './console-places.ts'
import {
  createTimes,
  recordTimes,
  summariseTimes,
  type TakenTimes,
  type Times,
} from './console-times.ts'
import { FIRST_PAGE_BYTES, measureFirstPage } from './console-weight.ts'
import { formatSeconds, ROOT, run, say } from './shell.ts'

export type CheckOptions = {
  readonly flows: number
  readonly store?: string
  readonly state?: string
  /** Only these places. */
  readonly only?: readonly string[]
  readonly themes: readonly Theme[]
  readonly widths: readonly number[]
  readonly pictures: boolean
  readonly note: (line: string) => void
}

export type Theme = 'light' | 'dark'

export type CheckReport = Times & {
  readonly flows: number
  readonly looks: number
  readonly findings: readonly (LookFinding & { readonly at: string })[]
  /** What is loaded before the first page is there, compressed; at most `FIRST_PAGE_BYTES`. */
  readonly first_page_bytes: number
  readonly pictures: number
}

const PICTURES = join(ROOT, 'docs/screenshots')

type Served = { readonly url: string; readonly token: string }
type ServedRuntime = Served & { readonly runtime: Runtime }

export async function checkConsole(options: CheckOptions): Promise<CheckReport> {
  buildConsole()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-console-'))
  const browser = await launchBrowser()
  const open: (() => Promise<void>)[] = []
  const serveStore = async (
    store: string,
    state: string,
    gate: UpGateway | null,
  ): Promise<ServedRuntime> => {
    const runtime = await createRuntime({
      store,
      stateDirectory: state,
      capabilities: FILL_CAPABILITIES,
      report: () => {},
    })
    open.push(() => runtime.close())
    // A token of its own: the store may have people already.
    const person = { name: 'console_check', newToken: true }
    await runtime.start()
    const door = gate === null ? {} : { mcp: gate.openDoor(runtime) }
    const { url, token } = await serveWithGateway(runtime, { port: 0, person }, door)
    return { runtime, url, token: token ?? '' }
  }
  const openDemo = async (): Promise<ConsoleDemo> => {
    options.note('starting a demo company')
    const demo = await openConsoleDemo(join(folder, 'demo'))
    open.push(() => demo.stop())
    return demo
  }
  const gate = await openConsoleGateway(folder)
  try {
    const place = await prepareStore(options, folder)
    const full = await serveStore(place.store, place.state, gate)
    const empty = await serveStore('memory', join(folder, 'empty'), null)
    return await lookAround(browser, { full, empty, openDemo }, options)
  } finally {
    await browser.close()
    for (const close of open) await close()
    await gate.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a process of its own: what it says is not ours to print. */
function buildConsole(): void {
  const { ok, stderr } = run(process.execPath, ['scripts/console-build.ts'])
  if (!ok) throw new Error(`the console cannot be built: ${stderr}`)
}

async function prepareStore(
  { store, state, flows, note }: CheckOptions,
  folder: string,
): Promise<{ readonly store: string; readonly state: string }> {
  if (store !== undefined && state !== undefined) return { store, state }
  const made = { store: `sqlite:${join(folder, 'full.db')}`, state: join(folder, 'full') }
  note(`filling a store with ${flows} flows`)
  await runFillBench({ ...made, flows, seed: 1, note })
  return made
}

type Seen = {
  readonly findings: (LookFinding & { readonly at: string })[]
  readonly times: TakenTimes
  looks: number
  pictures: number
}

type Servers = {
  readonly full: ServedRuntime
  readonly empty: Served
  readonly openDemo: () => Promise<ConsoleDemo>
}

async function lookAround(
  browser: Browser,
  { full, empty, openDemo }: Servers,
  options: CheckOptions,
): Promise<CheckReport> {
  const { themes, widths, only, note } = options
  const known = await fetchKnown(full)
  const isWanted = ({ name }: Place): boolean => only?.includes(name) ?? true
  const names = listPlaces(known, NO_DEMO).filter(isWanted)
  if (names.length === 0) throw new Error(`no place is called ${only?.join(', ')}`)
  // It takes a while to start, and most places are none of its.
  const demo = names.some(({ ofDemo }) => ofDemo === true) ? await openDemo() : null
  const places = listPlaces(known, demo?.known ?? NO_DEMO).filter(isWanted)
  const seen: Seen = { findings: [], times: createTimes(), looks: 0, pictures: 0 }
  for (const theme of themes)
    for (const width of widths)
      for (const served of [empty, full, ...(demo === null ? [] : [demo])]) {
        const [isEmpty, isDemo] = [served === empty, served === demo]
        const shown = places.filter(
          ({ ofDemo = false, narrow = false }) => ofDemo === isDemo && (!narrow || width <= NARROW),
        )
        note(`${isEmpty ? 'empty' : isDemo ? 'the demo' : 'full'}, ${theme}, ${width} pixels`)
        await lookAs(browser, served, { theme, width, isEmpty, isDemo }, shown, options, seen)
      }
  const { store } = full.runtime
  return {
    flows: await store.countRows({
      of: 'flows',
      state: ['CLOSED', 'ABORTED', 'ACTIVE', 'ESCALATED'],
    }),
    looks: seen.looks,
    findings: seen.findings,
    ...summariseTimes(seen.times),
    first_page_bytes: await measureFirstPage(browser, full),
    pictures: seen.pictures,
  }
}

/** The whole page is what was opened, and pages are in a drawer. */
const NARROW = 600

type As = {
  readonly theme: Theme
  readonly width: number
  readonly isEmpty: boolean
  readonly isDemo: boolean
}

async function lookAs(
  browser: Browser,
  { url, token }: Served,
  as: As,
  places: readonly Place[],
  options: CheckOptions,
  seen: Seen,
): Promise<void> {
  const { theme, width, isEmpty, isDemo } = as
  const viewport = { width, height: width > NARROW ? 900 : 844 }
  const look = { colorScheme: theme, viewport }
  const [inside, outside] = [await browser.newContext(look), await browser.newContext(look)]
  try {
    await startSession(inside, url, token)
    for (const place of places)
      for (const condition of place.conditions) {
        if ((condition === 'empty') !== isEmpty) continue
        const picture = options.pictures ? choosePicture(place, condition, as) : null
        const context = place.signedOut === true ? outside : inside
        const found = await lookAt(context, url, place, condition, picture)
        const at = `${place.name} ${condition} ${theme} ${width}`
        seen.looks += 1
        seen.findings.push(...found.findings.map((finding) => ({ ...finding, at })))
        if (condition === 'full') recordTimes(seen.times, place.name, found, isDemo)
        if (found.image !== null) keepPicture(seen, formatPictureName(place, as), found.image)
      }
  } finally {
    await inside.close()
    await outside.close()
  }
}

async function startSession(context: BrowserContext, url: string, token: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/inbox#token=${token}`)
  await page.getByRole('banner').waitFor()
  await page.close()
}

/** By day, as most people see it; null: none is kept. */
function choosePicture(
  { pictures }: Place,
  condition: Condition,
  { theme, width }: As,
): PictureSize | null {
  if (condition !== 'full' || theme !== 'light') return null
  const height = width > NARROW ? pictures?.wide : pictures?.narrow
  return height === undefined ? null : { width, height }
}

function formatPictureName({ name }: Place, { width }: As): string {
  return `${name.replace(/-demo$/, '')}${width > NARROW ? '' : '-narrow'}`
}

function keepPicture(seen: Seen, name: string, image: Buffer): void {
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(join(PICTURES, `${name}.png`), image)
  seen.pictures += 1
}

async function runConsoleCheck(): Promise<void> {
  const { values } = parseArgs({
    options: {
      flows: { type: 'string', default: '100000' },
      store: { type: 'string' },
      state: { type: 'string' },
      only: { type: 'string', multiple: true },
      pictures: { type: 'boolean', default: false },
      'no-pictures': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { store, state, only } = values
  const start = performance.now()
  const report = await checkConsole({
    flows: Number(values.flows),
    ...(store === undefined ? {} : { store }),
    ...(state === undefined ? {} : { state }),
    ...(only === undefined ? {} : { only }),
    themes: ['light', 'dark'],
    widths: [1440, 390],
    pictures: !values['no-pictures'] && (only === undefined || values.pictures),
    note: (line) => process.stderr.write(`› ${line}\n`),
  })
  const isHeavy = report.first_page_bytes > FIRST_PAGE_BYTES
  const isFine = report.findings.length === 0 && report.slow.length === 0 && !isHeavy
  if (values.json) say(JSON.stringify({ ...report, ok: isFine }))
  else {
    for (const { at, what, detail } of report.findings) say(`✖ ${at}: ${what}: ${detail}`)
    for (const line of report.slow) say(`✖ ${line}`)
    const weight = `first page: ${report.first_page_bytes} bytes of at most ${FIRST_PAGE_BYTES}`
    say(isHeavy ? `✖ ${weight}` : weight)
    say(`${report.looks} looks, ${report.findings.length} findings, ${report.slow.length} slow`)
    say(`${isFine ? 'ok' : 'not ok'} in ${formatSeconds(performance.now() - start)}`)
  }
  if (!isFine) process.exitCode = 4
}

if (import.meta.main) await runConsoleCheck()
