/**
 * `npm run docs:try`: does what the pages say, as a new user would. Packs the published workspaces,
 * and for each page writes its files, types its commands, holds what is printed against what the page
 * shows, and decides in a real browser what the page says a person decides.
 *
 * Names of pages may be given, such as `getting-started`; `--json` prints {blocks, ok, seconds}.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { borrowPostgres } from '../runtime/src/compose.ts'
import { HANDS } from './docs-hands.ts'
import { Reader } from './docs-reader.ts'
import { parseSteps } from './docs-steps.ts'
import { freePort } from './free-port.ts'
import { buildStrangersEnvironment, buildTarballs, demand } from './pack.ts'
import { formatSeconds, ROOT, run, say } from './shell.ts'

type Tried = { readonly page: string; readonly blocks: number; readonly problem: string | null }

const FIRST = 'docs/getting-started.md'
/** What pages type to get the packages, and how they call the database of theirs. */
const INSTALL = 'npm install ~/rubicon/dist/packages/*.tgz'
const PACKAGES = '--packages ~/rubicon/dist/packages'
/** Where a clone has its examples. */
const EXAMPLES = '~/rubicon/examples'
const DATABASE = 'postgres://rubicon:secret@db.example.com/rubicon'
const json = process.argv.includes('--json')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))

function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

function listPages(): readonly string[] {
  const guides = globSync('docs/guides/*.md', { cwd: ROOT }).sort()
  const all = [FIRST, 'docs/context-as-code.md', ...guides]
  if (wanted.length === 0) return all
  return all.filter((page) => wanted.includes(basename(page, '.md')))
}

async function readPage(
  page: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  tarballs: readonly string[],
): Promise<Tried> {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const steps = parseSteps(text)
  const loan = text.includes(DATABASE) ? await borrowPostgres() : null
  const here = {
    [INSTALL]: `npm install ${tarballs.join(' ')}`,
    [PACKAGES]: `--packages ${dirname(tarballs[0] ?? '')}`,
    [EXAMPLES]: join(ROOT, 'examples'),
    ...(loan === null ? {} : { [DATABASE]: loan.address }),
  }
  const port = await freePort()
  const own = { ...env, XDG_STATE_HOME: join(folder, 'state') }
  const reader = new Reader({ folder, env: own, port, here, hands: HANDS })
  let blocks = 0
  try {
    for (const step of steps) {
      const begun = performance.now()
      await reader.performStep(step).catch((error: Error) => {
        throw new Error(`${page}:${step.line}: ${error.message}`)
      })
      reportProgress(
        `${page}:${step.line} ${step.kind} (${formatSeconds(performance.now() - begun)})`,
      )
      if (step.kind !== 'hand') blocks += 1
    }
    return { page, blocks, problem: null }
  } catch (error) {
    return { page, blocks, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    await reader.stop()
    await loan?.giveBack()
  }
}

/** Guides begin where getting started ends: in a folder in which the package is installed. */
function installPackage(
  folder: string,
  env: NodeJS.ProcessEnv,
  tarballs: readonly string[],
): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  const options = { cwd: project, env }
  demand('npm init', run('npm', ['init', '-y'], options))
  demand('npm pkg set', run('npm', ['pkg', 'set', 'type=module'], options))
  demand('npm install', run('npm', ['install', ...tarballs], options))
  return project
}

async function runDocsTry(folder: string): Promise<readonly Tried[]> {
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', NO_COLOR: '1' }
  const env = { ...process.env, ...buildStrangersEnvironment(folder), ...quiet }
  reportProgress('building and packing')
  const tarballs = buildTarballs(folder, env)
  const guides = listPages().some((page) => page !== FIRST)
  const project = guides ? installPackage(folder, env, tarballs) : folder
  const tried: Tried[] = []
  for (const page of listPages()) {
    const own = join(page === FIRST ? folder : project, basename(page, '.md'))
    tried.push(await readPage(page, own, env, tarballs))
  }
  return tried
}

const start = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'rubicon-docs-'))
try {
  const tried = await runDocsTry(folder)
  const ms = performance.now() - start
  const blocks = tried.reduce((sum, page) => sum + page.blocks, 0)
  const problems = tried.flatMap(({ problem }) => problem ?? [])
  const ok = tried.length > 0 && blocks > 0 && problems.length === 0
  for (const problem of problems) reportProgress(problem)
  const took = Math.round(ms / 100) / 10
  if (json) say(JSON.stringify({ blocks, ok, seconds: took }))
  else
    say(`${ok ? 'ok' : 'FAILED'}: ${blocks} blocks of ${tried.length} pages, ${formatSeconds(ms)}`)
  process.exitCode = ok ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
