/**
 * `npm test`: every test of every workspace, and the style tests.
 *
 * The kernel's tests are pure and share one process; the others get one each, two at a time. The
 * last line is the summary. A skip is shown, and with CI=true it is a failure: a check that
 * silently stops checking is worse than none.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from './console-build.ts'
import { prepareMachine } from './prepare.ts'
import { ROOT, run, say, seconds } from './shell.ts'
import type { Counts } from './test-reporter.ts'

type Group = { readonly name: string; readonly files: readonly string[]; readonly flags: string[] }

const FILE_TIMEOUT_MS = 480_000
/** Beyond it somebody waits for nothing. */
const GROUP_TIMEOUT_MS = 2_400_000

const manifest: { readonly workspaces: readonly string[] } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

/** `npm test -- verifier ledger`: only the files whose paths hold one of these words. */
const wanted = process.argv.slice(2)

function testFiles(...patterns: readonly string[]): readonly string[] {
  const files = globSync(patterns, { cwd: ROOT }).sort()
  if (wanted.length === 0) return files
  return files.filter((file) => wanted.some((word) => file.includes(word)))
}

const others = manifest.workspaces.filter((workspace) => workspace !== 'kernel')
const groups: readonly Group[] = [
  {
    name: 'kernel',
    files: testFiles('kernel/src/**/*.test.ts'),
    flags: ['--test-isolation=none'],
  },
  {
    name: 'everything else',
    files: testFiles(
      ...others.map((workspace) => `${workspace}/src/**/*.test.ts`),
      '*.test.ts',
      'scripts/*.test.ts',
    ),
    flags: [
      '--test-concurrency=2',
      `--test-timeout=${FILE_TIMEOUT_MS}`,
      // Every response of the run is held against the API document.
      '--import=./runtime/src/server/watch-fetch.test-support.ts',
    ],
  },
]

function runGroup({ name, files, flags }: Group): Counts {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  say(`${name}: ${files.length} files`)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-test-'))
  const path = join(folder, 'counts.json')
  const reporter = ['--test-reporter=./scripts/test-reporter.ts']
  const { ok, ms } = run(process.execPath, ['--test', ...flags, ...reporter, ...files], {
    output: 'show',
    env: { RUBICON_TEST_COUNTS: path },
    timeoutMs: GROUP_TIMEOUT_MS,
  })
  const none: Counts = { passed: 0, failed: 0, skipped: 0 }
  const counts: Counts = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : none
  rmSync(folder, { recursive: true })
  // A run that broke without a failing test is a failure too.
  if (!ok && counts.failed === 0) counts.failed = 1
  say(`${name}: ${seconds(ms)}`)
  return counts
}

const missing = prepareMachine()
await buildConsole()
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const group of groups) {
  const counts = runGroup(group)
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
}
const strict = process.env.CI === 'true'
if (strict) for (const line of missing) say(`FAILED  ${line}`)
if (strict && total.skipped > 0) say(`FAILED  CI=true and ${total.skipped} tests were skipped`)
const failed = total.failed + (strict ? missing.length + total.skipped : 0)
const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`
say(`${total.passed} passed, ${failed} failed${skipped}`)
process.exitCode = failed === 0 && total.passed > 0 ? 0 : 1
