/**
 * `npm test`: every test of every workspace, and the style tests. `npm test -- verifier ledger` runs
 * only the files whose paths hold one of these words; `--full` takes every sample at the size of its bar;
 * with `--json` the report goes to stderr, and the last line on stdout is an object with what every file took of a
 * processor, the most expensive first, of which ten are shown; `--at-once 1` runs one program at a time.
 *
 * Files that keep to their own memory share a process, for to start one takes longer than they do; the
 * others get one each. Before them everything is loaded once, so that all of them find it compiled. What is heavy comes
 * first, so that no core waits for the last of it. The last line is the summary. A skip is shown, and so is what a test leaves in the temporary folder; with CI=true both are
 * failures: a check that silently stops checking is worse than none. Before it stands what the run took of a processor,
 * by workspace, and whether that is more than its budget (`test-total.ts`). What reads `../shared`, which a clone alone
 * does not have, is one notice.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { buildConsole } from './console-build.ts'
import { watchSpeed } from './machine-speed.ts'
import { prepareMachine } from './prepare.ts'
import { formatSeconds, ROOT } from './shell.ts'
import { planAgain } from './test-again.ts'
import { formatCosts, measureCpuMs, readCosts } from './test-cost.ts'
import { chooseTemporary, prepareEnvironment, SOCKETS } from './test-environment.ts'
import { groupTests, type Program, writeGroup } from './test-groups.ts'
import { type Counts, createCounts, testReport } from './test-report.ts'
import { formatTotal, sumCosts } from './test-total.ts'

/** More than cores: many of them wait for a browser, a database or a process that they started. */
const AT_ONCE = 4
/** Of a program: a tenth of the run, on a machine that does much else. */
const PROGRAM_TIMEOUT_MS = 1_800_000
/** Beyond it somebody waits for nothing. */
const RUN_TIMEOUT_MS = 4_200_000

/** What every file took in the last whole run, beside what was compiled; `LONG` and the lists of groups are made from it. */
const COSTS = join(ROOT, 'node_modules/.cache/rubicon-test-costs.txt')
const MOST_SHOWN = 10

/** What most tests load. */
const LOADED = [
  'server/src/cli/main.ts',
  'server/src/http/served.test-support.ts',
  'sim/src/main.ts',
]

/** Eight seconds of a processor and more (`COSTS` tells), and what is long on the wall: groups are made of about as much work. */
const LONG = [
  'artifacts/src/desk/open-desk.findings.test.ts',
  'bench/src/api.test.ts',
  'console/src/browser/artifacts.test.ts',
  'console/src/browser/markup-signs.test.ts',
  'console/src/browser/markup.test.ts',
  'runtime/src/adapters/postgres/store.test.ts',
  'runtime/src/engine/flow/wake.test.ts',
  'scenarios/src/scenarios.test.ts',
  'scripts/console-check.test.ts',
  'scripts/docs-try.test.ts',
  'scripts/docs.test.ts',
  'scripts/mutation.test.ts',
  'scripts/proof.test.ts',
  'server/src/cli/dev/dev-stubborn.test.ts',
  'server/src/cli/dev/dev.test.ts',
  'server/src/cli/launcher.test.ts',
  'server/src/cli/mcp-http.test.ts',
  'server/src/cli/mcp-init.test.ts',
  'server/src/cli/mcp-pass.test.ts',
  'server/src/cli/mcp.test.ts',
  'server/src/cli/postgres-verbs.test.ts',
  'server/src/cli/schemas.test.ts',
  'server/src/cli/shell/shell.test.ts',
  'server/src/cli/up.test.ts',
  'sim/src/artifacts/artifacts.test.ts',
  'sim/src/determinism.test.ts',
  'sim/src/forge/forge.test.ts',
  'sim/src/hostile/hostile.test.ts',
  'sim/src/kill.test.ts',
  'sim/src/planted.test.ts',
  'sim/src/race/race.test.ts',
  'sim/src/secrets/canary-proof.test.ts',
  'sim/src/storm.test.ts',
]

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: String(AT_ONCE) },
  },
})

/** With `--json` the last line on stdout is the object. */
function print(text: string): void {
  if (values.json) process.stderr.write(text)
  else process.stdout.write(text)
}

function say(line: string): void {
  print(`${line}\n`)
}

function testFiles(): readonly string[] {
  const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const patterns = workspaces.map((workspace) => `${workspace}/src/**/*.test.ts`)
  const others = ['*.test.ts', 'scripts/*.test.ts', 'examples/*/*.test.ts']
  const files = globSync([...patterns, ...others], { cwd: ROOT }).sort()
  if (words.length === 0) return files
  return files.filter((file) => words.some((word) => file.includes(word)))
}

/** What a process has compiled is there for others when it ends; without this the first of them would all compile. */
function warmCache(): void {
  const imports = LOADED.map((path) => `await import(${JSON.stringify(`./${path}`)})`)
  spawnSync(process.execPath, ['--input-type=module', '-e', imports.join('\n')], { cwd: ROOT })
}

async function runTests(files: readonly string[], atOnce: number): Promise<Counts> {
  const counts = createCounts()
  const events = run({
    cwd: ROOT,
    files: [...files],
    concurrency: atOnce,
    timeout: PROGRAM_TIMEOUT_MS,
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
    execArgv: [
      '--import=./scripts/test-following.ts',
      // Every response of the run is held against the API document.
      '--import=./server/src/http/schemas/watch-fetch.test-support.ts',
    ],
  })
  for await (const text of testReport(events, counts)) print(text)
  return counts
}

/**
 * What failed beside others is run once more, alone: on a machine whose cores are taken from us for seconds, a
 * browser or a child process is late for what a person would not notice. A fault of ours fails again; what
 * passes is named, for somebody to look at. Where many fail, nothing is run again.
 */
async function runAgain(
  first: Counts,
  programs: readonly Program[],
  folder: string,
): Promise<Counts> {
  const plan = first.failedIn.size === 0 ? null : planAgain(first.failedIn, programs)
  if (plan === null) return first
  say(`run once more, alone: ${plan.map(({ entry }) => entry).join(', ')}`)
  const paths = plan.map(({ files }, index) =>
    writeGroup(join(folder, `again-${index}.mjs`), files),
  )
  const again = await runTests(paths, 1)
  const failed = new Set([...again.failedIn].map((entry) => resolve(entry)))
  for (const [index, { entry, files }] of plan.entries()) {
    const isSteady = [paths[index] ?? '', ...files].some((file) => failed.has(resolve(file)))
    if (!isSteady) say(`UNSTEADY ${entry}: it failed beside others, and passed alone`)
  }
  const passed = first.passed + Math.max(0, first.failed - again.failed)
  return { ...first, passed, failed: again.failed }
}

const started = performance.now()
const speed = watchSpeed()
const atOnce = Number(values['at-once'])
if (!Number.isInteger(atOnce) || atOnce < 1) {
  console.error('--at-once takes a number of programs, from 1')
  process.exit(2)
}
const missing = prepareMachine({ full: values.full })
await buildConsole()
const files = testFiles()
say(`${files.length} files`)
const temporary = chooseTemporary()
const groups = mkdtempSync(join(tmpdir(), 'rubicon-test-groups-'))
const costs = join(groups, 'costs.jsonl')
prepareEnvironment({ temporary, costs, full: values.full })
if (words.length === 0) warmCache()
const programs = groupTests(files, LONG, groups)
const first = await runTests(
  programs.map(({ path }) => path),
  atOnce,
)
const counts = await runAgain(first, programs, groups)
const left = readdirSync(temporary).filter((name) => name !== SOCKETS)
rmSync(temporary, { recursive: true, force: true })
const taken = readCosts(costs, counts.testsIn)
const isWhole = words.length === 0
const total = sumCosts(taken, measureCpuMs(), speed.end())
// What a part of the files took would say nothing about the whole.
if (isWhole) writeFileSync(COSTS, `${formatCosts(taken)}${formatTotal(total, isWhole)}`)
rmSync(groups, { recursive: true, force: true })

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
say(`most of a processor${isWhole ? ` (all: ${relative(ROOT, COSTS)})` : ''}:`)
print(formatCosts(taken.slice(0, MOST_SHOWN)))
print(formatTotal(total, isWhole))
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
say(
  `${counts.passed} passed, ${failed} failed${skipped} in ${formatSeconds(performance.now() - started)}`,
)
if (values.json) {
  const seconds = Math.round((performance.now() - started) / 1000)
  const summary = { passed: counts.passed, failed, skipped: counts.skipped, seconds }
  process.stdout.write(`${JSON.stringify({ ...summary, processor: total, costs: taken })}\n`)
}
process.exitCode = failed === 0 && counts.passed > 0 ? 0 : 1
