import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCoveringTests } from './mutation/covering-tests.ts'
import { EQUIVALENT } from './mutation/equivalent.ts'
import { judgeMutant } from './mutation/judge-mutant.ts'
import { applyMutant, type Mutant } from './mutation/mutant.ts'
import { listMutants } from './mutation/mutants-of.ts'
import { buildImportGraph, findNearestTests } from './mutation/nearest-tests.ts'
import { buildMutationReport } from './mutation/report.ts'
import { ROOT } from './shell.ts'

const SOURCE = `
import { assert } from './assert.ts'
type Bound = { readonly most: 3 }
const ALL: readonly string[] = ['a', 'b']
export function check(amount: number, bound?: Bound): boolean {
  assert(amount > 0, 'it is positive')
  if (!ALL.includes('a')) return false
  done()
  return amount <= (bound?.most ?? 1) && /^x$/.test(String(amount))
}
const isBare = (document: object): boolean => !('bound' in document)
const most = (bound?: Bound): number => (bound ? bound.most : undefined) ?? 1
const both = (one: unknown): readonly string[] => [(one ?? '') as string, one as string]
`

test('every small mistake that can be made is made once, in code only, and leaves a program', () => {
  const mutants = listMutants('check.ts', SOURCE)
  const made = mutants.map((one) => `${one.function} ${one.before} → ${one.after}`)
  for (const wanted of [
    "ALL 'a',  → ",
    "ALL , 'b' → ",
    'check ! → ',
    "check if (!ALL.includes('a')) return false → ;",
    'check done() → ;',
    'check <= → <',
    'check && → ||',
    'check ?. → .',
    'check  ?? 1 → ',
    'check 1 → 2',
    'check false → true',
    'check ^ → ',
    'check $ → ',
    'isBare ! → ',
    'most  ?? 1 → ',
    "both  ?? '' → ",
  ])
    assert.equal(made.filter((one) => one === wanted).length, 1, `${wanted} in ${made.join('\n')}`)
  assert.ok(!made.some((one) => /positive|assert|Bound|3/.test(one)), made.join('\n'))
  for (const mutant of mutants) {
    const text = applyMutant(SOURCE, mutant) ?? assert.fail('it is there')
    assert.ok(listMutants('check.ts', text).length > 0)
  }
})

test('the test of a file comes first, then those that import it, then those that import these', () => {
  const graph = buildImportGraph(
    new Map([
      ['kernel/src/a.ts', ''],
      ['kernel/src/index.ts', "export { a } from './a.ts'"],
      ['kernel/src/a.test.ts', "import { b } from './b.ts'"],
      ['kernel/src/b.ts', "import { a } from './a.ts'"],
      ['kernel/src/near.test.ts', "import { a } from './a.ts'"],
      ['kernel/src/typed.test.ts', "import type { A } from './a.ts'"],
      ['verifier/src/far.test.ts', "import { a } from 'rubicon-kernel'"],
    ]),
  )
  assert.deepEqual(findNearestTests(graph, 'kernel/src/a.ts'), [
    'kernel/src/a.test.ts',
    'kernel/src/near.test.ts',
    'verifier/src/far.test.ts',
  ])
})

test('of tests that lie equally far, those come first that are named after what lies between', () => {
  const all = "import { verify } from './verify.ts'"
  const graph = buildImportGraph(
    new Map([
      ['verifier/src/verify.ts', "import { part } from './part.ts'"],
      ['verifier/src/part.ts', "import { piece } from './fold/piece.ts'"],
      ['verifier/src/fold/piece.ts', "import { words } from './words.ts'"],
      ['verifier/src/fold/words.ts', ''],
      ['verifier/src/another.test.ts', all],
      ['verifier/src/fold/beside.test.ts', "import { verify } from '../verify.ts'"],
      ['verifier/src/fold/words.test.ts', "import { verify } from '../verify.ts'"],
      ['verifier/src/part.findings.test.ts', all],
    ]),
  )
  assert.deepEqual(findNearestTests(graph, 'verifier/src/fold/piece.ts'), [
    'verifier/src/fold/words.test.ts',
    'verifier/src/part.findings.test.ts',
    'verifier/src/fold/beside.test.ts',
    'verifier/src/another.test.ts',
  ])
})

const FILE = 'kernel/src/canonical/bytes.ts'
const TESTS = ['kernel/src/canonical/bytes.test.ts']

function inBytes(before: string, after: string): Mutant {
  const source = readFileSync(join(ROOT, FILE), 'utf8')
  const found = listMutants(FILE, source).find((one) => one.before === before)
  return { ...(found ?? assert.fail(before)), after }
}

test('a mistake is noticed where a test is red, and no other is', async () => {
  const check = 'if (text.length % 2 !== 0) return undefined'
  assert.equal(await judgeMutant(inBytes(check, ';'), TESTS), 'killed')
  assert.equal(await judgeMutant(inBytes(check, check), TESTS), 'survived')
})

test('only tests that run the place of a mistake are asked about it', async () => {
  // It loads the file, and reads no hexadecimal text.
  const elsewhere = 'kernel/src/canonical/write-json.test.ts'
  const mutant = inBytes('%', '*')
  const covering = await findCoveringTests([mutant], () => [elsewhere, ...TESTS])
  assert.deepEqual(covering(mutant), TESTS)
})

test('a mistake that could not be made is not called noticed', async () => {
  const gone = { ...inBytes('%', '*'), start: 0 }
  await assert.rejects(judgeMutant(gone, TESTS), /was changed/)
})

test('the score counts what was noticed and what never ended', () => {
  const one = inBytes('%', '*')
  const report = buildMutationReport(
    [one, one, one, one],
    ['killed', 'survived', 'timed_out', 'killed'],
  )
  const { survivors, ...counts } = report
  assert.deepEqual(counts, {
    mutants: 4,
    killed: 2,
    survived: 1,
    timed_out: 1,
    score: 75,
    ok: false,
  })
  assert.deepEqual(survivors, [{ file: FILE, line: one.line, before: '%', after: '*' }])
  assert.equal(buildMutationReport([], []).ok, false, 'nothing made, nothing shown')
})

test('what is called equivalent can still be made, and says why', () => {
  for (const { file, function: name, before, after, code, why } of EQUIVALENT) {
    const mutants = listMutants(file, readFileSync(join(ROOT, file), 'utf8'))
    const same = mutants.filter(
      (one) =>
        one.function === name &&
        one.before === before &&
        one.after === after &&
        (code === undefined || one.code === code),
    )
    assert.ok(same.length > 0 && why.length > 0, `${file} ${name} \`${before}\``)
  }
})
