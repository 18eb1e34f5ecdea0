/** What nobody has to settle: an effect of artifacts of which it can be known that nothing came of it. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BlobStore, computeContentHash, createMemoryBlobs } from 'rubicon-artifacts/store'
import { handClock } from '../engine/flow/hand-clock.test-support.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  FILES,
  findRefusal,
  openStage,
  type Planned,
  toPlanned,
} from './artifact-stage.test-support.ts'
import { createKiller, settleAll } from './crash.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const LOG = 'src/log.ts function:log'
const AS_IT_IS = {
  op: 'replaceBody',
  target: 'function:log',
  fragment: '{\n  console.log(text)\n}',
}

/** Changes one artifact, and writes another as it is. */
async function planWithUnchanged(it: ArtifactStage): Promise<Planned> {
  const changes = [
    { artifact: 'src/a.ts', deltas: [addMethod('x')] },
    { artifact: 'src/log.ts', deltas: [AS_IT_IS] },
  ]
  return toPlanned(await it.propose('ann', 'artifact.plan', { changes, symbols: [X, LOG] }))
}

test('a file that a plan writes as it is does not count as written', async () => {
  const it = await openStage()
  const plan = await planWithUnchanged(it)
  it.write('src/a.ts', `// mine\n${CLASS_A}`)
  assert.equal(findRefusal(await it.apply('ann', plan)), 'FILE_CHANGED')
  assert.equal(it.read('src/a.ts'), `// mine\n${CLASS_A}`)
  const adopted = { artifacts: ['src/a.ts'], symbols: ['src/a.ts'] }
  assertApplied(await it.propose('keeper', 'artifact.adopt', adopted))
  await it.verify()
  await it.close()
})

/** Names so long that what is said of a plan of all these keys is more than an answer holds. */
const OUTER = ['a', 'b', 'c'].map((letter) => letter.repeat(240))
const KEYS = Array.from({ length: 128 }, (_, index) => `k${index}`)
const WIDE = `${'f'.repeat(240)}.json`

test('a plan of which more would be recorded than an answer holds is refused, and nobody waits for it', async () => {
  // Between two that are changed stands one that is not: each is a place of its own in the difference.
  const inner: object = Object.fromEntries(
    KEYS.flatMap((key) => [
      [key, 'x'.repeat(900)],
      [`${key}_stays`, 1],
    ]),
  )
  const value = OUTER.reduceRight((held, key) => ({ [key]: held }), inner)
  const it = await openStage({ files: { ...FILES, [WIDE]: `${JSON.stringify(value, null, 2)}\n` } })
  const paths = KEYS.map((key) => [...OUTER, key].map((name) => `key:${name}`).join('/'))
  const deltas = paths.map((target) => ({ op: 'setValue', target, value: 2 }))
  const flow = await it.open('ann')
  const refused = await flow.propose({
    policy_kind: 'artifact.plan',
    params: {
      changes: [{ artifact: WIDE, deltas }],
      symbols: paths.map((path) => `${WIDE} ${path}`),
    },
  })
  assert.equal(findRefusal(refused), 'PLAN_TOO_LARGE')
  assertApplied(await it.apply('bob', await it.plan('bob', [addMethod('x')], [X])))
  await it.verify()
  await it.close()
})

test('contents that were lost are there again once their file is adopted', async () => {
  const it = await openStage()
  const hash = String((await it.world('artifact', 'src/a.ts'))?.content_hash).slice(
    'sha256:'.length,
  )
  rmSync(join(it.folder, 'state', 'artifacts', hash.slice(0, 2), hash.slice(2)))
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('x')] }]
  const wanted = { changes, symbols: [X] }
  assert.equal(findRefusal(await it.propose('ann', 'artifact.plan', wanted)), 'BLOB_MISSING')
  const adopted = { artifacts: ['src/a.ts'], symbols: ['src/a.ts'] }
  assertApplied(await it.propose('keeper', 'artifact.adopt', adopted))
  assertApplied(await it.apply('ann', await it.plan('ann', [addMethod('x')], [X])))
  await it.verify()
  await it.close()
})

test('a disk that has no room for contents leaves nothing uncertain', async () => {
  const clock = handClock()
  const kept = createMemoryBlobs()
  let isFull = false
  const blobs: BlobStore = {
    ...kept,
    put: async (bytes) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
      return kept.put(bytes)
    },
  }
  const it = await openStage({ artifacts: { blobs }, runtime: { clock, background: false } })
  const plan = await it.plan('ann', [addMethod('x')], [X])
  isFull = true
  const flow = await it.open('ann')
  await flow.propose({ policy_kind: 'artifact.apply', params: { ...plan } })
  await settleAll(it, clock)
  const rows = await it.runtime.store.listExecutions({ dfid: flow.dfid, limit: 1 })
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['FAILED'],
  )
  assert.equal(it.read('src/a.ts'), CLASS_A)
  isFull = false
  assertApplied(await it.apply('ann', plan))
  await it.verify()
  await it.close()
})

/** As a process leaves it that is killed between the first file and the second. */
function leaveHalfWritten(it: ArtifactStage, texts: Readonly<Record<string, string>>): void {
  const write = '0123456789abcdef'
  const computeHash = (text: string): string => computeContentHash(new TextEncoder().encode(text))
  const changes = Object.entries(texts).map(([id, text]) => {
    return { id, before: computeHash(it.read(id)), after: computeHash(text) }
  })
  for (const [index, [id, text]] of Object.entries(texts).entries())
    it.write(index === 0 ? id : `src/.rubicon-${write}-${index}.new`, text)
  const note = { by: 'runtime', dfid: 'd', step_id: 's' }
  const journal = { version: 1, write, stage: 'commit', folders: [], changes, note }
  it.write('.rubicon/artifacts/journal.json', JSON.stringify(journal))
}

test('what a killed process left half written is finished when a runtime starts', async () => {
  const first = await openStage()
  await first.close()
  const texts = { 'src/a.ts': `${CLASS_A}// new\n`, 'src/log.ts': 'export const level = 2\n' }
  leaveHalfWritten(first, texts)
  const again = await openStage({ folder: first.folder })
  for (const [id, text] of Object.entries(texts)) assert.equal(again.read(id), text)
  await again.close()
})

test('a plan that writes a file as it is is found not to be applied behind a crash', async () => {
  const store = `sqlite:${temporaryFolder()}/store.db`
  const clock = handClock()
  const kill = createKiller('effect.before_send')
  const { failpoints } = kill
  const first = await openStage({ runtime: { store, clock, failpoints, background: false } })
  const plan = await planWithUnchanged(first)
  kill.arm()
  await assert.rejects(first.apply('ann', plan), /killed/)
  await first.close()
  const { folder } = first
  const again = await openStage({ folder, runtime: { store, clock, background: false } })
  await settleAll(again, clock)
  assert.match(again.read('src/a.ts'), /x\(\)/, 'it is sent once more')
  assert.equal(again.read('src/log.ts'), FILES['src/log.ts'])
  await again.verify()
  await again.close()
})
