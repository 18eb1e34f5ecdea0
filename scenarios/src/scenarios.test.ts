import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Failure } from 'rubicon-kernel'
import { RubiconError } from '../../runtime/src/compose.ts'
import { AUDIT_QUERY } from '../../runtime/src/ports/audit-query.ts'
import { run, runJson } from '../../server/src/cli/cli.test-support.ts'
import { playScenario } from '../../server/src/demo/play.ts'
import { oracleReport, oracleSkip } from '../../verifier/src/samples/oracle.test-support.ts'
import { SCENARIOS } from './index.ts'

const MARK = {
  ACCEPTED: '✔',
  REJECTED: '✖',
  EXHAUSTED: '✖',
  ESCALATED: '⚠',
  REPEATED: '↺',
} as const

for (const { name, load } of SCENARIOS) {
  test(`scenario ${name} ends as expected, and its ledger verifies`, async (t) => {
    const played = await playScenario(await load()).catch(missingServer)
    if ('code' in played) return t.skip(`NO POSTGRES SERVER: ${played.fix}`)
    const { lines, expected, ledger } = played
    const wrong = lines.filter((line) => line.kind !== 'info' && !line.expected)
    assert.deepEqual(wrong, [])
    assert.deepEqual(ledger.report.findings, [])
    assert.deepEqual([ledger.law.findings, ledger.law.unjudged], [[], {}])
    // What no scenario has played, nobody has shown to the second verifier.
    if (oracleSkip === false)
      assert.deepEqual((await oracleReport(readFileSync(ledger.file))).findings, [])
    assert.equal(expected, true)
    assert.ok(lines.some(({ kind }) => kind === 'decision'))
  })
}

/** The one thing that a machine may lack. */
function missingServer(error: unknown): Failure {
  if (error instanceof RubiconError && error.code === 'POSTGRES_MISSING') return error.failure
  throw error
}

test('demo prints a line a decision, and as JSON what scripts rely on', async () => {
  const { exit, data } = await runJson(['demo', 'comma-catastrophe'])
  assert.deepEqual([exit, data.name, data.expected], [0, 'comma-catastrophe', true])
  const [mistake, right] = data.decisions
  assert.deepEqual(Object.keys(mistake), ['outcome', 'reason_code', 'dfid', 'summary'])
  assert.deepEqual([mistake.reason_code, right.outcome], ['ORDER_VALUE_EXCEEDED', 'ACCEPTED'])
  const { stdout } = await run(['demo', 'retry-governor'])
  assert.match(stdout, new RegExp(`^${MARK.REJECTED} rejected LIMIT_EXCEEDED`, 'm'))
  assert.match(stdout, /^✖ rejected REASONING_EXHAUSTION/m)
})

test('demo --list shows every scenario with one sentence', async () => {
  const { data } = await runJson(['demo', '--list'])
  assert.equal(data.length, SCENARIOS.length)
  assert.equal((await run(['demo'])).stdout.trim().split('\n').length, SCENARIOS.length)
  const unknown = await run(['demo', 'coma-catastrophe'])
  assert.deepEqual([unknown.exit, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /did you mean `comma-catastrophe`/)
})

test('a scenario that does not end as expected says so', async () => {
  const { expected } = await playScenario({
    name: 'broken',
    async play(stage) {
      const runtime = await stage.openRuntime({})
      await runtime.start()
      stage.check('two is three', false)
    },
  })
  assert.equal(expected, false)
})

/** What others published; beside the checkout, not in it: see `vectors.test-support.ts` of the kernel. */
const SEEDS = new URL('../../../shared/seeds/', import.meta.url)
const withoutSeeds =
  !existsSync(SEEDS) && 'NOT BESIDE: there is no ../shared/seeds beside this checkout'

test('the audit query is the one of the specification, word for word', {
  skip: withoutSeeds,
}, () => {
  const specification = new URL('dir-framework-specification.txt', SEEDS)
  assert.ok(readFileSync(specification, 'utf8').includes(AUDIT_QUERY))
})

test('the library example runs', () => {
  const file = fileURLToPath(new URL('../../examples/library.ts', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(
    stdout,
    /^provider: pay 20\.00 under key [0-9a-f]{8}…\nACCEPTED \{ refund: 're_1' \}\n$/,
  )
})
