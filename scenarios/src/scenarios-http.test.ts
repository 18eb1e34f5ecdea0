/**
 * The same scenarios with agents and people at the other end of a wire: nothing ends otherwise. A sample: all of them are
 * played over HTTP by `npm run scenarios:everywhere`, which the proof runs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runJson } from '../../server/src/cli/cli.test-support.ts'
import '../../server/src/http/schemas/watch-fetch.test-support.ts'
import { playScenario } from '../../server/src/demo/play.ts'
import { SCENARIOS } from './index.ts'

const OVER_HTTP: readonly string[] = [
  'comma-catastrophe',
  'roa-agent',
  'escalation',
  'saga',
  'semantic-drift',
  'sds',
  'fraud-gate',
]

for (const name of OVER_HTTP) {
  test(`${name} ends as expected over HTTP, and its ledger verifies`, async (t) => {
    const listed = SCENARIOS.find((scenario) => scenario.name === name)
    assert.ok(listed, `there is a scenario ${name}`)
    const asked = t.mock.method(globalThis, 'fetch')
    const { lines, ledger, expected } = await playScenario(await listed.load(), { http: true })
    const wrong = lines.filter((line) => line.kind !== 'info' && !line.expected)
    assert.deepEqual(wrong, [])
    assert.deepEqual(ledger.report.findings, [])
    assert.equal(expected, true)
    const decisions = lines.filter(({ kind }) => kind === 'decision').length
    assert.ok(asked.mock.callCount() >= decisions, 'every decision was asked for over the wire')
  })
}

test('demo --http prints the same as demo, and asks over the wire', async (t) => {
  const asked = t.mock.method(globalThis, 'fetch')
  const { exit, data } = await runJson(['demo', 'retry-governor', '--http'])
  assert.ok(asked.mock.callCount() > 0)
  const inProcess = await runJson(['demo', 'retry-governor'])
  const outcomes = ({ decisions }: { decisions: readonly { reason_code: string }[] }): object =>
    decisions.map(({ reason_code }) => reason_code)
  assert.deepEqual([exit, outcomes(data)], [0, outcomes(inProcess.data)])
})
