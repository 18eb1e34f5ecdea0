/**
 * `npm run pack:try`: what a stranger gets. Packs the published workspaces, installs the tarballs
 * into an empty folder outside the repository, and runs the quickstart and the library example.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Ran, ROOT, type RunOptions, run, say } from './shell.ts'
import { PUBLISHED, stagePackage } from './stage-package.ts'

const json = process.argv.includes('--json')
const keep = process.argv.includes('--keep')

function progress(line: string): void {
  if (json) process.stderr.write(`${line}\n`)
  else say(line)
}

/** No path into the repository but its Node, and no setting of the npm that started us. */
function strangersEnvironment(folder: string): NodeJS.ProcessEnv {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.startsWith(ROOT))
  const cleared: NodeJS.ProcessEnv = {}
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('npm_')) cleared[name] = undefined
  }
  return {
    ...cleared,
    PATH: [dirname(process.execPath), ...paths].join(delimiter),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_NO_WARNINGS: undefined,
  }
}

function demand(what: string, { ok, status, stdout, stderr }: Ran): string {
  if (ok) return stdout
  throw new Error(`${what} ended with ${status}\n${stdout}${stderr}`)
}

function pack(folder: string, options: RunOptions): readonly string[] {
  const into = join(folder, 'tarballs')
  mkdirSync(into)
  return PUBLISHED.map((workspace) => {
    const staged = stagePackage(workspace, join(folder, 'staged'))
    const args = ['pack', '--json', '--pack-destination', into]
    const [packed]: { readonly filename: string }[] = JSON.parse(
      demand(`npm pack of ${workspace}`, run('npm', args, { ...options, cwd: staged })),
    )
    if (packed === undefined) throw new Error(`npm packed nothing for ${workspace}`)
    return join(into, packed.filename)
  })
}

/** A module folder without a file of the repository in it, as `npm init` would leave it. */
function emptyProject(folder: string): string {
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

function main(folder: string): object {
  progress('building')
  demand('tsc -b', run('tsc', ['-b', 'runtime']))
  const env = strangersEnvironment(folder)
  progress('packing')
  const tarballs = pack(folder, { env })
  const project = emptyProject(folder)
  const options: RunOptions = { cwd: project, env }
  progress('installing the tarballs into an empty folder')
  demand('npm install', run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], options))
  progress('rubicon quickstart')
  tryQuickstart(options)
  progress('examples/library.ts')
  tryLibrary(project, options)
  const names = tarballs.map((path) => path.slice(dirname(path).length + 1))
  return { quickstart: 'ok', library: 'ok', tarballs: names }
}

const folder = mkdtempSync(join(tmpdir(), 'rubicon-pack-'))
try {
  const result = main(folder)
  say(json ? JSON.stringify(result) : 'ok: quickstart and library run from the tarballs')
} catch (error) {
  process.stderr.write(`pack:try: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  if (keep) progress(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
