/** What an agent gets to know of artifacts that its contract does not let it read. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Answer, JsonObject } from 'rubicon-kernel'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  FILES,
  findRefusal,
  openStage,
} from './artifact-stage.test-support.ts'
import { toFileRefusal } from './refusal.ts'

const READS = ['artifact.read', 'artifact.list', 'artifact.symbols']
const WRITES = ['artifact.plan', 'artifact.apply', 'artifact.withdraw']

/** An agent that may read and write what is said, and nothing else. */
async function deployReader(
  it: ArtifactStage,
  read: readonly string[],
  written: readonly string[] = ['src/none.ts'],
): Promise<void> {
  await it.runtime.deploy({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: 'eve',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Work on one class.',
    permissions: {
      policy_kinds: [...READS, ...WRITES],
      resources: {
        read_symbols: { allow: [...read], applies_to: READS },
        symbols: { allow: [...written], applies_to: WRITES },
      },
    },
  })
}

test('the difference of a plan is in no context, whoever asks for it', async () => {
  const it = await openStage()
  await deployReader(it, ['src/a.ts class:B'])
  const body = { op: 'replaceBody', target: 'class:A/method:two', fragment: '{\n  return 42\n}' }
  const { plan } = await it.plan('ann', [body], ['src/a.ts class:A/method:two'])
  const world = [
    { kind: 'artifact_plan', id: plan },
    { kind: 'artifact', id: 'src/a.ts' },
    { kind: 'artifact_root', id: 'all' },
  ]
  const { context } = await it.open('eve', { world })
  assert.equal(JSON.stringify(context).includes('return 42'), false)
  assert.deepEqual(context.world, [])
  const named = ['artifact.src/a.ts', `artifact_plan.${plan}`, 'artifact_root.all']
  assert.deepEqual((context.trimmed as JsonObject).world, named)
  await it.close()
})

test('a name with nothing behind its space names no artifact', async () => {
  const it = await openStage()
  await deployReader(it, ['src/a.ts *'])
  for (const kind of ['artifact.read', 'artifact.symbols'])
    for (const symbol of ['src/a.ts ', 'src/a.ts  '])
      assert.notEqual((await it.propose('eve', kind, { symbol })).execution?.status, 'SUCCESS')
  assertApplied(await it.propose('eve', 'artifact.read', { symbol: 'src/a.ts class:A' }))
  await it.close()
})

test('what is wrong with the folder or the blobs is told without a path, and holds nothing', async () => {
  const it = await openStage()
  const plan = await it.plan('ann', [addMethod('x')], ['src/a.ts class:A/method:x'])
  const assertTold = (answer: Answer, code: string): void => {
    assert.equal(findRefusal(answer), code, JSON.stringify(answer))
    assert.equal(JSON.stringify(answer).includes(it.folder), false, JSON.stringify(answer))
  }
  const journal = join(it.folder, 'project', '.rubicon', 'artifacts', 'journal.json')
  writeFileSync(journal, '{}')
  assertTold(await it.apply('ann', plan), 'JOURNAL_BROKEN')
  rmSync(journal)
  mkdirSync(journal)
  assertTold(await it.apply('ann', plan), 'FILE_IRREGULAR')
  rmSync(journal, { recursive: true })
  symlinkSync('/etc/passwd', journal)
  assert.notEqual((await it.apply('ann', plan)).execution?.status, 'SUCCESS')
  rmSync(journal)
  const drafts = join(it.folder, 'state', 'artifacts', 'drafts')
  rmSync(drafts, { recursive: true })
  writeFileSync(drafts, '')
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('y')] }]
  const symbols = ['src/a.ts class:A/method:y']
  assertTold(await it.propose('ann', 'artifact.plan', { changes, symbols }), 'FILE_UNWRITABLE')
  rmSync(drafts)
  assertApplied(await it.propose('ann', 'artifact.plan', { changes, symbols }))
  await it.close()
})

test('who has the lock of the folder is not told', () => {
  const detail = 'process 77 on `build-4.internal` is writing these files'
  const { details, message } = toFileRefusal({
    ...{ code: 'FILES_LOCKED', file: null, detail },
    fix: 'remove what is in `.rubicon/artifacts/writers`',
  })
  assert.equal(`${message} ${JSON.stringify(details)}`.includes('build-4'), false)
})

test('a prefix that the contract admits lists no name that it does not', async () => {
  const files = { ...FILES, 'src/a.tsx': 'export const x = 1\n' }
  const asked: readonly [read: string, below: string, listed: string][] = [
    ['src/a.ts', 'src/a.ts', 'src/a.ts'],
    ['re:src/(a|log.ts)?', 'src/', 'src/log.ts'],
  ]
  for (const [read, below, listed] of asked) {
    const it = await openStage({ files })
    await deployReader(it, [read])
    const answer = await it.propose('eve', 'artifact.list', { below })
    assertApplied(answer)
    const { artifacts, next } = (answer.execution?.result ?? {}) as JsonObject
    const names = (artifacts as { name: string }[]).map(({ name }) => name)
    assert.deepEqual([names, next], [[listed], null])
    await it.close()
  }
})

test('a refusal names no symbol that its agent may not read, and says how many it leaves out', async () => {
  const it = await openStage()
  await deployReader(it, ['src/a.ts class:B'], ['src/a.ts class:A/*'])
  const x = 'src/a.ts class:A/method:x'
  const plan = async (delta: JsonObject): Promise<JsonObject> => {
    const changes = [{ artifact: 'src/a.ts', deltas: [delta] }]
    const answer = await it.propose('eve', 'artifact.plan', { changes, symbols: [x] })
    assert.equal(answer.execution?.status, 'FAILED')
    assert.equal(JSON.stringify(answer).includes('src/use.ts'), false, JSON.stringify(answer))
    return answer.execution?.details ?? {}
  }
  const missing = await plan({ op: 'remove', target: 'class:Z' })
  assert.deepEqual([missing.candidates, missing.hidden], [['class:B'], 2])
  const renamed = await plan({ op: 'rename', target: 'class:A', name: 'Z' })
  assert.deepEqual([renamed.code, renamed.candidates, renamed.hidden], ['PLAN_SYMBOLS', [], 4])
  const dangling = await plan({ op: 'remove', target: 'class:A/method:one' })
  assert.equal(dangling.code, 'DANGLING_REFERENCE')
  assert.deepEqual(Object.keys(dangling).sort(), ['code', 'detail'])
  await it.close()
})

test('what a plan of another agent writes is not told to whoever has its name', async () => {
  const it = await openStage()
  await deployReader(it, ['src/a.ts class:B'], ['src/a.ts class:A/*'])
  const { plan } = await it.plan(
    'ann',
    [addMethod('hush', 'class:B')],
    ['src/a.ts class:B/method:hush'],
  )
  for (const kind of ['artifact.apply', 'artifact.withdraw']) {
    const symbols = ['src/a.ts class:A/method:x']
    const answer = await it.propose('eve', kind, { plan, symbols })
    assert.equal(findRefusal(answer), 'PRECONDITION_FAILED PLAN_SYMBOLS')
    assert.equal(JSON.stringify(answer).includes('hush'), false)
  }
  await it.close()
})
