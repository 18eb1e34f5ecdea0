import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from '../compose.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { addMethod, assertApplied, findRefusal, openStage } from './artifact-stage.test-support.ts'

const X = 'src/a.ts class:A/method:x'

test('a text that ends a parser is refused, and the runtime goes on', async () => {
  const deep = `export const deep = ${'('.repeat(12_000)}1${')'.repeat(12_000)}\n`
  const it = await openStage({ isApart: true })
  it.write('other/deep.ts', deep)
  const adopted = { artifacts: ['other/deep.ts'], symbols: ['other/deep.ts'] }
  assertApplied(await it.propose('keeper', 'artifact.adopt', adopted))
  const asked = await it.propose('ann', 'artifact.symbols', { symbol: 'other/deep.ts' })
  assert.equal(findRefusal(asked), 'ARTIFACT_UNREADABLE')
  assertApplied(await it.propose('ann', 'artifact.symbols', { symbol: 'src/a.ts' }))
  const plan = await it.plan('ann', [addMethod('x')], [X])
  assertApplied(await it.apply('ann', plan))
  await it.close()
})

test('a file that no parser reads does not keep others from being planned', async () => {
  const it = await openStage({ isApart: true })
  it.write('other/broken.ts', 'export class {{{ (')
  const adopted = { artifacts: ['other/broken.ts'], symbols: ['other/broken.ts'] }
  assertApplied(await it.propose('keeper', 'artifact.adopt', adopted))
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  await it.close()
})

test('a folder that is not there is refused when the runtime is made', async () => {
  const folder = temporaryFolder()
  const made = createRuntime({
    store: 'memory',
    stateDirectory: `${folder}/state`,
    artifacts: { files: `${folder}/none` },
  })
  await assert.rejects(made, /FILE_MISSING|not there/)
})

test('keys and records do not lie among the files of artifacts', async () => {
  const folder = temporaryFolder()
  const open = (stateDirectory: string, blobs?: string) =>
    createRuntime({
      ...{ store: 'memory', stateDirectory, report: () => {} },
      artifacts: { files: folder, ...(blobs === undefined ? {} : { blobs }) },
    })
  await assert.rejects(open(`${folder}/state`), /lies among the files/)
  await assert.rejects(open(folder), /lies among the files/)
  await assert.rejects(open(`${folder}/.rubicon`, `${folder}/blobs`), /lies among the files/)
  await (await open(`${folder}/.rubicon`)).close()
})

test('a plan and its application pass through a process of its own', async () => {
  const it = await openStage({ isApart: true })
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  await it.verify()
  await it.close()
})
