/**
 * `node scripts/findings.ts [--json] [number…]`: for each finding its tests, whether they are green,
 * and whether they are red again when the mistake is made once more (`sim/src/patches`). Without a number, also patches that
 * belong to no finding: whether the test that each names is red under it, and which of them nothing names.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PATCHES } from '../sim/src/patches/all.ts'
import type { Patch } from '../sim/src/patches/patch.ts'
import {
  buildReport,
  type FindingsReport,
  type Guarded,
  judgeFinding,
  judgePatch,
  reportText,
  type Told,
} from './findings-judge.ts'
import { selectFindings } from './findings-list.ts'
import { runFindings } from './findings-run.ts'
import { type FindingTest, parseTests } from './findings-tests.ts'
import { runConcurrently } from './in-turn.ts'
import { judgeNamingPatches, listNamingPatches, listUnnamedPatches } from './patch-guards.ts'
import { ROOT, say } from './shell.ts'

function findTests(ids: readonly string[]): readonly FindingTest[] {
  const patterns = ['*/src/**/*.test.ts', 'scripts/*.test.ts', '*.test.ts']
  const files = globSync(patterns, { cwd: ROOT }).sort()
  return files
    .flatMap((file) => parseTests(file, readFileSync(join(ROOT, file), 'utf8')))
    .filter(({ finding }) => ids.includes(finding))
}

/** `isWhole`: patches that belong to no finding are judged too. */
async function judgeAll(ids: readonly string[], isWhole: boolean): Promise<FindingsReport> {
  const tests = findTests(ids)
  const tested = ids.filter((id) => tests.some(({ finding }) => finding === id))
  const patches = PATCHES.filter(({ findings = [] }) => findings.some((id) => tested.includes(id)))
  const naming = isWhole ? listNamingPatches().length : 0
  const step = countSteps(tested.length + patches.length + naming)

  const alone = await runConcurrently(tested, async (id) => {
    const told = await runTests(tests, [id], null)
    step(`finding ${id}: ${judgeFinding(id, tests, told, []).state}`)
    return [id, told] as const
  })
  const guarded = await runConcurrently(patches, async ({ name, findings = [] }: Patch) => {
    const own = findings.filter((id) => tested.includes(id))
    const told = await runTests(tests, own, name)
    const judged = own.map((id) => [id, judgePatch(id, name, told)] as const)
    for (const [id, { red, why }] of judged)
      step(`finding ${id} under ${name}: ${red ? 'red' : why}`)
    return judged
  })

  const toldOf = new Map(alone)
  const listGuards = (id: string): readonly Guarded[] =>
    guarded.flat().flatMap(([own, guard]) => (own === id ? [guard] : []))
  const apart = isWhole
    ? { patches: await judgeNamingPatches(step), unnamed: listUnnamedPatches() }
    : undefined
  return buildReport(
    ids.map((id) => judgeFinding(id, tests, toldOf.get(id) ?? NOTHING, listGuards(id))),
    apart,
  )
}

const NOTHING: Told = { ended: [], unpatched: null, stderr: '' }

function runTests(
  tests: readonly FindingTest[],
  findings: readonly string[],
  patch: string | null,
): Promise<Told> {
  const held = tests.filter(({ finding }) => findings.includes(finding))
  const files = [...new Set(held.map(({ file }) => file))]
  return runFindings({ files, findings, patch })
}

function countSteps(of: number): (line: string) => void {
  let done = 0
  return (line) => {
    done += 1
    process.stderr.write(`[${Math.min(done, of)} of ${of}] ${line}\n`)
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
const selected = selectFindings(positionals)
if (selected === null) {
  process.stderr.write(`no such finding: \`${positionals.join(' ')}\`\n`)
  process.exitCode = 2
} else {
  const report = await judgeAll(selected, positionals.length === 0)
  say(values.json ? JSON.stringify(report) : reportText(report))
  process.exitCode = report.ok ? 0 : 1
}
