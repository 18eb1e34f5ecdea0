/**
 * `npm test`: every test of every workspace, and the style tests. `npm test -- verifier ledger` runs
 * only the files whose paths hold one of these words; `--full` takes every sample at the size of its bar.
 *
 * A file gets a process of its own, the kernel's tests share one. The long ones come first, so that
 * no core waits for the last of them. The last line is the summary. A skip is shown, and so is what a
 * test leaves in the temporary folder; with CI=true both are failures: a check that silently stops
 * checking is worse than none. What reads `../shared`, which a clone alone does not have, is one notice.
 */
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { buildConsole } from './console-build.ts'
import { prepareMachine } from './prepare.ts'
import { ENVIRONMENT, ROOT, say, seconds } from './shell.ts'
import { type Counts, testReport } from './test-report.ts'

const AT_ONCE = 3
const FILE_TIMEOUT_MS = 480_000
/** Beyond it somebody waits for nothing. */
const RUN_TIMEOUT_MS = 2_400_000

const KERNEL_TESTS = 'scripts/kernel-tests.ts'
/** The others take seconds. */
const LONG = [
  'sim/src/storm.test.ts',
  'sim/src/planted.test.ts',
  'sim/src/kill.test.ts',
  'sim/src/race/race.test.ts',
  'console/src/browser/markup.test.ts',
  'console/src/browser/ledger.test.ts',
  'verifier/src/tamper.test.ts',
]

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false } },
})

function testFiles(...patterns: readonly string[]): readonly string[] {
  const files = globSync(patterns, { cwd: ROOT }).sort()
  if (words.length === 0) return files
  return files.filter((file) => words.some((word) => file.includes(word)))
}

function otherFiles(): readonly string[] {
  const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const files = testFiles(
    ...workspaces
      .filter((workspace) => workspace !== 'kernel')
      .map((workspace) => `${workspace}/src/**/*.test.ts`),
    '*.test.ts',
    'scripts/*.test.ts',
  )
  return files.toSorted((a, b) => rank(a) - rank(b))
}

function rank(file: string): number {
  const place = LONG.indexOf(file)
  return place === -1 ? LONG.length : place
}

/** What tests and the processes that they start are told. */
function prepareEnvironment(kernel: readonly string[], temporary: string): void {
  // A database server runs as somebody else, and finds its folder below.
  chmodSync(temporary, 0o711)
  Object.assign(process.env, ENVIRONMENT, {
    TMPDIR: temporary,
    // Hundreds of processes load the same modules: only the first of them compiles each.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/rubicon-test'),
    RUBICON_KERNEL_TESTS: kernel.join('\n'),
    RUBICON_FULL: values.full ? '1' : '',
  })
}

async function runTests(files: readonly string[]): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, absent: 0 }
  const events = run({
    cwd: ROOT,
    files: files.map((file) => join(ROOT, file)),
    concurrency: AT_ONCE,
    timeout: FILE_TIMEOUT_MS,
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
    // Every response of the run is held against the API document.
    execArgv: ['--import=./runtime/src/server/watch-fetch.test-support.ts'],
  })
  for await (const text of testReport(events, counts)) process.stdout.write(text)
  return counts
}

const started = performance.now()
const missing = prepareMachine()
await buildConsole()
const kernel = testFiles('kernel/src/**/*.test.ts')
const others = otherFiles()
say(`${kernel.length + others.length} files`)
const temporary = mkdtempSync(join(tmpdir(), 'rubicon-test-'))
prepareEnvironment(kernel, temporary)
const counts = await runTests(kernel.length === 0 ? others : [KERNEL_TESTS, ...others])
const left = readdirSync(temporary)
rmSync(temporary, { recursive: true, force: true })

const strict = process.env.CI === 'true'
const mark = strict ? 'FAILED ' : 'NOTICED'
if (strict) for (const line of missing) say(`FAILED  ${line}`)
if (strict && counts.skipped > 0) say(`FAILED  CI=true and ${counts.skipped} tests were skipped`)
if (left.length > 0) say(`${mark} left in the temporary folder: ${left.join(', ')}`)
if (counts.absent > 0)
  say(
    `NOTICED ${counts.absent} tests not run: they read what was published, and ../shared is absent`,
  )
const failed = counts.failed + (strict ? missing.length + counts.skipped + left.length : 0)
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
say(
  `${counts.passed} passed, ${failed} failed${skipped} in ${seconds(performance.now() - started)}`,
)
process.exitCode = failed === 0 && counts.passed > 0 ? 0 : 1
