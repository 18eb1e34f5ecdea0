/**
 * `npm run pack:try`: what a stranger gets. Packs the published workspaces and installs the tarballs into empty
 * folders outside the repository: the library alone, which runs the library example and must bring no web server
 * with it; and everything, which runs the quickstart and makes a project that runs, on the Node of this repository and
 * on an older one of the machine. Says how much each of them installs, and how long the project took from an empty
 * folder on.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { listInstalled, measureInstalled } from './installed.ts'
import { findMachineNodes, type MachineNode } from './machine-nodes.ts'
import { buildStrangersEnvironment, buildTarballs, demand } from './pack.ts'
import { ROOT, type RunOptions, run, say } from './shell.ts'
import { isBelow, PACKAGES, PUBLISHED } from './walls.ts'

const json = process.argv.includes('--json')
const keep = process.argv.includes('--keep')

/** What a library user had to install when the server was part of the runtime, in megabytes: 0.2.0. */
const BEFORE_MB = 70.7

/** A web framework, OpenID, a command line parser: of these a library has none. */
const NOT_OF_A_LIBRARY = [
  ...['fastify', 'openid-client', 'jose', 'commander', 'rubicon-server'],
  ...['rubicon-mcp', '@modelcontextprotocol/client'],
]

type Package = {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function readPackage(workspace: string): Package {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
}

/** The published workspaces that this one does not run without, and itself. */
function listNeeded(workspace: string): readonly string[] {
  const { dependencies = {} } = readPackage(workspace)
  const named = PUBLISHED.filter((other) => readPackage(other).name in dependencies)
  return [...new Set([workspace, ...named.flatMap(listNeeded)])]
}

function reportProgress(line: string): void {
  if (json) process.stderr.write(`${line}\n`)
  else say(line)
}

/** A module folder without a file of the repository in it, as `npm init` would leave it, with these installed. */
function installProject(
  project: string,
  tarballs: readonly string[],
  env: NodeJS.ProcessEnv,
): RunOptions {
  mkdirSync(project)
  const manifest = { name: 'stranger', version: '1.0.0', private: true, type: 'module' }
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest)}\n`)
  const options: RunOptions = { cwd: project, env }
  demand('npm install', run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], options))
  return options
}

function tryQuickstart(options: RunOptions): void {
  const text = demand(
    'rubicon quickstart',
    run('npx', ['rubicon', 'quickstart', '--json'], options),
  )
  const shown = JSON.parse(text)
  if (shown.ledger?.verified !== true || shown.tampered?.detected !== true) {
    throw new Error(`the quickstart did not verify its ledger: ${text}`)
  }
}

/** Verbs that would refuse are not offered. */
function tryHelp(options: RunOptions): void {
  const help = demand('rubicon --help', run('npx', ['rubicon', '--help'], options))
  if (!/^ {2}quickstart /m.test(help) || help.includes('repository only'))
    throw new Error(`the help of the packages offers what they cannot do: ${help}`)
}

/** The one line about Node that whoever makes a project is told. */
const BROUGHT = 'npm install brings Node 24 into the folder'

/** `rubicon init`, `npm install`, `npm start`, by one Node of the machine: how long they took, in seconds. */
function tryProject(
  project: string,
  packages: string,
  { env, ...options }: RunOptions,
  { folder }: MachineNode,
): number {
  const by: RunOptions = {
    ...options,
    env: { ...env, PATH: [folder, env?.PATH].join(delimiter) },
  }
  const begun = performance.now()
  const init = run('npx', ['rubicon', 'init', project, '--packages', packages], by)
  demand('rubicon init', init)
  const told = init.stderr.split('\n').filter((line) => line.includes('Node'))
  if (told.length !== 1 || !told[0]?.includes(BROUGHT))
    throw new Error(`rubicon init said of Node: ${init.stderr}`)
  const inside: RunOptions = { ...by, cwd: project }
  demand('npm install', run('npm', ['install', '--no-audit', '--no-fund'], inside))
  const text = demand('npm start', run('npm', ['start'], inside))
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  if (!/LIMIT_EXCEEDED\n.*ACCEPTED\n/.test(text)) throw new Error(`npm start printed ${text}`)
  demand('npm test', run('npm', ['test'], inside))
  const used = demand('npx node', run('npx', ['node', '--version'], inside)).trim()
  if (!used.startsWith('v24.')) throw new Error(`the project runs on ${used}`)
  return seconds
}

/** In a folder of its own for each Node; how long each took, by its version. */
function tryProjects(
  folder: string,
  packages: string,
  options: RunOptions,
): Readonly<Record<string, number>> {
  const nodes = findMachineNodes()
  return Object.fromEntries(
    nodes.map((node) => {
      reportProgress(`making a project in an empty folder, by Node ${node.version}: rubicon init`)
      const project = join(folder, `my agent ${node.version}`)
      return [node.version, tryProject(project, packages, options, node)]
    }),
  )
}

function tryLibrary(project: string, options: RunOptions): void {
  const named = listInstalled(
    demand('npm ls', run('npm', ['ls', '--all', '--json'], options)),
  ).filter((name) => NOT_OF_A_LIBRARY.includes(name))
  if (named.length > 0) throw new Error(`the library alone installs ${named.join(', ')}`)
  cpSync(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true })
  demand('examples/library.ts', run('node', ['examples/library.ts'], options))
}

/** Every entrance of the kernel leads to JavaScript that loads. */
function tryEntrances(project: string, options: RunOptions): void {
  const names = Object.keys(PACKAGES).filter((name) => isBelow(name, 'rubicon-kernel'))
  const lines = names.map((name) => `await import('${name}')\n`)
  writeFileSync(join(project, 'entrances.js'), lines.join(''))
  demand('the entrances of the kernel', run('node', ['entrances.js'], options))
}

function runPackTry(folder: string): object {
  const env = buildStrangersEnvironment(folder)
  reportProgress('building and packing')
  const tarballs = buildTarballs(folder, env)
  const needed = listNeeded('runtime')
  const isOfLibrary = (path: string): boolean =>
    needed.some((workspace) => basename(path).startsWith(`${readPackage(workspace).name}-`))
  reportProgress('installing the library alone into an empty folder: examples/library.ts')
  const library = join(folder, 'library')
  const options = installProject(library, tarballs.filter(isOfLibrary), env)
  tryLibrary(library, options)
  tryEntrances(library, options)
  reportProgress('installing everything into an empty folder: rubicon quickstart')
  const whole = join(folder, 'whole')
  const installed = installProject(whole, tarballs, env)
  tryQuickstart(installed)
  tryHelp(installed)
  const init_seconds = tryProjects(folder, dirname(tarballs[0] ?? ''), installed)
  const installed_mb = {
    before: BEFORE_MB,
    library: measureInstalled(library),
    whole: measureInstalled(whole),
  }
  const names = tarballs.map((path) => basename(path))
  return { quickstart: 'ok', library: 'ok', init_seconds, installed_mb, tarballs: names }
}

const folder = mkdtempSync(join(tmpdir(), 'rubicon-pack-'))
try {
  const result = runPackTry(folder)
  say(json ? JSON.stringify(result) : `ok: library and quickstart run from the tarballs`)
  if (!json && 'installed_mb' in result)
    say(`installed, in megabytes: ${JSON.stringify(result.installed_mb)}`)
} catch (error) {
  process.stderr.write(`pack:try: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  if (keep) reportProgress(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
