/**
 * `npm run console:check`: every page of the console, empty and full, while it loads and when it fails,
 * light and dark, wide and narrow, in a real browser: no error of the page, nothing that axe finds,
 * nothing asked for from elsewhere, nothing wider than the window. On a store of so many flows it is
 * also timed: when something is seen, and how long lists take; and what the first page weighs. Pictures go to
 * `docs/screenshots`.
 *
 * `--flows N` fills a smaller store, `--store ADDRESS --state FOLDER` uses one that `bench fill` made,
 * `--only NAME` looks at one page, `--no-pictures`, `--json`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from 'playwright-core'
import { runFillBench } from '../bench/src/fill.ts'
import { FILL_CAPABILITIES } from '../bench/src/fill-cast.ts'
import { createRuntime, type Runtime } from '../runtime/src/compose.ts'
import type { UpGateway } from '../server/src/cli/up-mcp.ts'
import { serveWithGateway } from '../server/src/http/serve.ts'
import { launchBrowser } from './browser.ts'
import { openConsoleGateway } from './console-gateway.ts'
import { fetchKnown } from './console-known.ts'
import { type Look, type LookFinding, lookAt } from './console-look.ts'
import { findKnownMesh, openConsoleMesh } from './console-mesh.ts'
import { type Condition, listPlaces, type Place } from './console-places.ts'
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

export type CheckReport = {
  readonly flows: number
  readonly looks: number
  readonly findings: readonly (LookFinding & { readonly at: string })[]
  /** By place, the median of all looks at it when it is full. */
  readonly fcp_ms: Readonly<Record<string, number>>
  /** By address, the same: of lists, and of everything else. */
  readonly list_ms: Readonly<Record<string, number>>
  readonly other_ms: Readonly<Record<string, number>>
  /** Pages and lists that take longer than they may. */
  readonly slow: readonly string[]
  /** What is loaded before the first page is there, compressed; at most `FIRST_PAGE_BYTES`. */
  readonly first_page_bytes: number
  readonly pictures: number
}

const FCP_MS = 1_000
const LIST_MS = 200
/** Not a thing by its name, and not the world at a moment of the past. */
const LISTS =
  /^\/v1\/(inbox|escalations|flows|executions|agents|monitors|decisions|writs|keys|trajectories|topics|topic-events|ledger\/entries|trajectories\/[^/?]+\/(entries|world))(\?(?!.*at=).*)?$/
const PICTURES = join(ROOT, 'docs/screenshots')

type Served = { readonly runtime: Runtime; readonly url: string; readonly token: string }

export async function checkConsole(options: CheckOptions): Promise<CheckReport> {
  buildConsole()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-console-'))
  const browser = await launchBrowser()
  const open: Runtime[] = []
  const serveStore = async (
    store: string,
    state: string,
    gate: UpGateway | null,
  ): Promise<Served> => {
    const runtime = await createRuntime({
      store,
      stateDirectory: state,
      capabilities: FILL_CAPABILITIES,
      report: () => {},
    })
    return serveRuntime(runtime, gate)
  }
  const serveRuntime = async (runtime: Runtime, gate: UpGateway | null): Promise<Served> => {
    open.push(runtime)
    // A token of its own: the store may have people already.
    const person = { name: 'console_check', newToken: true }
    await runtime.start()
    const door = gate === null ? {} : { mcp: gate.openDoor(runtime) }
    const { url, token } = await serveWithGateway(runtime, { port: 0, person }, door)
    return { runtime, url, token: token ?? '' }
  }
  const gate = await openConsoleGateway(folder)
  try {
    const place = await prepareStore(options, folder)
    const full = await serveStore(place.store, place.state, gate)
    const empty = await serveStore('memory', join(folder, 'empty'), null)
    const mesh = await serveRuntime(await openConsoleMesh(join(folder, 'mesh')), null)
    return await lookAround(browser, { full, empty, mesh }, options)
  } finally {
    await browser.close()
    for (const runtime of open) await runtime.close()
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
  readonly fcp: Map<string, number[]>
  readonly asked: Map<string, number[]>
  looks: number
  pictures: number
}

async function lookAround(
  browser: Browser,
  servers: { readonly full: Served; readonly empty: Served; readonly mesh: Served },
  options: CheckOptions,
): Promise<CheckReport> {
  const { themes, widths, only, note } = options
  const known = {
    ...(await fetchKnown(servers.full)),
    ...(await findKnownMesh(servers.mesh.runtime)),
  }
  const places = listPlaces(known).filter(({ name }) => only?.includes(name) ?? true)
  const seen: Seen = { findings: [], fcp: new Map(), asked: new Map(), looks: 0, pictures: 0 }
  for (const theme of themes)
    for (const width of widths)
      for (const served of [servers.empty, servers.full, servers.mesh]) {
        const isEmpty = served === servers.empty
        const isMesh = served === servers.mesh
        const shown = places.filter(({ ofMesh = false }) => isEmpty || ofMesh === isMesh)
        if (shown.length === 0) continue
        note(`${isEmpty ? 'empty' : 'full'}, ${theme}, ${width} pixels`)
        await lookAs(browser, served, { theme, width, isEmpty }, shown, options, seen)
      }
  const fcp_ms = computeMedians(seen.fcp)
  const asked = Object.entries(computeMedians(seen.asked))
  const list_ms = Object.fromEntries(asked.filter(([path]) => LISTS.test(path)))
  const other_ms = Object.fromEntries(asked.filter(([path]) => !LISTS.test(path)))
  const { store } = servers.full.runtime
  return {
    flows: await store.countRows({
      of: 'flows',
      state: ['CLOSED', 'ABORTED', 'ACTIVE', 'ESCALATED'],
    }),
    looks: seen.looks,
    findings: seen.findings,
    fcp_ms,
    list_ms,
    other_ms,
    slow: [...listExceeding(fcp_ms, FCP_MS), ...listExceeding(list_ms, LIST_MS)],
    first_page_bytes: await measureFirstPage(browser, servers.full),
    pictures: seen.pictures,
  }
}

type As = { readonly theme: Theme; readonly width: number; readonly isEmpty: boolean }

async function lookAs(
  browser: Browser,
  { url, token }: Served,
  as: As,
  places: readonly Place[],
  options: CheckOptions,
  seen: Seen,
): Promise<void> {
  const { theme, width, isEmpty } = as
  const viewport = { width, height: width > 600 ? 900 : 844 }
  const look = { colorScheme: theme, viewport }
  const [inside, outside] = [await browser.newContext(look), await browser.newContext(look)]
  try {
    await startSession(inside, url, token)
    for (const place of places)
      for (const condition of place.conditions) {
        if ((condition === 'empty') !== isEmpty) continue
        const isPhotographed = options.pictures && isPicture(place, condition, as)
        const context = place.signedOut === true ? outside : inside
        const found = await lookAt(context, url, place, condition, isPhotographed)
        const at = `${place.name} ${condition} ${theme} ${width}`
        seen.looks += 1
        seen.findings.push(...found.findings.map((finding) => ({ ...finding, at })))
        if (condition === 'full') recordTimes(seen, place.name, found)
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

/** Every page as most people see it, and the inbox as it is at night and in the hand. */
function isPicture({ name }: Place, condition: Condition, { theme, width }: As): boolean {
  if (condition !== 'full') return false
  const isPlain = theme === 'light' && width > 600
  return isPlain || (name === 'request' && (theme === 'dark' || width <= 600))
}

function formatPictureName({ name }: Place, { theme, width }: As): string {
  return [name, theme === 'dark' ? '-dark' : '', width > 600 ? '' : '-narrow'].join('')
}

function keepPicture(seen: Seen, name: string, image: Buffer): void {
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(join(PICTURES, `${name}.png`), image)
  seen.pictures += 1
}

function recordTimes({ fcp, asked }: Seen, name: string, { fcp_ms, asked_ms }: Look): void {
  fcp.set(name, [...(fcp.get(name) ?? []), fcp_ms])
  for (const [path, ms] of Object.entries(asked_ms))
    asked.set(path, [...(asked.get(path) ?? []), ms])
}

function computeMedians(
  times: ReadonlyMap<string, readonly number[]>,
): Readonly<Record<string, number>> {
  const computeMedian = (values: readonly number[]): number =>
    Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)
  return Object.fromEntries([...times].map(([name, values]) => [name, computeMedian(values)]))
}

function listExceeding(times: Readonly<Record<string, number>>, most: number): readonly string[] {
  return Object.entries(times)
    .filter(([, ms]) => ms >= most)
    .map(([name, ms]) => `${name}: ${ms} ms, not below ${most}`)
}

async function runConsoleCheck(): Promise<void> {
  const { values } = parseArgs({
    options: {
      flows: { type: 'string', default: '100000' },
      store: { type: 'string' },
      state: { type: 'string' },
      only: { type: 'string', multiple: true },
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
    pictures: !values['no-pictures'] && only === undefined,
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
