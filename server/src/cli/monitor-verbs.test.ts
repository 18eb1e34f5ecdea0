import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import { refundCapability } from '../demo/refunds.ts'
import { type Data, EXAMPLE, type Home, home, run, runJson } from './cli.test-support.ts'

const MONITOR = `api_version: rubicon/v1
kind: Monitor
name: mean_refund
agents: [refunds_bot]
statistic: {kind: mean, value: "measure:refund_usd", max: "50"}
window: {executions: 3}
`

const SOURCE = new URL('../demo/refunds.ts', import.meta.url).href

/** A file beside the store. */
function written({ folder }: Home, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function using<T>({ at }: Home, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const [, store = '', , stateDirectory = ''] = at
  const capabilities = [refundCapability([])]
  const runtime = await createRuntime({ store, stateDirectory, capabilities, background: false })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

async function refunds(place: Home, amounts: readonly string[]): Promise<readonly Answer[]> {
  return using(place, async (runtime) => {
    await runtime.start()
    const answers: Answer[] = []
    for (const [i, amount] of amounts.entries()) {
      const flow = await runtime.open({ agent: 'refunds_bot', trigger: `ticket ${i}` })
      answers.push(await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount } }))
    }
    await runtime.engine.oversight.sweepMonitors()
    return answers
  })
}

test('a rehearsal says when and on which flows, and the monitor does just that', async () => {
  const place = home()
  const file = written(place, 'monitor.yaml', MONITOR)
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  await refunds(place, ['40.00', '60.00', '49.00', '42.00', '60.00'])
  const before = await runJson(['monitors', 'dry-run', file, ...place.at])
  assert.equal(before.exit, 4)
  assert.deepEqual(
    before.data.trips.map((trip: Data) => [trip.value, trip.bound, trip.executions_behind]),
    [['50.333334', 'max', 3]],
  )
  const other = home()
  await run(['contract', 'deploy', EXAMPLE, ...other.at])
  await run(['monitors', 'deploy', file, ...other.at])
  const answers = await refunds(other, ['40.00', '60.00', '49.00', '42.00', '60.00'])
  const agent = await runJson(['agents', 'show', 'refunds_bot', ...other.at])
  assert.equal(agent.data.status, 'SUSPENDED')
  const after = await runJson(['monitors', 'dry-run', file, ...other.at])
  const dfids = answers.slice(1, 4).map(({ dfid }) => dfid)
  assert.deepEqual(after.data.trips[0].flows, dfids.reverse())
  assert.deepEqual(
    after.data.trips.map(({ value }: Data) => value),
    before.data.trips.map(({ value }: Data) => value),
  )
  const { stdout } = await run(['monitors', 'dry-run', file, ...place.at])
  assert.match(stdout, /MONITOR_TRIPPED: mean_refund is 50\.333334, max 50, over 3 executions/)
})

test('a changed contract is tried on history, and then decides as it said it would', async () => {
  const place = home()
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const amounts = ['20.00', '90.00', '600.00']
  await refunds(place, amounts)
  const text = readFileSync(EXAMPLE, 'utf8').replace('"500.00"', '"50.00"')
  const thresholds = 'aggregate_thresholds: {max_average_refund_usd_2x: "50"}'
  const version = text.replace('version: 1.0.0', 'version: 1.1.0')
  const file = written(place, 'changed.yaml', `${version}\n${thresholds}\n`)
  const rules = written(
    place,
    'rules.mjs',
    `import { refundCapability } from '${SOURCE}'\nexport const capabilities = [refundCapability([])]`,
  )
  const dry = ['monitors', 'dry-run', '--contract', file, ...place.at]
  const { exit, data } = await runJson([...dry, '--rules', rules])
  assert.equal(exit, 4)
  assert.deepEqual(
    data.trips.map(({ monitor, value }: Data) => [monitor, value]),
    [['max_average_refund_usd_2x', '55']],
  )
  const differing: readonly Data[] = data.verdicts.differing
  assert.deepEqual(
    differing.map(({ recorded, now }) => [recorded.outcome, now.outcome, now.code]),
    [['ACCEPTED', 'ESCALATED', 'AUTHORITY_CEILING']],
  )
  assert.equal((await runJson(dry)).data.verdicts, null, 'without rules no verdict can be given')
  assert.equal((await run(['contract', 'deploy', file, ...place.at])).exit, 0)
  const outcomes = (await refunds(place, amounts)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['ACCEPTED', 'ESCALATED', 'ESCALATED'])
})

test('monitors are put in force, listed and withdrawn', async () => {
  const place = home()
  const file = written(place, 'monitor.yaml', MONITOR)
  await run(['contract', 'deploy', EXAMPLE, ...place.at])
  const deployed = await runJson(['monitors', 'deploy', file, ...place.at])
  assert.deepEqual([deployed.exit, deployed.data.deployed[0].unchanged], [0, false])
  const again = await runJson(['monitors', 'deploy', file, ...place.at])
  assert.equal(again.data.deployed[0].unchanged, true)
  await refunds(place, ['20.00'])
  const { data } = await runJson(['monitors', 'list', ...place.at])
  const [monitor] = data.monitors
  assert.deepEqual(
    [monitor.monitor.name, monitor.verdict.kind, data.unseen],
    ['mean_refund', 'no_data', 0],
  )
  assert.match(
    (await run(['monitors', ...place.at])).stdout,
    /mean_refund +mean +file +no_data +20/,
  )
  const gone = ['monitors', 'withdraw', 'mean_refund', '--reason', 'noise', '--yes', ...place.at]
  assert.equal((await run(gone)).exit, 0)
  assert.deepEqual((await runJson(['monitors', 'list', ...place.at])).data.monitors, [])
  assert.equal((await runJson(gone)).data.error.code, 'MONITOR_UNKNOWN')
})

test('a file that says what nobody understands is refused with its line', async () => {
  const place = home()
  const refused = async (text: string): Promise<string> => {
    const file = written(place, 'bad.yaml', text)
    const { exit, data } = await runJson(['monitors', 'deploy', file, ...place.at])
    assert.deepEqual([exit, data.error.code], [2, 'MONITOR_INVALID'])
    return data.error.summary
  }
  assert.match(await refused(`${MONITOR}notify: ops\n`), /bad\.yaml:7:1: notify: is not a known/)
  assert.match(await refused(MONITOR.replace('"50"', 'fifty')), /statistic\.max: must be a decimal/)
  assert.match(await refused(MONITOR.replace('measure:', '')), /statistic\.value: must be `measure/)
  assert.match(await refused(MONITOR.replace('{executions: 3}', '{}')), /window: needs/)
  assert.equal((await run(['monitors', 'dry-run', ...place.at])).exit, 2)
})
