/**
 * `rubicon sim canary`: one credential of every kind, a day of work on which most things fail, and a search for each of
 * them wherever somebody else can look: logs, answers, events, the ledger and its exports, traces, metrics, files, the
 * variables of programs, and the process of the agent.
 *
 * A search that finds nothing proves something only if each credential was in use, which is looked at too, and if it
 * finds the way out of a runtime with a mistake (`sim/src/patches/canary.ts`).
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAgentKey, signKeyRegistration } from 'rubicon-agents'
import { openKeyFolder } from '../../../runtime/src/adapters/system/key-folder.ts'
import { listChannelSettings, writeChannelsFile } from './channel-files.ts'
import { type Credential, toCredential } from './credential.ts'
import { type LeakyOutside, startLeakyOutside } from './outside.ts'
import { type HeardProcess, runRubicon, startAgent, startHouse } from './processes.ts'
import { type HouseConfig, LEAKY_AGENT, RECEIVED } from './protocol.ts'
import { findLeaks, readPlaces, type SearchedPlace, type SecretLeak } from './search.ts'
import { writeToolFiles } from './tool-files.ts'
import {
  type ChosenName,
  OWN_PLACES,
  openVault,
  type SecretVault,
  toKeyCredential,
} from './vault.ts'
import { Visitor } from './visitor.ts'

export type CanaryReport = {
  readonly credentials: number
  readonly places_searched: number
  readonly bytes: number
  readonly leaks: number
  readonly found: readonly SecretLeak[]
  /** Credentials that nothing was done with: of them nothing is shown. */
  readonly unused: readonly string[]
}

export type CanaryOptions = {
  /** One look at everything, and few verbs. */
  readonly isSmall?: boolean
  /** Whether the memory of the agent is searched, which takes some seconds. */
  readonly heap?: boolean
  readonly progress?: (done: number, of: number) => void
}

const STAGES = 5

export async function runCanaryProof(options: CanaryOptions = {}): Promise<CanaryReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rubicon-canary-')))
  const outside = await startLeakyOutside()
  try {
    return await playDay(folder, outside, options)
  } finally {
    await outside.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function playDay(
  folder: string,
  outside: LeakyOutside,
  { isSmall = false, heap = false, progress = () => {} }: CanaryOptions,
): Promise<CanaryReport> {
  const vault = openVault(join(folder, 'vault'))
  const { tools, variables: programVariables } = writeToolFiles(
    join(folder, 'tools'),
    vault,
    outside,
  )
  const config = await buildConfig(folder, vault, outside, tools)
  const file = join(folder, 'house.json')
  writeFileSync(file, JSON.stringify(config))
  const places: SearchedPlace[] = [{ name: 'settings', bytes: readFileSync(file) }]
  const agentFolder = join(folder, 'agent')
  mkdirSync(agentFolder)
  const token = vault.chosen['token of a person'].value
  const orders = { keyFile: vault.agentKeyFile, folder: agentFolder }

  const variables = { HOME: folder, ...vault.environment }
  const first = await startHouse('the runtime', file, variables)
  const day = new Visitor(first.url, token)
  day.follow()
  const agent = startAgent('the agent', { ...orders, url: first.url, hangs: false, heap })
  await agent.end()
  if (agent.exitCode !== 0) throw new Error(`the agent failed: ${agent.listPlaces()[0]?.bytes}`)
  progress(1, STAGES)
  await day.trySigningIn()
  await day.tryChannels(listChannelSettings(outside))
  if (!isSmall) await day.visitAll(LEAKY_AGENT)
  progress(2, STAGES)
  const late = startAgent('an agent that waits', {
    ...orders,
    url: first.url,
    hangs: true,
    heap: false,
  })
  await crashWhileAsking(first.house, late, outside)
  await day.leave()

  const second = await startHouse('the runtime after its crash', file, variables)
  const evening = new Visitor(second.url, token)
  await evening.visitAll(LEAKY_AGENT)
  await second.house.end('SIGTERM')
  progress(3, STAGES)
  places.push(...(await listCommandPlaces(config, vault, outside, isSmall)))
  progress(4, STAGES)
  for (const one of [first.house, second.house, agent, late]) places.push(...one.listPlaces())
  places.push(...day.places, ...evening.places)
  for (const [name, at] of [
    ['agent', agentFolder],
    ['state', config.state],
    ['store', join(folder, 'store')],
  ] as const)
    places.push(...readPlaces(name, at))
  places.push({ name: 'traces', bytes: readFileSync(join(folder, 'traces.ndjson')) })
  if (existsSync(programVariables))
    places.push({ name: OWN_PLACES.program, bytes: readFileSync(programVariables) })
  const credentials = listCredentials(vault, config, agentFolder, [
    ...day.cookies,
    ...evening.cookies,
  ])
  const found = findLeaks(credentials, places)
  progress(STAGES, STAGES)
  return {
    credentials: credentials.length,
    places_searched: places.length,
    bytes: places.reduce((sum, { bytes }) => sum + bytes.length, 0),
    leaks: found.length,
    found: found.slice(0, SHOWN),
    unused: listUnused(vault, outside, programVariables),
  }
}

const SHOWN = 20

async function buildConfig(
  folder: string,
  vault: SecretVault,
  outside: LeakyOutside,
  tools: string,
): Promise<HouseConfig> {
  mkdirSync(join(folder, 'store'))
  const { getFile } = vault
  const key = await parseAgentKey(readFileSync(vault.agentKeyFile, 'utf8'))
  return {
    folder,
    store: `sqlite:${join(folder, 'store', 'rubicon.db')}`,
    state: join(folder, 'state'),
    tools,
    channels: writeChannelsFile(folder, vault, outside),
    files: {
      passphrase: getFile('passphrase of the keys'),
      token: getFile('token of a person'),
      anthropic: getFile('key of anthropic'),
      google: getFile('key of google'),
      adviser: getFile('key of an adviser'),
      oidc: getFile('client secret of OpenID'),
      webhook: getFile('secret of a webhook'),
    },
    outsideUrl: outside.url,
    closedUrl: outside.closedUrl,
    registration: await signKeyRegistration(key, LEAKY_AGENT),
  }
}

const PATIENCE_MS = 20_000

/** The process ends while a model is asked: nobody cleans up behind it. */
async function crashWhileAsking(
  house: HeardProcess,
  agent: HeardProcess,
  outside: LeakyOutside,
): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (outside.countHanging() === 0 && Date.now() < until) await sleep(10)
  await house.end('SIGKILL')
  await agent.end('SIGTERM')
}

/** Verbs on what is left, and on a database that is not there or says the password again. */
async function listCommandPlaces(
  { store, state }: HouseConfig,
  vault: SecretVault,
  outside: LeakyOutside,
  isSmall: boolean,
): Promise<readonly SearchedPlace[]> {
  const at = ['--store', store, '--state', state]
  const password = vault.chosen['password of Postgres'].value
  const closed = new URL(outside.closedUrl).port
  const buildAddress = (port: number | string): string =>
    `postgres://rubicon:${password}@127.0.0.1:${port}/rubicon`
  const home = { HOME: state }
  const telling = { ...home, RUBICON_STORE: buildAddress(outside.postgresPort) }
  const absent = { ...home, RUBICON_STORE: buildAddress(closed) }
  const passphrase = vault.getFile('passphrase of the keys')
  const verbs = [
    [['doctor', '--state', state], telling],
    [['ledger', 'export', ...at], home],
    [['doctor', ...at, '--passphrase-file', passphrase], home],
    [['doctor', ...at, '--passphrase-file', vault.getFile('key of google')], home],
    [['export', '--trajectories', ...at], home],
    [['flows', 'list', ...at], home],
    [['flows', 'list', '--state', state], absent],
  ] as const
  const given = isSmall ? verbs.slice(0, FEW_VERBS) : verbs
  const places: SearchedPlace[] = []
  for (const [argv, variables] of given) places.push(...(await runRubicon(argv, variables)))
  return places
}

const FEW_VERBS = 2

function listCredentials(
  vault: SecretVault,
  { state }: HouseConfig,
  agentFolder: string,
  cookies: readonly string[],
): readonly Credential[] {
  const keys = join(state, 'keys')
  const opened = openKeyFolder(keys, vault.chosen['passphrase of the keys'].value)
  const sealed = readdirSync(keys).flatMap((name) => /^(.+)\.sealed$/.exec(name)?.[1] ?? [])
  const received = readFileSync(join(agentFolder, RECEIVED), 'utf8')
  const sessions = [...received.matchAll(/"session_token":"([^"]+)"/g)].flatMap(
    ([, one]) => one ?? [],
  )
  return [
    ...Object.values(vault.chosen),
    vault.agentKey,
    ...sealed.map((name) => toKeyCredential(`key file ${name}`, opened.read(name))),
    ...sessions.map((one) =>
      toCredential('session of an agent', Buffer.from(one), OWN_PLACES.agent),
    ),
    ...cookies.map((one) =>
      toCredential('cookie of a person', Buffer.from(one), ['POST /v1/session']),
    ),
  ]
}

/** Those that go over a wire or to a program were seen there. */
function listUnused(
  { chosen }: SecretVault,
  outside: LeakyOutside,
  variables: string,
): readonly string[] {
  const sent: readonly ChosenName[] = [
    'key of openai',
    'key of anthropic',
    'key of google',
    'key of an adviser',
    'tool secret in a variable',
    'tool secret in a file',
    'tool secret of a command',
    'client secret of OpenID',
    'password of Postgres',
    'secret address of a channel',
    'password of a channel',
  ]
  const unused: string[] = sent.filter((name) => outside.countHeard(chosen[name].value) === 0)
  const told = existsSync(variables) ? readFileSync(variables, 'utf8') : ''
  if (!told.includes(chosen['secret of a program'].value)) unused.push('secret of a program')
  return unused
}
