/** One crash holds the lock of all artifacts only where nobody but a person can know what came of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuntimeOptions } from '../compose.ts'
import { type HandClock, handClock } from '../engine/flow/hand-clock.test-support.ts'
import type { Failpoint } from '../ports/failpoint.ts'
import type { ExecutionRow } from '../ports/store.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  openStage,
  toPlanned,
} from './artifact-stage.test-support.ts'
import { createKiller, settleAll } from './crash.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const Y = 'src/a.ts class:A/method:y'
const SAYS = { evidence: { seen: 'files' }, justification: 'looked at it', by: 'jane' }

async function reopen(
  { folder }: ArtifactStage,
  runtime: RuntimeOptions & { readonly clock: HandClock },
): Promise<ArtifactStage> {
  const again = await openStage({ folder, isKept: true, runtime })
  await settleAll(again, runtime.clock)
  return again
}

async function listStatuses(
  { runtime }: ArtifactStage,
  isMeant: (row: ExecutionRow) => boolean,
): Promise<readonly string[]> {
  const rows = await runtime.store.listExecutions({ limit: 50 })
  return rows.filter(isMeant).map(({ status }) => status)
}

test('a plan that is refused when it is sent again behind a crash has failed, and holds nobody', async () => {
  const clock = handClock()
  const store = `sqlite:${temporaryFolder()}/store.db`
  const kill = createKiller('effect.before_send')
  const first = await openStage({
    isKept: true,
    runtime: { store, clock, failpoints: kill.failpoints, background: false },
  })
  await first.plan('bob', [addMethod('x')], [X])
  kill.arm()
  await assert.rejects(first.plan('ann', [addMethod('x')], [X]), /killed/)
  await first.close()
  const again = await reopen(first, { store, clock, background: false })
  const plans = await listStatuses(again, ({ policy_kind }) => policy_kind === 'artifact.plan')
  assert.deepEqual([...plans].sort(), ['FAILED', 'SUCCESS'])
  assertApplied(await again.apply('bob', await again.plan('bob', [addMethod('y')], [Y])))
  await again.verify()
  await again.close()
})

type Interrupted = { readonly it: ArtifactStage; readonly dfid: string; readonly plan: string }

/** A runtime ends in the midst of taking an application back; what stands in the file then is `mine`, if anything. */
async function interruptUndo(
  point: Failpoint,
  clock: HandClock,
  mine: string | null = null,
): Promise<Interrupted> {
  const store = `sqlite:${temporaryFolder()}/store.db`
  let state: 'well' | 'armed' | 'undoing' | 'dead' = 'well'
  const failpoints: NonNullable<RuntimeOptions['failpoints']> = {
    reach(at) {
      if (state === 'armed' && at === 'compensate.before_dispatch') state = 'undoing'
      if (state === 'undoing' && at === point) state = 'dead'
      // The choice is an effect as well: nothing of it is settled by a process that is gone.
      if (state === 'dead') throw new Error('killed')
    },
  }
  const first = await openStage({
    isKept: true,
    runtime: { store, clock, failpoints, background: false },
  })
  const flow = await first.open('ann', { steps: 'many' })
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const planning = { policy_kind: 'artifact.plan', params: { changes, symbols: [X] } }
  const plan = toPlanned(await flow.propose({ ...planning, step_id: 'plan' }))
  const applying = { policy_kind: 'artifact.apply', params: { ...plan } }
  assertApplied(await flow.propose({ ...applying, step_id: 'apply' }))
  await flow.propose({ ...planning, step_id: 'again' })
  state = 'armed'
  const keeper = await first.open('keeper', { steps: 'many' })
  await assert.rejects(keeper.compensate(flow.dfid, 'REVERT'), /killed/)
  state = 'well'
  await first.close()
  if (mine !== null) first.write('src/a.ts', mine)
  const it = await reopen(first, { store, clock, background: false })
  return { it, dfid: flow.dfid, plan: plan.plan }
}

const isUndoOfApply = ({ step_id }: ExecutionRow): boolean => step_id === 'undo~apply'

async function checkTakenBack({ it, plan }: Interrupted): Promise<void> {
  assert.deepEqual(await listStatuses(it, isUndoOfApply), ['SUCCESS'])
  assert.equal(it.read('src/a.ts'), CLASS_A)
  assert.equal(await it.world('artifact_plan', plan), null)
  assertApplied(await it.apply('bob', await it.plan('bob', [addMethod('y')], [Y])))
  await it.verify()
  await it.close()
}

test('an undoing that had written nothing before a crash is sent again', async () => {
  await checkTakenBack(await interruptUndo('effect.before_send', handClock()))
})

test('an undoing whose files were written before a crash is found to be done', async () => {
  await checkTakenBack(await interruptUndo('effect.after_send', handClock()))
})

test('a person who says that an application was taken back does not open its plan again', async () => {
  const { it, dfid, plan } = await interruptUndo('effect.after_send', handClock(), '// mine\n')
  assert.deepEqual(await listStatuses(it, isUndoOfApply), ['MANUAL_REVIEW'])
  const { oversight } = it.runtime.engine
  const says = { outcome: 'applied', ...SAYS } as const
  const unsaid = await oversight.resolveExecution(dfid, 'undo~apply', says)
  assert.ok(!unsaid.ok)
  assert.match(JSON.stringify(unsaid.error), /`delta`/u)
  it.write('src/a.ts', CLASS_A)
  assert.ok((await oversight.resolveExecution(dfid, 'undo~apply', says)).ok)
  assert.equal(await it.world('artifact_plan', plan), null)
  await it.verify()
  await it.close()
})
