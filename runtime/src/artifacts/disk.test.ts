import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { handClock } from '../engine/flow/hand-clock.test-support.ts'
import { branchTrajectory } from '../evidence/branch.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  findRefusal,
  openStage,
  type Planned,
  toPlanned,
} from './artifact-stage.test-support.ts'
import { createKiller, settleAll } from './crash.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const Y = 'src/a.ts class:A/method:y'

test('a file that somebody changed since is refused, and nothing is written', async () => {
  const it = await openStage()
  const plan = await it.plan('ann', [addMethod('x')], [X])
  it.write('src/a.ts', `// mine\n${CLASS_A}`)
  const refused = await it.apply('ann', plan)
  assert.equal(findRefusal(refused), 'FILE_CHANGED')
  assert.match(
    String(refused.execution?.details?.fix),
    /`artifact\.adopt`/u,
    'reading does not help',
  )
  assert.equal(it.read('src/a.ts'), `// mine\n${CLASS_A}`)
  const adopted = { artifacts: ['src/a.ts'], symbols: ['src/a.ts'] }
  assertApplied(await it.propose('keeper', 'artifact.adopt', adopted))
  assert.equal(
    findRefusal(await it.apply('ann', plan)),
    'DELTA_STALE',
    'nobody knows what came between',
  )
  await it.verify()
  await it.close()
})

test('two plans of one artifact are applied at once, one after the other', async () => {
  const it = await openStage()
  const plans = [
    await it.plan('ann', [addMethod('x')], [X]),
    await it.plan('bob', [addMethod('y')], [Y]),
  ] as const
  const [first, second] = await Promise.all([it.apply('ann', plans[0]), it.apply('bob', plans[1])])
  assertApplied(first)
  assertApplied(second)
  assert.match(it.read('src/a.ts'), /x\(\)[\s\S]*y\(\)/)
  await it.verify()
  await it.close()
})

test('on a branch no file is written, and main does not know of it', async () => {
  const it = await openStage()
  const head = (await it.runtime.store.listHeads()).find(({ trajectory }) => trajectory === 'main')
  const source = { trajectory: 'main', seq: head?.seq ?? 0 }
  const made = await branchTrajectory(it.runtime.engine, { source, name: 'trial', note: 'try' })
  assert.ok(made.ok)
  const step = async (kind: string, params: JsonObject) =>
    (await it.open('ann', { trajectory: 'trial' })).propose({ policy_kind: kind, params })
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const plan = toPlanned(await step('artifact.plan', { changes, symbols: [X] }))
  assertApplied(await step('artifact.apply', { ...plan }))
  assert.equal(it.read('src/a.ts'), CLASS_A)
  const [branch, main] = [
    await it.world('artifact', 'src/a.ts', 'trial'),
    await it.world('artifact', 'src/a.ts'),
  ]
  assert.notEqual(branch?.content_hash, main?.content_hash)
  assert.equal(
    findRefusal(await step('artifact.adopt', { artifacts: ['src/a.ts'], symbols: ['src/a.ts'] })),
    'ARTIFACT_UNKNOWN',
  )
  await it.verify()
  await it.close()
})

for (const [point, finding, isWritten] of [
  ['effect.before_send', 'absent', false],
  ['effect.after_send', 'applied', true],
] as const)
  test(`a crash at ${point} is settled by looking at the file: ${finding}`, async () => {
    const folder = temporaryFolder()
    const store = `sqlite:${folder}/store.db`
    const clock = handClock()
    const kill = createKiller(point)
    const first = await openStage({
      runtime: { store, clock, failpoints: kill.failpoints, background: false },
    })
    const plan = await first.plan('ann', [addMethod('x')], [X])
    kill.arm()
    await assert.rejects(first.apply('ann', plan), /killed/)
    assert.equal(first.read('src/a.ts') !== CLASS_A, isWritten)
    await first.close()

    const again = await openStage({
      folder: first.folder,
      runtime: { store, clock, background: false },
    })
    await settleAll(again, clock)
    assert.deepEqual(await listFindings(again, plan), [finding])
    assert.match(again.read('src/a.ts'), /x\(\)/, 'what was not applied is sent once more')
    assert.equal(await again.world('artifact_plan', plan.plan), null)
    await again.verify()
    await again.close()
  })

test('a file that somebody changed behind a crash is nobody’s to settle but a person’s', async () => {
  const store = `sqlite:${temporaryFolder()}/store.db`
  const clock = handClock()
  const kill = createKiller('effect.after_send')
  const { failpoints } = kill
  const first = await openStage({ runtime: { store, clock, failpoints, background: false } })
  const plan = await first.plan('ann', [addMethod('x')], [X])
  kill.arm()
  await assert.rejects(first.apply('ann', plan), /killed/)
  await first.close()
  first.write('src/a.ts', 'export const mine = 1\n')
  const { folder } = first
  const again = await openStage({ folder, runtime: { store, clock, background: false } })
  await settleAll(again, clock)
  const rows = await again.runtime.store.listExecutions({ status: ['MANUAL_REVIEW'], limit: 9 })
  assert.deepEqual(
    rows.map(({ policy_kind }) => policy_kind),
    ['artifact.apply'],
  )
  assert.equal(again.read('src/a.ts'), 'export const mine = 1\n')
  assert.notEqual(await again.world('artifact_plan', plan.plan), null)
  await again.close()
})

/** What probes found of the application of the plan. */
async function listFindings(it: ArtifactStage, { plan }: Planned): Promise<readonly string[]> {
  const found: string[] = []
  for (const { payload, envelope } of await it.runtime.store.listEntries('main', 0, 1_000)) {
    if (envelope.kind === 'commit' || payload === null) continue
    const { source, finding } = JSON.parse(payload) as { source?: string; finding?: string }
    if (source === 'probe' && finding !== undefined) found.push(finding)
  }
  assert.notEqual(plan, '')
  return [...new Set(found)]
}
