import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  FILES,
  findRefusal,
  openStage,
} from './artifact-stage.test-support.ts'

const SCOPE = { ann: ['*'], cy: ['src/a.ts class:A/*'] }
const ONE = 'src/a.ts class:A/method:one'
const TWO_PATH = 'class:A/method:two'
const TWO = `src/a.ts ${TWO_PATH}`
const X = 'src/a.ts class:A/method:x'

function propose(it: ArtifactStage, deltas: JsonValue[], symbols: string[]) {
  const changes = [{ artifact: 'src/a.ts', deltas }]
  return it.propose('cy', 'artifact.plan', { changes, symbols })
}

function assertUntouched(it: ArtifactStage): void {
  for (const [name, text] of Object.entries(FILES)) assert.equal(it.read(name), text, name)
}

test('an agent changes what its contract names, and nothing else by any delta', async () => {
  const it = await openStage({ agents: SCOPE })
  const outside: readonly [why: string, code: string, delta: JsonObject, symbols: string[]][] = [
    ['another class', 'PLAN_SYMBOLS', addMethod('x', 'class:B'), [X]],
    ['who uses the class', 'PLAN_SYMBOLS', { op: 'rename', target: 'class:A', name: 'C' }, [ONE]],
    ['a move out', 'PLAN_SYMBOLS', { op: 'move', target: TWO_PATH, to: 'class:B' }, [TWO]],
    [
      'a move in',
      'PLAN_SYMBOLS',
      { op: 'move', target: 'class:B/method:other', to: 'class:A' },
      ['src/a.ts class:A/method:other'],
    ],
    ['removal of another', 'PLAN_SYMBOLS', { op: 'remove', target: 'class:B' }, [ONE]],
    ['imports alone', 'PLAN_SYMBOLS', { op: 'addImport', from: './log.ts', name: 'level' }, [ONE]],
    [
      'a fragment that closes the class',
      'FRAGMENT_REACHES_OUT',
      { op: 'addMember', target: 'class:A', fragment: 'x() {}\n}\nclass Z {\n  y() {}' },
      [X],
    ],
  ]
  for (const [why, code, delta, symbols] of outside)
    assert.equal(findRefusal(await propose(it, [delta], symbols)), code, why)
  assertUntouched(it)
  assert.deepEqual((await it.world('artifact', 'src/a.ts'))?.plans, [], 'nothing is claimed')
  await it.verify()
  await it.close()
})

test('a plan that writes more than was named is refused, with all that it writes', async () => {
  const it = await openStage({ agents: SCOPE })
  const answer = await propose(it, [addMethod('x'), addMethod('y')], [X])
  assert.equal(findRefusal(answer), 'PLAN_SYMBOLS')
  assert.deepEqual(answer.execution?.details?.candidates, [X, 'src/a.ts class:A/method:y'])
  await it.close()
})

test('what lies outside of the contract cannot be named', async () => {
  const it = await openStage({ agents: SCOPE })
  for (const symbol of [
    'src/a.ts class:B/method:x',
    'src/a.ts',
    'src/a.ts class:A',
    'src/log.ts function:log',
  ])
    assert.equal(findRefusal(await propose(it, [addMethod('x')], [X, symbol])), 'RESOURCE_SCOPE')
  await it.close()
})

test('a plan of somebody else outside of the scope cannot be applied, however it is named', async () => {
  const it = await openStage({ agents: SCOPE })
  const other = 'src/a.ts class:B/method:x'
  const plan = await it.plan('ann', [addMethod('x', 'class:B')], [other])
  assert.equal(findRefusal(await it.apply('cy', plan)), 'RESOURCE_SCOPE')
  for (const symbols of [[X], [ONE], [X, ONE]])
    assert.equal(
      findRefusal(await it.apply('cy', { plan: plan.plan, symbols })),
      'PRECONDITION_FAILED PLAN_SYMBOLS',
    )
  const both = await it.plan(
    'ann',
    [addMethod('y'), addMethod('z', 'class:B')],
    ['src/a.ts class:A/method:y', 'src/a.ts class:B/method:z'],
  )
  const fewer = { plan: both.plan, symbols: ['src/a.ts class:A/method:y'] }
  assert.equal(findRefusal(await it.apply('cy', fewer)), 'PRECONDITION_FAILED PLAN_SYMBOLS')
  assertUntouched(it)
  await it.close()
})

test('a plan of somebody else within the scope can be applied', async () => {
  const it = await openStage({ agents: SCOPE })
  assertApplied(await it.apply('cy', await it.plan('ann', [addMethod('x')], [X])))
  await it.close()
})

test('an artifact is adopted by who may change all of it', async () => {
  const it = await openStage({ agents: SCOPE })
  it.write('src/a.ts', `${CLASS_A}// more\n`)
  const before = await it.world('artifact', 'src/a.ts')
  const adopt = (symbols: string[]) =>
    it.propose('cy', 'artifact.adopt', { artifacts: ['src/a.ts'], symbols })
  assert.equal(findRefusal(await adopt(['src/a.ts'])), 'RESOURCE_SCOPE')
  assert.equal(findRefusal(await adopt([ONE])), 'PRECONDITION_FAILED PLAN_SYMBOLS')
  assert.deepEqual(await it.world('artifact', 'src/a.ts'), before)
  await it.close()
})
