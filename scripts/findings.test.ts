import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PATCHES } from '../sim/src/patches/all.ts'
import {
  buildReport,
  judgeFinding,
  judgeNamedTest,
  judgePatch,
  reportText,
  type Told,
} from './findings-judge.ts'
import { FINDINGS, selectFindings } from './findings-list.ts'
import type { Ended } from './findings-reporter.ts'
import { runFindings, runNamed } from './findings-run.ts'
import { buildExactPattern, buildTitlePattern, parseFinding, parseTests } from './findings-tests.ts'
import { listNamingPatches, listUnnamedPatches } from './patch-guards.ts'
import { ROOT, run } from './shell.ts'

/** Put together, so that no one takes it for a test of that finding. */
const TITLE = ['finding', '1a: what must not be'].join(' ')
const TESTS = parseTests('a.test.ts', `test('${TITLE}', () => {})`)

function told(outcome: Ended['outcome'] | 'crashed', unpatched: string | null = null): Told {
  const error = outcome === 'passed' ? null : 'one\ntwo'
  if (outcome === 'crashed')
    return { ended: [{ name: 'a.test.ts', outcome: 'failed', error }], unpatched, stderr: 'x' }
  return { ended: [{ name: TITLE, outcome, error }], unpatched, stderr: '' }
}

test('the tests of a finding are found by their titles', () => {
  const title = (id: string, quote: string, rest: string): string =>
    `  it(${quote}finding ${id}: ${rest}${quote}, () => {})\n`
  const text =
    title('12b', "'", 'a \\`b\\` c') + title('3a', '"', "an agent's") + title('3', "'", 'no letter')
  assert.deepEqual(parseTests('a.test.ts', text), [
    { finding: '12b', file: 'a.test.ts', title: 'a `b` c' },
    { finding: '3a', file: 'a.test.ts', title: "an agent's" },
  ])
  assert.equal(parseFinding(TITLE), '1a')
  assert.equal(parseFinding('no finding'), null)
  assert.match(TITLE, new RegExp(buildTitlePattern(['9b', '1a'])))
  assert.doesNotMatch(TITLE, new RegExp(buildTitlePattern(['11a', '1'])))
})

test('a number selects all its letters, a letter one, and nothing everything', () => {
  assert.deepEqual(selectFindings(['1', '8b']), ['1a', '1b', '8b'])
  assert.deepEqual(selectFindings([]), Object.keys(FINDINGS))
  assert.equal(selectFindings(['1', '99']), null)
})

test('every finding that a patch names is in the list', () => {
  for (const { name, findings = [] } of PATCHES) {
    for (const id of findings) assert.ok(id in FINDINGS, `${name} names ${id}`)
  }
})

test('a finding is green when all its tests passed, and only then', () => {
  assert.equal(judgeFinding('1a', TESTS, told('passed'), []).state, 'green')
  for (const outcome of ['failed', 'skipped', 'crashed'] as const)
    assert.equal(judgeFinding('1a', TESTS, told(outcome), []).state, 'red', outcome)
  assert.equal(judgeFinding('1a', [...TESTS, ...TESTS], told('passed'), []).state, 'red')
  assert.equal(judgeFinding('1a', [], told('passed'), []).state, 'missing')
})

test('a test is red under a patch when it failed on the mistake, not for another reason', () => {
  assert.deepEqual(judgePatch('1a', 'p', told('failed')), { name: 'p', red: true, why: 'one' })
  const others = [
    [told('passed'), 'the test stays green'],
    [told('crashed'), 'the test did not run: one'],
    [told('failed', 'patch not applied: b'), 'patch not applied: b'],
  ] as const
  for (const [one, why] of others)
    assert.deepEqual(judgePatch('1a', 'p', one), { name: 'p', red: false, why })
})

test('a report is good when all is green and guarded', () => {
  const guard = judgePatch('1a', 'p', told('failed'))
  const open = judgePatch('1a', 'q', told('passed'))
  const green = judgeFinding('1a', TESTS, told('passed'), [guard])
  const cases = [
    [green, { green: 1, red: 0, missing: 0, unguarded: 0, ok: true }],
    [
      { ...green, patches: [] },
      { green: 1, red: 0, missing: 0, unguarded: 1, ok: false },
    ],
    [
      { ...green, patches: [guard, open] },
      { green: 1, red: 0, missing: 0, unguarded: 1, ok: false },
    ],
    [
      judgeFinding('1a', TESTS, told('failed'), [guard]),
      { green: 0, red: 1, missing: 0, unguarded: 0, ok: false },
    ],
    [
      judgeFinding('1a', [], told('failed'), []),
      { green: 0, red: 0, missing: 1, unguarded: 0, ok: false },
    ],
  ] as const
  for (const [finding, counts] of cases)
    assert.deepEqual(buildReport([finding]), {
      findings: [finding],
      patches: [],
      unnamed: [],
      ...counts,
    })
  const apart = { patches: [open], unnamed: ['x'] }
  assert.deepEqual(
    [buildReport([green], apart).unguarded, buildReport([green], apart).ok],
    [1, false],
  )
  const unnamed = buildReport([green], { patches: [guard], unnamed: ['x'] })
  assert.deepEqual([unnamed.unguarded, unnamed.ok], [0, true])
  assert.match(reportText(unnamed), /^unnamed: x: /m)
  assert.equal(buildReport([]).ok, false)
  assert.match(reportText(buildReport([green])), /^green {4}1a .*\n +red under p\n1 green, 0 red/)
})

test('tests are run for real: green alone, red under the patch, not red under another', async () => {
  const files = ['sim/src/patches/production.findings.test.ts']
  const asked = { files, findings: ['23a'] }
  const tests = [{ finding: '23a', file: files[0] ?? '', title: '' }]
  const alone = await runFindings({ ...asked, patch: null })
  assert.equal(judgeFinding('23a', tests, alone, []).state, 'green')
  const under = async (patch: string) =>
    judgePatch('23a', patch, await runFindings({ ...asked, patch }))
  assert.equal((await under('mistake-known-to-production')).red, true)
  assert.equal((await under('undone_in_order')).why, 'the test stays green')
  assert.match((await under('nobody')).why, /^no file of the patch `nobody` was loaded/)
})

/** It only falls: a new patch names its finding or the test that fails under it. */
const UNNAMED_MOST = 317

/** What `testBoth` writes before a title. */
const BOTH_WAYS = /^(?:in process|over HTTP): /
/** The beginning of a title that is put together. */
const BEGINNINGS = /\btest\(\s*`([^`$]+)\$\{/g

function hasTitle(text: string, named: string): boolean {
  const title = named.replace(BOTH_WAYS, '')
  const isWhole = text.includes(`'${title}'`)
  return isWhole || [...text.matchAll(BEGINNINGS)].some(([, start = '']) => title.startsWith(start))
}

test('a patch names what notices it, and the test that it names is there', () => {
  for (const { name, test: named } of listNamingPatches()) {
    const text = readFileSync(join(ROOT, named.file), 'utf8')
    assert.ok(hasTitle(text, named.title), `${name}: no test \`${named.title}\``)
  }
  const unnamed = listUnnamedPatches()
  assert.ok(unnamed.length <= UNNAMED_MOST, `${unnamed.length}: ${unnamed.join(', ')}`)
})

test('a test that a patch names is run for real', async () => {
  const file = 'server/src/local-socket/private-folder.test.ts'
  const [patch] = listNamingPatches().filter(({ test: named }) => named.file === file)
  assert.ok(patch !== undefined)
  const { title } = patch.test
  const under = async (name: string): Promise<boolean> =>
    judgeNamedTest(name, title, await runNamed([file], buildExactPattern(title), name)).red
  assert.deepEqual([await under(patch.name), await under('undone_in_order')], [true, false])
})

test('a finding that there is not cannot be asked for', () => {
  const { status, stderr } = run(process.execPath, ['scripts/findings.ts', '99'])
  assert.equal(status, 2)
  assert.match(stderr, /no such finding: `99`/)
})
