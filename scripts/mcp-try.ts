/**
 * `npm run mcp:try`: the gateway as others' programs meet it. Installs the MCP Inspector, the official client libraries
 * and the conformance suite into a temporary folder, and works with each of them through the gateway against the
 * reference servers: every tool of theirs as the list says, and calls that are refused, wait, repeat and break off.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConformanceReport,
  tryClientScenarios,
  tryServerScenarios,
} from './mcp-try/conformance.ts'
import { DOORS, type Door, findDoor } from './mcp-try/doors.ts'
import { openInspector } from './mcp-try/inspector.ts'
import { preparePlace, setUpGateway, startPlace, type TriedPlace } from './mcp-try/place.ts'
import { loadLibraryClients } from './mcp-try/sdk-clients.ts'
import type { TriedClient } from './mcp-try/target.ts'
import { type TriedCase, tryCases } from './mcp-try/try-cases.ts'
import {
  callDirectly,
  callThroughGateway,
  type ToolResults,
  type TriedTool,
  toShown,
} from './mcp-try/try-tools.ts'
import { buildStrangersEnvironment, demand } from './pack.ts'
import { run, say } from './shell.ts'

const json = process.argv.includes('--json')
const keep = process.argv.includes('--keep')

type Way = { readonly client: TriedClient; readonly door: Door }

/** `--only NAME`: one of the clients, one of the doors, or `conformance`. */
function isOnly(...names: readonly string[]): boolean {
  const at = process.argv.indexOf('--only')
  return at === -1 || names.includes(process.argv[at + 1] ?? '')
}

/** What is installed, and nothing newer: another release is tried when it is named here. */
const INSTALLED = {
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/conformance': '0.1.16',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/sdk': '1.32.2',
} as const

type ProgramEnvironment = Readonly<Record<string, string>>

type ClientReport = {
  readonly client: string
  readonly door: Door
  readonly ok: boolean
  readonly tools: number
  readonly cases: readonly TriedCase[]
  readonly problems: readonly string[]
  /** With what every tool is expected to be answered. */
  readonly outcomes: Readonly<Record<string, number>>
}

function reportProgress(line: string): void {
  if (json) process.stderr.write(`${line}\n`)
  else say(line)
}

function install(folder: string): string {
  const place = join(folder, 'clients')
  mkdirSync(place)
  const manifest = { name: 'clients', version: '1.0.0', private: true, type: 'module' }
  const dependencies = INSTALLED
  writeFileSync(join(place, 'package.json'), JSON.stringify({ ...manifest, dependencies }))
  const env = buildStrangersEnvironment(folder)
  demand('npm install', run('npm', ['install', '--no-audit', '--no-fund'], { cwd: place, env }))
  return place
}

/** All that a program of others gets: what it writes for its user lies below the folder. */
function buildEnvironment(folder: string): ProgramEnvironment {
  const home = join(folder, 'home')
  mkdirSync(home)
  const { PATH = '' } = process.env
  return { HOME: home, TMPDIR: home, PATH, NODE_NO_WARNINGS: '1' }
}

/** Made once, with the command, and copied for every client: a client finds the place as if nobody had used it. */
function prepareTemplate(folder: string, env: ProgramEnvironment): string {
  const place = preparePlace(join(folder, 'place'), env)
  setUpGateway(place)
  const template = join(folder, 'template')
  cpSync(place.folder, template, { recursive: true, preserveTimestamps: true })
  return template
}

function copyPlace({ folder: place }: TriedPlace, template: string): void {
  rmSync(place, { recursive: true, force: true })
  cpSync(template, place, { recursive: true, preserveTimestamps: true })
}

async function tryClient(
  place: TriedPlace,
  template: string,
  { client, door }: Way,
  direct: ToolResults,
): Promise<ClientReport> {
  copyPlace(place, template)
  const running = await startPlace(place)
  try {
    const session = await client.connect(findDoor(place, running, door))
    const missing = findMissing(place, await session.listTools())
    const tools = await callThroughGateway(place, session, direct)
    const cases = await tryCases(place, session)
    await session.close()
    return summarise({ client, door }, tools, cases, missing)
  } finally {
    await running.stop()
  }
}

function findMissing({ expected }: TriedPlace, listed: readonly string[]): readonly string[] {
  return expected
    .map(toShown)
    .filter((name) => !listed.includes(name))
    .map((name) => `${name} is not listed`)
}

function summarise(
  { client, door }: Way,
  tools: readonly TriedTool[],
  cases: readonly TriedCase[],
  missing: readonly string[],
): ClientReport {
  const problems = [
    ...missing,
    ...tools.flatMap(({ tool, problem }) => (problem === null ? [] : [`${tool} ${problem}`])),
    ...cases.flatMap((one) => (one.problem === null ? [] : [`${one.case}: ${one.problem}`])),
  ]
  const groups = [...Map.groupBy(tools, ({ expected }) => expected)]
  const outcomes = Object.fromEntries(groups.map(([name, { length }]) => [name, length]))
  const ok = problems.length === 0
  return { client: client.name, door, ok, tools: tools.length, outcomes, cases, problems }
}

async function trySuite(
  place: TriedPlace,
  template: string,
  installed: string,
): Promise<readonly ConformanceReport[]> {
  reportProgress('the conformance suite, as far as it fits a gateway')
  copyPlace(place, template)
  const running = await startPlace(place)
  try {
    const door = findDoor(place, running, 'http')
    if (door.kind !== 'address') throw new Error('the suite asks at an address')
    const reports = [
      ...(await tryServerScenarios(installed, door, place.env)),
      ...(await tryClientScenarios(installed, place.env)),
    ]
    for (const { side, scenario, problem } of reports)
      if (problem !== null) reportProgress(`✖ conformance of a ${side}, ${scenario}: ${problem}`)
    return reports
  } finally {
    await running.stop()
  }
}

async function runMcpTry(folder: string): Promise<boolean> {
  reportProgress('installing the clients into an empty folder')
  const installed = install(folder)
  const env = buildEnvironment(folder)
  const clients = [...(await loadLibraryClients(installed)), openInspector(installed, env)]
  const [first] = clients
  if (first === undefined) throw new Error('there is no client')
  reportProgress('every tool directly')
  const place = preparePlace(join(folder, 'place'), env)
  const direct = await callDirectly(place, first)
  reportProgress('setting up the gateway')
  const template = prepareTemplate(folder, env)
  const reports: ClientReport[] = []
  const ways = clients.flatMap((client) => DOORS.map((door) => ({ client, door })))
  for (const way of ways.filter(({ client, door }) => isOnly(client.name, door))) {
    const name = `${way.client.name} over ${way.door}`
    reportProgress(`${name}: every tool through the gateway`)
    const report = await tryClient(place, template, way, direct)
    for (const problem of report.problems) reportProgress(`✖ ${name}: ${problem}`)
    reports.push(report)
  }
  const suite = isOnly('conformance') ? await trySuite(place, template, installed) : []
  const ok = reports.every((report) => report.ok) && suite.every(({ problem }) => problem === null)
  if (json) say(JSON.stringify({ ok, installed: INSTALLED, clients: reports, conformance: suite }))
  else say(ok ? 'ok: every client works through the gateway' : 'not as expected')
  return ok
}

const folder = mkdtempSync(join(tmpdir(), 'rubicon-mcp-'))
try {
  if (!(await runMcpTry(folder))) process.exitCode = 1
} catch (error) {
  process.stderr.write(`mcp:try: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  if (keep) reportProgress(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
