import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { handClock } from '../engine/flow/hand-clock.test-support.ts'
import {
  addMethod,
  assertApplied,
  CLASS_A,
  findRefusal,
  openStage,
  toPlanned,
} from './artifact-stage.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const CHANGES = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]

test('a plan that nobody made is refused', async () => {
  const it = await openStage()
  const plan = `sha256:${'0'.repeat(64)}`
  assert.equal(
    findRefusal(await it.apply('ann', { plan, symbols: [X] })),
    'PRECONDITION_FAILED PLAN_UNKNOWN',
  )
  await it.close()
})

test('a plan is applied once', async () => {
  const it = await openStage()
  const plan = await it.plan('ann', [addMethod('x')], [X])
  assertApplied(await it.apply('ann', plan))
  const text = it.read('src/a.ts')
  assert.equal(findRefusal(await it.apply('ann', plan)), 'PRECONDITION_FAILED PLAN_UNKNOWN')
  assert.equal(it.read('src/a.ts'), text)
  await it.close()
})

test('a plan whose time is over is refused, claims nothing, and is taken out by the next', async () => {
  const clock = handClock()
  const it = await openStage({ runtime: { clock } })
  const old = await it.plan('ann', [addMethod('x')], [X])
  await clock.advance(15 * 60_000)
  assert.equal(findRefusal(await it.apply('ann', old)), 'PRECONDITION_FAILED PLAN_EXPIRED')
  const next = await it.plan('bob', [addMethod('x')], [X])
  assert.equal(await it.world('artifact_plan', old.plan), null)
  assert.deepEqual((await it.world('artifact', 'src/a.ts'))?.plans, [next.plan])
  assertApplied(await it.apply('bob', next))
  await it.verify()
  await it.close()
})

test('a withdrawn plan claims nothing; nobody withdraws that of another', async () => {
  const it = await openStage()
  const plan = await it.plan('ann', [addMethod('x')], [X])
  assert.equal(
    findRefusal(await it.propose('bob', 'artifact.withdraw', { ...plan })),
    'PLAN_UNKNOWN',
  )
  assertApplied(await it.propose('ann', 'artifact.withdraw', { ...plan }))
  assert.equal(findRefusal(await it.apply('ann', plan)), 'PRECONDITION_FAILED PLAN_UNKNOWN')
  assertApplied(await it.propose('bob', 'artifact.plan', { changes: CHANGES, symbols: [X] }))
  await it.verify()
  await it.close()
})

test('a secret in a fragment is refused, and what is said of it does not repeat it', async () => {
  const it = await openStage()
  const secret = `AKIA${'ABCDEFGH'.repeat(2)}`
  const fragment = `x(): string {\n  return '${secret}'\n}`
  const changes = [
    { artifact: 'src/a.ts', deltas: [{ op: 'addMember', target: 'class:A', fragment }] },
  ]
  const answer = await it.propose('ann', 'artifact.plan', { changes, symbols: [X] })
  assert.equal(findRefusal(answer), 'SECRET_IN_FRAGMENT')
  assert.equal(JSON.stringify(answer.execution).includes(secret), false)
  assert.deepEqual((await it.world('artifact', 'src/a.ts'))?.plans, [])
  await it.close()
})

test('a plan on an older text holds as long as it is known what came since', async () => {
  const it = await openStage()
  const base = String((await it.world('artifact', 'src/a.ts'))?.content_hash)
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  const y = 'src/a.ts class:A/method:y'
  const late = await it.plan('bob', [addMethod('y')], [y], { base })
  assertApplied(await it.apply('bob', late))
  assert.match(it.read('src/a.ts'), /x\(\)[\s\S]*y\(\)/)
  const strange = [{ ...CHANGES[0], base: `sha256:${'1'.repeat(64)}` }]
  const answer = await it.propose('bob', 'artifact.plan', { changes: strange, symbols: [X] })
  assert.equal(findRefusal(answer), 'DELTA_STALE')
  await it.close()
})

test('a rename is planned with all who use the name, and refused where one is not named', async () => {
  const it = await openStage()
  const deltas = [{ op: 'rename', target: 'class:A', name: 'C' }]
  const changes = [{ artifact: 'src/a.ts', deltas }]
  const alone = await it.propose('ann', 'artifact.plan', { changes, symbols: ['src/a.ts class:A'] })
  assert.equal(findRefusal(alone), 'PLAN_SYMBOLS')
  const symbols = alone.execution?.details?.candidates as string[]
  assert.ok(symbols.some((symbol) => symbol.startsWith('src/use.ts')))
  const plan = toPlanned(await it.propose('ann', 'artifact.plan', { changes, symbols }))
  const answer = await it.apply('ann', plan)
  assertApplied(answer)
  assert.match(it.read('src/a.ts'), /export class C/)
  assert.match(it.read('src/use.ts'), /import \{ C \}[\s\S]*new C\(\)/)
  const { changed } = (answer.execution?.result ?? {}) as JsonObject & { changed: unknown[] }
  assert.equal(changed.length, 2)
  await it.verify()
  await it.close()
})

test('a rename on one side and a new caller on the other: the second is refused', async () => {
  const it = await openStage()
  const deltas = [{ op: 'rename', target: 'class:A', name: 'C' }]
  const changes = [{ artifact: 'src/a.ts', deltas }]
  const tried = await it.propose('ann', 'artifact.plan', { changes, symbols: ['src/a.ts class:A'] })
  const symbols = tried.execution?.details?.candidates as string[]
  const rename = toPlanned(await it.propose('ann', 'artifact.plan', { changes, symbols }))
  const caller = {
    artifact: 'src/log.ts',
    deltas: [
      { op: 'addImport', from: './a.ts', name: 'A' },
      { op: 'addMember', target: '', fragment: 'export function make(): A {\n  return new A()\n}' },
    ],
  }
  const named = ['src/log.ts function:make', 'src/log.ts import:.%2Fa.ts']
  const planned = await it.propose('bob', 'artifact.plan', { changes: [caller], symbols: named })
  assertApplied(await it.apply('ann', rename))
  if (planned.execution?.status === 'SUCCESS') {
    const applied = await it.apply('bob', toPlanned(planned))
    assert.notEqual(applied.execution?.status, 'SUCCESS')
  }
  assert.equal(it.read('src/log.ts').includes('new A'), false)
  assert.notEqual(it.read('src/a.ts'), CLASS_A)
  await it.verify()
  await it.close()
})

test('a plan says how many symbols it writes, one or several', async () => {
  const it = await openStage()
  const summarise = async (names: readonly string[]): Promise<unknown> => {
    const symbols = names.map((name) => `src/a.ts class:A/method:${name}`)
    const { plan } = await it.plan(
      'ann',
      names.map((name) => addMethod(name)),
      symbols,
    )
    return (await it.world('artifact_plan', plan))?.summary
  }
  assert.equal(await summarise(['x']), 'changes: 1 symbol of src/a.ts')
  assert.equal(await summarise(['y', 'z']), 'changes: 2 symbols of src/a.ts')
  await it.close()
})
