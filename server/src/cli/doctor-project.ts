/** What stands around a store: whether git would take it along, and in the repository whether the console is built. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StorePlace } from './call.ts'
import { attachRepair, createWarningCheck, type DoctorCheck } from './doctor-check.ts'
import { parseSqlitePath } from './open.ts'

export function checkSurroundings(place: StorePlace): readonly DoctorCheck[] {
  return [...checkIgnored(place), ...checkConsoleBuild()]
}

/** A ledger in a repository would be published with it, and merged like a text. */
function checkIgnored({ store }: StorePlace): readonly DoctorCheck[] {
  const path = parseSqlitePath(store)
  const folder = path === undefined ? '' : dirname(resolve(path))
  // Another folder may hold sources as well: only this one is a runtime's own.
  if (basename(folder) !== '.rubicon' || !existsSync(folder)) return []
  const project = dirname(folder)
  const asked = spawnSync('git', ['check-ignore', '-q', '.rubicon/'], { cwd: project })
  // 0: it is ignored; 128: there is no repository; null: there is no git.
  if (asked.status !== 1) return []
  const file = join(project, '.gitignore')
  return [
    attachRepair(
      createWarningCheck(
        'gitignore',
        `git does not ignore ${folder}`,
        `add the line \`.rubicon/\` to ${file}`,
      ),
      { what: `add the line \`.rubicon/\` to ${file}`, run: () => addLine(file, '.rubicon/') },
    ),
  ]
}

function addLine(file: string, line: string): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const isOpen = before !== '' && !before.endsWith('\n')
  appendFileSync(file, `${isOpen ? '\n' : ''}${line}\n`)
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILD = 'scripts/console-build.ts'
const STAMP = 'console/dist/built.txt'

/** None in a package, which brings the console as it was built, and none for whoever works elsewhere. */
function checkConsoleBuild(): readonly DoctorCheck[] {
  if (!existsSync(join(ROOT, BUILD)) || !existsSync(join(ROOT, 'console/src'))) return []
  if (!`${resolve('.')}/`.startsWith(ROOT)) return []
  const problem = findBuildProblem()
  if (problem === null) return []
  return [
    attachRepair(createWarningCheck('console', problem, 'npm run build'), {
      what: 'build the console and its docs (npm run build)',
      run: buildConsole,
    }),
  ]
}

function findBuildProblem(): string | null {
  const built = statSync(join(ROOT, STAMP), { throwIfNoEntry: false })
  if (built === undefined) return 'it is not built: its pages say so and nothing else'
  const newer = globSync('console/src/**/*.*', { cwd: ROOT }).find(
    (file) => (statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built.mtimeMs,
  )
  return newer === undefined ? null : `it was built before ${newer} was changed`
}

function buildConsole(): void {
  const done = spawnSync(process.execPath, [join(ROOT, BUILD)], { cwd: ROOT, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the build failed: ${done.stderr.trim().slice(-500)}`)
}
