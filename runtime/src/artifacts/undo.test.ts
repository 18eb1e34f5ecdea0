import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchTrajectory } from '../evidence/branch.ts'
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

const X = 'src/a.ts class:A/method:x'
const Y = 'src/a.ts class:A/method:y'
const ONE = 'src/a.ts class:A/method:one'

async function planUndo(it: ArtifactStage, change: string, symbols: string[]): Promise<Planned> {
  const undo = [{ artifact: 'src/a.ts', change }]
  return toPlanned(await it.propose('ann', 'artifact.plan', { undo, symbols }))
}

async function getChange(it: ArtifactStage): Promise<string> {
  return String((await it.world('artifact', 'src/a.ts'))?.change)
}

test('an undo gives back the bytes', async () => {
  const it = await openStage()
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  assert.notEqual(it.read('src/a.ts'), CLASS_A)
  assertApplied(await it.apply('ann', await planUndo(it, await getChange(it), [X])))
  assert.equal(it.read('src/a.ts'), CLASS_A)
  await it.verify()
  await it.close()
})

test('what came after the change that is undone stays, and can be undone itself', async () => {
  const it = await openStage()
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  const first = await getChange(it)
  assertApplied(await it.apply('bob', await it.plan('bob', [addMethod('y')], [Y])))
  const second = await getChange(it)
  assertApplied(await it.apply('ann', await planUndo(it, first, [X])))
  assert.match(it.read('src/a.ts'), /y\(\)/)
  assert.doesNotMatch(it.read('src/a.ts'), /x\(\)/)
  assertApplied(await it.apply('ann', await planUndo(it, second, [Y])))
  assert.equal(it.read('src/a.ts'), CLASS_A)
  await it.verify()
  await it.close()
})

test('a change on which another stands is not undone, nor one that is not known', async () => {
  const it = await openStage()
  const replace = (target: string, value: number) => ({
    op: 'replaceBody',
    target,
    fragment: `{\n  return ${value}\n}`,
  })
  assertApplied(
    await it.apply('ann', await it.plan('ann', [replace('class:A/method:one', 7)], [ONE])),
  )
  const first = await getChange(it)
  assertApplied(
    await it.apply('bob', await it.plan('bob', [replace('class:A/method:one', 8)], [ONE])),
  )
  const undo = (change: string) =>
    it.propose('ann', 'artifact.plan', { undo: [{ artifact: 'src/a.ts', change }], symbols: [ONE] })
  assert.equal(findRefusal(await undo(first)), 'UNDO_BLOCKED')
  assert.equal(findRefusal(await undo(`sha256:${'2'.repeat(64)}`)), 'CHANGE_UNKNOWN')
  await it.close()
})

test('an undo of what is outside of the contract is refused', async () => {
  const it = await openStage({ agents: { ann: ['*'], cy: ['src/a.ts class:B/*'] } })
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  const undo = [{ artifact: 'src/a.ts', change: await getChange(it) }]
  const other = 'src/a.ts class:B/method:other'
  const refused = await it.propose('cy', 'artifact.plan', { undo, symbols: [other] })
  assert.equal(findRefusal(refused), 'PLAN_SYMBOLS')
  await it.close()
})

test('what a branch changed is planned on main, and applied there', async () => {
  const it = await openStage()
  const head = (await it.runtime.store.listHeads()).find(({ trajectory }) => trajectory === 'main')
  const source = { trajectory: 'main', seq: head?.seq ?? 0 }
  const made = await branchTrajectory(it.runtime.engine, { source, name: 'trial', note: 'try' })
  assert.ok(made.ok)
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const planned = toPlanned(
    await (await it.open('ann', { trajectory: 'trial' })).propose({
      policy_kind: 'artifact.plan',
      params: { changes, symbols: [X] },
    }),
  )
  const params = { ...planned }
  assertApplied(
    await (await it.open('ann', { trajectory: 'trial' })).propose({
      policy_kind: 'artifact.apply',
      params,
    }),
  )
  assertApplied(await it.apply('bob', await it.plan('bob', [addMethod('y')], [Y])))
  const merge = { trajectory: 'trial' }
  const plan = toPlanned(await it.propose('ann', 'artifact.plan', { merge, symbols: [X] }))
  assertApplied(await it.apply('ann', plan))
  assert.match(it.read('src/a.ts'), /x\(\)/)
  assert.match(it.read('src/a.ts'), /y\(\)/)
  await it.verify()
  await it.close()
})

test('an effect that is taken back gives back the bytes, and what others did since stays', async () => {
  const it = await openStage({ isKept: true })
  const flow = await it.open('ann', { steps: 'many' })
  const step = (step_id: string, policy_kind: string, params: object) =>
    flow.propose({ policy_kind, step_id, params })
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const plan = toPlanned(await step('plan', 'artifact.plan', { changes, symbols: [X] }))
  assertApplied(await step('apply', 'artifact.apply', plan))
  assertApplied(await it.apply('bob', await it.plan('bob', [addMethod('y')], [Y])))
  // The same once more: the name is taken, and the flow did half of its job.
  const failed = await step('again', 'artifact.plan', { changes, symbols: [X] })
  assert.equal(findRefusal(failed), 'NAME_TAKEN')
  const keeper = await it.open('keeper', { steps: 'many' })
  const back = await keeper.compensate(flow.dfid, 'REVERT')
  assert.equal(back.execution?.status, 'SUCCESS')
  assert.match(it.read('src/a.ts'), /y\(\)/)
  assert.doesNotMatch(it.read('src/a.ts'), /x\(\)/)
  await it.verify()
  await it.close()
})
