import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import {
  addMethod,
  assertApplied,
  CLASS_A,
  openStage,
  toPlanned,
} from './artifact-stage.test-support.ts'

const X = 'src/a.ts class:A/method:x'

test('flows that planned and applied are erased: the chain of changes holds, and can be gone back', async () => {
  const it = await openStage({ runtime: { store: `sqlite:${temporaryFolder()}/store.db` } })
  const planning = await it.open('ann')
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const plan = toPlanned(
    await planning.propose({ policy_kind: 'artifact.plan', params: { changes, symbols: [X] } }),
  )
  const applying = await it.open('ann')
  const params = { ...plan }
  assertApplied(await applying.propose({ policy_kind: 'artifact.apply', params }))
  for (const { dfid } of [planning, applying]) {
    const erased = await it.runtime.engine.oversight.erase({ dfid, reason: 'asked for' })
    assert.ok(erased.ok, JSON.stringify(erased))
  }
  await it.verify()
  const known = await it.world('artifact', 'src/a.ts')
  const undo = [{ artifact: 'src/a.ts', change: String(known?.change) }]
  const back = toPlanned(await it.propose('bob', 'artifact.plan', { undo, symbols: [X] }))
  assertApplied(await it.apply('bob', back))
  assert.equal(it.read('src/a.ts'), CLASS_A)
  await it.verify()
  await it.close()
})
