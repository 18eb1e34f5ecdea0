/**
 * Makes small mistakes in the kernel and the verifier, one at a time, and counts those that a test notices.
 *
 *   npm run mutation                              1,000 of them, from seed 1
 *   npm run mutation -- --sample 150 --seed 7
 *   npm run mutation -- --only kernel/src/writ    of files whose path begins so; several with commas between
 *   npm run mutation -- --json                    {mutants, killed, survived, timed_out, score, survivors}
 *
 * The bar is a score of 92: of a hundred mistakes so many are noticed, or never end. Those that nobody
 * could notice are named, with the reason, in `mutation/equivalent.ts`, and are not made.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Rng } from '../sim/src/rng.ts'
import { runConcurrently } from './in-turn.ts'
import { findCoveringTests } from './mutation/covering-tests.ts'
import { isEquivalent } from './mutation/equivalent.ts'
import { type Fate, judgeMutant } from './mutation/judge-mutant.ts'
import type { Mutant } from './mutation/mutant.ts'
import { listMutants } from './mutation/mutants-of.ts'
import { buildImportGraph, findNearestTests } from './mutation/nearest-tests.ts'
import { buildMutationReport, formatMutationReport } from './mutation/report.ts'
import { ENVIRONMENT, ROOT, say } from './shell.ts'

const SOURCES = ['kernel/src/**/*.ts', 'verifier/src/**/*.ts']

function readSources(): ReadonlyMap<string, string> {
  const files = globSync(SOURCES, { cwd: ROOT }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

const isTest = (file: string): boolean => /\.test(-support)?\.ts$/.test(file)

/** So many of them, chosen by the seed; the order is that of the choice. */
function chooseMutants(all: readonly Mutant[], sample: number, seed: number): readonly Mutant[] {
  const rng = new Rng(seed)
  const left = [...all]
  const chosen: Mutant[] = []
  while (chosen.length < sample && left.length > 0)
    chosen.push(...left.splice(Math.floor(rng.drawUnit() * left.length), 1))
  return chosen
}

async function judgeAll(
  mutants: readonly Mutant[],
  testsOf: (mutant: Mutant) => readonly string[],
): Promise<readonly Fate[]> {
  let done = 0
  return runConcurrently(mutants, async (mutant) => {
    const fate = await judgeMutant(mutant, testsOf(mutant))
    done += 1
    const { file, line, before, after } = mutant
    const told = fate === 'survived' ? `: \`${before}\` → \`${after}\`` : ''
    process.stderr.write(`[${done} of ${mutants.length}] ${fate} ${file}:${line}${told}\n`)
    return fate
  })
}

/** Tests that are ended in the middle leave their files in it; the answers of the second verifier are kept there. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-mutation-'))
  const RUBICON_ORACLE = join(folder, 'oracle')
  mkdirSync(RUBICON_ORACLE)
  Object.assign(ENVIRONMENT, { TMPDIR: folder, RUBICON_ORACLE })
  return folder
}

async function runMutation(
  sample: number,
  seed: number,
  only: string,
  json: boolean,
): Promise<number> {
  const sources = readSources()
  const graph = buildImportGraph(sources)
  const wanted = only.split(',')
  const all = [...sources]
    .filter(([file]) => !isTest(file) && wanted.some((begin) => file.startsWith(begin)))
    .flatMap(([file, text]) => listMutants(file, text))
    .filter((mutant) => !isEquivalent(mutant))
  const mutants = chooseMutants(all, sample, seed)
  const nearest = new Map(mutants.map(({ file }) => [file, findNearestTests(graph, file)]))
  const testsOf = await findCoveringTests(
    mutants,
    (file) => nearest.get(file) ?? [],
    (done, of) => process.stderr.write(`[${done} of ${of}] tests without a mistake\n`),
  )
  const report = buildMutationReport(mutants, await judgeAll(mutants, testsOf))
  say(json ? JSON.stringify(report) : formatMutationReport(report))
  return report.ok ? 0 : 1
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    sample: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const folder = makeFolder()
try {
  const { sample, seed, only, json } = values
  process.exitCode = await runMutation(Number(sample), Number(seed), only, json)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
