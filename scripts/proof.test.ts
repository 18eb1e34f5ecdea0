import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Bar, listBars } from './proof-bars.ts'
import { FULL, TINY } from './proof-sizes.ts'
import { type Ran, run } from './shell.ts'

const out = mkdtempSync(join(tmpdir(), 'rubicon-proof-'))
after(() => rmSync(out, { recursive: true }))

function proof(...words: readonly string[]): Ran {
  return run(process.execPath, ['scripts/proof.ts', '--tiny', '--out', out, ...words])
}

/** What a bar says of a result. */
function metBy(name: string, result: object, ms = 0): readonly boolean[] {
  const bar: Bar | undefined = listBars(FULL).find((one) => one.name === name)
  const judged = bar?.judge?.({ ...result }, ms) ?? assert.fail(`no bar ${name}`)
  return [judged].flat().map(({ met }) => met)
}

test('a bar runs its command, keeps what it printed, and is in the table', () => {
  const { status, stdout, stderr } = proof('authority', 'mcp-tricks', '--json')
  assert.equal(status, 0, stderr)
  const rows: readonly { readonly name: string; readonly met: boolean }[] = JSON.parse(stdout)
  assert.deepEqual(
    rows.map(({ name, met }) => [name, met]),
    [
      ['mcp-tricks', true],
      ['mcp-tricks', true],
      ['authority', true],
    ],
  )
  assert.match(stderr, /^\[2 of 2, .+\] rubicon sim authority --chains 20 --json$/m)
  assert.match(stderr, /^3 met, 0 not met in /m)
  assert.deepEqual(readdirSync(out).sort(), ['authority.json', 'mcp-tricks.json', 'table.json'])
  assert.equal(JSON.parse(readFileSync(join(out, 'authority.json'), 'utf8')).chains, 20)
})

test('a bar that is not met is a finding', () => {
  // So few cases cannot reach every code.
  const { status, stdout } = proof('differential')
  assert.equal(status, 4)
  assert.match(stdout, /NOT MET {2}40 done, disagreements 0, codes_missing [1-9]/)
  assert.match(stdout, /^0 met, 1 not met/m)
})

test('a bar that there is not cannot run', () => {
  assert.equal(proof('nothing').status, 2)
})

test('names are names of files, and each is there once, at every size', () => {
  const names = listBars(FULL).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z0-9-]+$/)
  assert.deepEqual(
    listBars(TINY).map(({ name }) => name),
    names,
  )
})

test('what is read of a result is what fails it', () => {
  const tampered = {
    cases: { byte: 10_000 },
    missed: { rubicon: 0, oracle: 0 },
    wrong_place: 0,
    false_alarms: 0,
    resigned: { cases: 5, accepted: 0 },
  }
  assert.deepEqual(metBy('tamper', tampered), [true, true])
  assert.deepEqual(metBy('tamper', { ...tampered, missed: { rubicon: 0, oracle: 1 } })[0], false)
  assert.deepEqual(metBy('tamper', { ...tampered, cases: { byte: 9_999 } })[0], false)
  const accepted = { ...tampered, resigned: { cases: 0, accepted: 0 } }
  assert.deepEqual(metBy('tamper', accepted), [true, false])

  const atRest = { cases: 400, missed: 0, signed_over: 0, false_alarms: 0 }
  assert.deepEqual(metBy('tamper-at-rest-sqlite', atRest), [true])
  assert.deepEqual(metBy('tamper-at-rest-sqlite', { ...atRest, missed: 1 }), [false])
  assert.deepEqual(metBy('tamper-at-rest-sqlite', { ...atRest, signed_over: 1 }), [false])
  assert.deepEqual(metBy('tamper-at-rest-sqlite', { ...atRest, cases: 399 }), [false])

  const shared = { granted: 100, refused: 100, sum: 1_000 }
  assert.deepEqual(metBy('contention-postgres-4', { ...shared, budget: shared }), [true, true])
  const short = { ...shared, granted: 99 }
  assert.deepEqual(metBy('contention-postgres-4', { ...shared, budget: short }), [true, false])

  const raced = { dispatched: 900, dispatched_after: 0, revoke_ms: 80 }
  assert.deepEqual(metBy('revoke-postgres', raced), [true, true])
  assert.deepEqual(metBy('revoke-postgres', { ...raced, dispatched_after: 1 }), [false, true])
  assert.deepEqual(metBy('revoke-postgres', { ...raced, revoke_ms: 1_000 }), [true, false])

  const times = { dbos: 2.5, restate: 1.3, langgraph: 5 }
  const same = { dbos: 1, restate: 1, langgraph: 1 }
  const beside = {
    act_times: { sqlite: times, postgres: times },
    sequential_act_times: { sqlite: same, postgres: same },
  }
  const met = [true, true, true, true, true, true, true]
  assert.deepEqual(metBy('decide-peers', beside), met)
  const unmeasured = { ...beside, act_times: { sqlite: {}, postgres: { ...times, dbos: null } } }
  assert.deepEqual(metBy('decide-peers', unmeasured), [false, false, ...met.slice(2)])
  assert.deepEqual(metBy('decide-peers', {}).includes(true), false)
  const cost = { '1000': 400, '1000000': 481 }
  const ratios = { ratio_to_floor: { concurrent_64: 0.85, sequential: 0.7 } }
  const acts = { act_ratio_to_floor: { concurrent_64: 0.7 } }
  const speeds = {
    decisions_per_s: { concurrent_64: 1_000 },
    decisions_per_s_cedar: { concurrent_64: 800 },
  }
  const size = { verify_entries_per_s: 99_999, decision_us_at: cost }
  const fast = [true, true, true, true]
  assert.deepEqual(metBy('decide', { ...ratios, ...acts, ...speeds, ...size }), [
    ...fast,
    false,
    false,
  ])
  const slow = { ratio_to_floor: { concurrent_64: 0.84, sequential: 0.69 } }
  assert.deepEqual(metBy('decide', { ...slow, ...size }).includes(true), false)

  const answered = { requests: 60_000, ms: { p99: 99 }, errors: {} }
  assert.deepEqual(metBy('api', { ...answered, events: { lost: 0, doubled: 0 } }), [true, true])
  assert.deepEqual(metBy('api', { ...answered, events: { lost: 1, doubled: 0 } }), [true, false])
  assert.deepEqual(metBy('api', {}), [false, false])

  const played = { scenarios: Array.from({ length: FULL.scenarios }, () => ({})), equal: true }
  assert.deepEqual(metBy('everywhere', played), [true])
  assert.deepEqual(metBy('everywhere', { ...played, equal: false }), [false])
  assert.deepEqual(metBy('everywhere', { ...played, scenarios: [{}] }), [false])

  const guarded = { green: 34, red: 0, missing: 0, unguarded: 0 }
  assert.deepEqual(metBy('findings', guarded), [true])
  assert.deepEqual(metBy('findings', { ...guarded, unguarded: 1 }), [false])
  assert.deepEqual(metBy('findings', { ...guarded, green: 0 }), [false])
})

test('a bar of artifacts is met by what it asks for, and by nothing less', () => {
  const deltas = {
    batches: 1_000,
    not_restored: 0,
    failures: [],
    violations: { seeded: 1_000, refused: 1_000 },
  }
  assert.deepEqual(metBy('artifacts-deltas', deltas), [true, true])
  assert.deepEqual(metBy('artifacts-deltas', { ...deltas, batches: 999 }), [false, true])
  const missed = { ...deltas, violations: { seeded: 1_000, refused: 999 } }
  assert.deepEqual(metBy('artifacts-deltas', missed), [true, false])

  const edits = {
    edits: { other_lines: 0, not_restored: 0, applied: 9 },
    judge: { broken: 0 },
    rename: { different: 0, only_ours: 0 },
    ok: true,
  }
  assert.deepEqual(metBy('artifacts-edits', edits), [true, true])
  const touched = { other_lines: 1, not_restored: 0, applied: 9 }
  assert.deepEqual(metBy('artifacts-edits', { ...edits, edits: touched }), [false, true])
  assert.deepEqual(metBy('artifacts-edits', {}), [false, false])

  const added = { wrong: 0, merged_percent: 99, git_merged_percent: 12 }
  const merge = {
    classes: added,
    modules: added,
    versions: { wrong: 0 },
    semantic: { refused_percent: 100 },
  }
  assert.deepEqual(metBy('merge', merge), [true, true, true, true])
  const lost = { ...merge, versions: { wrong: 1 }, semantic: { refused_percent: 99.9 } }
  assert.deepEqual(metBy('merge', lost), [false, false, true, true])

  const found = { p99_us: 999 }
  const index = { symbols: 1e6, exact: found, by_path: found, by_name: found, by_prefix: found }
  assert.deepEqual(metBy('index', index), [true, true, true, true, true])
  assert.deepEqual(metBy('index', { ...index, exact: { p99_us: 1_000 } })[1], false)
  const scrub = { events: 10_000, scrub: { max_ms: 99 }, cold: { max_ms: 100 } }
  assert.deepEqual(metBy('scrub', scrub), [true, true, false])
})
