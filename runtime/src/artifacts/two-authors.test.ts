import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeContentHash } from 'rubicon-artifacts/store'
import {
  addMethod,
  assertApplied,
  CLASS_A,
  findRefusal,
  openStage,
} from './artifact-stage.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const Y = 'src/a.ts class:A/method:y'
const ONE = 'src/a.ts class:A/method:one'

test('a plan is applied: the file is written, and World names its hash', async () => {
  const it = await openStage()
  const plan = await it.plan('ann', [addMethod('x')], [X])
  assert.equal(it.read('src/a.ts'), CLASS_A, 'a plan writes nothing')
  assertApplied(await it.apply('ann', plan))
  const text = it.read('src/a.ts')
  assert.match(text, /x\(\): number/)
  const fact = await it.world('artifact', 'src/a.ts')
  assert.equal(fact?.content_hash, computeContentHash(Buffer.from(text)))
  assert.deepEqual(fact?.plans, [])
  assert.equal(await it.world('artifact_plan', plan.plan), null)
  await it.verify()
  await it.close()
})

test('two agents add different methods to one class: both orders give the same bytes', async () => {
  const texts: string[] = []
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const it = await openStage()
    const plans = [
      { by: 'ann', plan: await it.plan('ann', [addMethod('x')], [X]) },
      { by: 'bob', plan: await it.plan('bob', [addMethod('y')], [Y]) },
    ]
    for (const index of order) {
      const next = plans[index]
      assert.ok(next !== undefined)
      assertApplied(await it.apply(next.by, next.plan))
    }
    texts.push(it.read('src/a.ts'))
    assert.equal(it.read('src/use.ts').includes('one'), true)
    await it.close()
  }
  assert.equal(texts[0], texts[1])
  assert.match(texts[0] ?? '', /x\(\)[\s\S]*y\(\)/)
  // Bytes elsewhere are the same.
  const [head, tail] = [CLASS_A.indexOf('\n  two'), CLASS_A.indexOf('export class B')]
  assert.ok(texts[0]?.startsWith(CLASS_A.slice(0, head)))
  assert.ok(texts[0]?.endsWith(CLASS_A.slice(tail)))
})

test('two agents replace one method: the second plan is refused, and says by whose plan', async () => {
  const it = await openStage()
  const replace = (value: number) => ({
    op: 'replaceBody',
    target: 'class:A/method:one',
    fragment: `{\n  return ${value}\n}`,
  })
  const first = await it.plan('ann', [replace(10)], [ONE])
  const changes = [{ artifact: 'src/a.ts', deltas: [replace(20)] }]
  const second = await it.propose('bob', 'artifact.plan', { changes, symbols: [ONE] })
  assert.equal(findRefusal(second), 'PLAN_CONFLICT')
  assert.deepEqual(second.execution?.details?.candidates, [first.plan])
  assertApplied(await it.apply('ann', first))
  assert.match(it.read('src/a.ts'), /return 10/)
  assertApplied(await it.propose('bob', 'artifact.plan', { changes, symbols: [ONE] }))
  await it.verify()
  await it.close()
})
