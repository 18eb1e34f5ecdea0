/**
 * Whether the tests of the kernel reach every branch of its validation logic.
 *
 *   npm run coverage            a table, folder by folder
 *   npm run coverage -- --json  {"branches": {"compile": 100, ...}, "ok": true}
 *
 * The bar is 100 % of the branches of the folders below. A source file that no test loads does not appear in
 * a coverage report at all, so it counts as not covered here.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT: string = join(import.meta.dirname, '..')
const SOURCE = 'kernel/src'
const FOLDERS = [
  'compile',
  'writ',
  'ledger',
  'flow',
  'jit',
  'context',
  'contract',
  'escalation',
  'saga',
  'monitor',
  'proposal',
  'policy',
  'execution',
  'canonical',
] as const

type Count = { found: number; hit: number; readonly missed: Set<string> }

/** Reads an lcov report: file → branches found and hit. */
function readReport(text: string): Map<string, Count> {
  const counts = new Map<string, Count>()
  let current = createCount()
  for (const line of text.split('\n')) {
    const [name = '', value = ''] = line.split(/:(.*)/s)
    if (name === 'SF') {
      current = createCount()
      counts.set(relative(ROOT, join(ROOT, value)), current)
    }
    if (name === 'BRF') current.found = Number(value)
    if (name === 'BRH') current.hit = Number(value)
    const [at = '', , , taken] = name === 'BRDA' ? value.split(',') : []
    if (taken === '0' || taken === '-') current.missed.add(at)
  }
  return counts
}

function createCount(): Count {
  return { found: 0, hit: 0, missed: new Set() }
}

function listSources(folder: string): readonly string[] {
  return globSync(`${SOURCE}/${folder}/**/*.ts`, { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.test-support.ts'))
    .sort()
}

/** A file that only declares types leaves nothing to run, so nothing has to load it. */
function hasOnlyTypes(file: string): boolean {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return !/^(export )?(async )?(function|const|let|class) /m.test(text)
}

function runTests(report: string): { readonly passed: boolean; readonly output: string } {
  const tests = globSync(`${SOURCE}/**/*.test.ts`, { cwd: ROOT }).sort()
  const included = FOLDERS.map((folder) => `--test-coverage-include=${SOURCE}/${folder}/**`)
  const excluded = ['**/*.test.ts', '**/*.test-support.ts']
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      '--experimental-test-coverage',
      ...included,
      ...excluded.map((pattern) => `--test-coverage-exclude=${pattern}`),
      '--test-reporter=lcov',
      `--test-reporter-destination=${report}`,
      '--test-reporter=dot',
      '--test-reporter-destination=stdout',
      ...tests,
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  return { passed: status === 0, output: stdout }
}

function computePercent({ found, hit }: Count): number {
  return found === 0 ? 100 : Math.floor((hit / found) * 10_000) / 100
}

function runCoverage(): number {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-coverage-'))
  const report = join(folder, 'lcov.info')
  const { passed, output } = runTests(report)
  const counts = readReport(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })

  const branches: Record<string, number> = {}
  const lines: string[] = []
  for (const name of FOLDERS) {
    const total = createCount()
    for (const file of listSources(name)) {
      const count = counts.get(file) ?? { ...createCount(), found: hasOnlyTypes(file) ? 0 : 1 }
      total.found += count.found
      total.hit += count.hit
      if (count.hit === count.found) continue
      const where = [...count.missed].join(', ')
      lines.push(
        `  ${file}  ${count.hit} of ${count.found} branches; missed at ${where || 'every line'}`,
      )
    }
    branches[name] = computePercent(total)
    const share = `${computePercent(total).toFixed(2)} %`.padStart(9)
    lines.push(`${name.padEnd(10)}${share}  ${total.hit} of ${total.found} branches`)
  }
  const ok = passed && Object.values(branches).every((share) => share === 100)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ branches, ok }))
  else console.log([...lines, passed ? '' : output].join('\n').trimEnd())
  return ok ? 0 : 1
}

process.exitCode = runCoverage()
