/** What an agent with one class in its contract does to the rest of the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, JsonValue } from 'rubicon-kernel'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  FILES,
  findRefusal,
  openStage,
} from './artifact-stage.test-support.ts'

const SCOPE = { ann: ['*'], cy: ['src/a.ts class:A/*'] }
const X = 'src/a.ts class:A/method:x'

function propose(it: ArtifactStage, deltas: JsonValue[]): Promise<Answer> {
  const changes = [{ artifact: 'src/a.ts', deltas }]
  return it.propose('cy', 'artifact.plan', { changes, symbols: [X] })
}

test('who may write one class does not load, unload or exchange what the whole file imports', async () => {
  const files = {
    ...FILES,
    'src/a.ts': `import './setup.ts'\n${FILES['src/a.ts']}\nexport const seen = log\n`,
    'src/setup.ts': 'export const isSet = true\n',
  }
  const it = await openStage({ agents: SCOPE, files })
  const outside: readonly [why: string, module: string, deltas: JsonValue[]][] = [
    ['a module more', 'node%3Afs', [{ op: 'addImport', from: 'node:fs', name: '*', as: 'fs' }]],
    [
      'one that is only run',
      '.%2Fuse.ts',
      [{ op: 'addMember', target: '', fragment: "import './use.ts'", at: { after: null } }],
    ],
    ['a module less', '.%2Fsetup.ts', [{ op: 'remove', target: 'import:.%2Fsetup.ts' }]],
    [
      'another meaning of a name',
      '.%2Flog.ts',
      [
        { op: 'remove', target: 'import:.%2Flog.ts' },
        { op: 'addImport', from: './log.ts', name: 'level', as: 'log' },
      ],
    ],
    [
      'a name that others in the file have',
      '.%2Flog.ts',
      [{ op: 'addImport', from: './log.ts', name: 'level', as: 'number' }],
    ],
  ]
  for (const [why, module, deltas] of outside) {
    const answer = await propose(it, [addMethod('x'), ...deltas])
    assert.equal(findRefusal(answer), 'PLAN_SYMBOLS', `${why}: ${JSON.stringify(answer.execution)}`)
    const wanted = [X, `src/a.ts import:${module}`]
    assert.deepEqual(answer.execution?.details?.candidates, wanted, why)
  }
  const more = { op: 'addImport', from: './log.ts', name: 'level' }
  assertApplied(await propose(it, [addMethod('x'), more]))
  assert.equal(it.read('src/a.ts'), files['src/a.ts'])
  await it.close()
})

test('a comment of another symbol is not taken back beside what the contract names', async () => {
  const it = await openStage({ agents: SCOPE })
  const other = 'src/a.ts class:B/method:other'
  const body = {
    op: 'replaceBody',
    target: 'class:B/method:other',
    fragment: '{\n    // Never without a lock.\n    return 3\n  }',
  }
  assertApplied(
    await it.apply('ann', await it.plan('ann', [addMethod('x'), body], [X, other].sort())),
  )
  const text = it.read('src/a.ts')
  const change = String((await it.world('artifact', 'src/a.ts'))?.change)
  const undo = [{ artifact: 'src/a.ts', change }]
  const refused = await it.propose('cy', 'artifact.plan', { undo, symbols: [X] })
  assert.equal(findRefusal(refused), 'PLAN_SYMBOLS')
  assert.deepEqual(refused.execution?.details?.candidates, [X, other])
  assert.equal(it.read('src/a.ts'), text)
  await it.close()
})
