/**
 * `npm run pack:try`: what a stranger gets. Packs the published workspaces, installs the tarballs
 * into an empty folder outside the repository, and runs the quickstart and the library example.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildStrangersEnvironment, buildTarballs, demand } from './pack.ts'
import { ROOT, type RunOptions, run, say } from './shell.ts'

const json = process.argv.includes('--json')
const keep = process.argv.includes('--keep')

function reportProgress(line: string): void {
  if (json) process.stderr.write(`${line}\n`)
  else say(line)
}

/** A module folder without a file of the repository in it, as `npm init` would leave it. */
function createEmptyProject(folder: string): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  const manifest = { name: 'stranger', version: '1.0.0', private: true, type: 'module' }
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest)}\n`)
  return project
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

function tryLibrary(project: string, options: RunOptions): void {
  cpSync(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true })
  demand('examples/library.ts', run('node', ['examples/library.ts'], options))
}

function runPackTry(folder: string): object {
  const env = buildStrangersEnvironment(folder)
  reportProgress('building and packing')
  const tarballs = buildTarballs(folder, env)
  const project = createEmptyProject(folder)
  const options: RunOptions = { cwd: project, env }
  reportProgress('installing the tarballs into an empty folder')
  demand('npm install', run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], options))
  reportProgress('rubicon quickstart')
  tryQuickstart(options)
  reportProgress('examples/library.ts')
  tryLibrary(project, options)
  const names = tarballs.map((path) => path.slice(dirname(path).length + 1))
  return { quickstart: 'ok', library: 'ok', tarballs: names }
}

const folder = mkdtempSync(join(tmpdir(), 'rubicon-pack-'))
try {
  const result = runPackTry(folder)
  say(json ? JSON.stringify(result) : 'ok: quickstart and library run from the tarballs')
} catch (error) {
  process.stderr.write(`pack:try: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  if (keep) reportProgress(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
