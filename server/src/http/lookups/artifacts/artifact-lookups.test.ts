/** What people are shown of artifacts at an entry, over a ledger as the hands of a runtime leave it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContentHash, createMemoryBlobs } from 'rubicon-artifacts/store'
import { type Delta, type DeltaOp, type JsonObject, type JsonValue, MAIN } from 'rubicon-kernel'
import type { Store, Write } from 'rubicon-runtime/ports'
import { sha256, systemClock } from 'rubicon-runtime/system'
import { createMemoryStore } from '../../../../../runtime/src/adapters/memory/store.ts'
import {
  begin,
  buildBranch,
  buildNote,
  buildWorldCommit,
  commit,
  START,
  TENANT,
} from '../../../../../runtime/src/ports/conformance/fixture.ts'
import type { Reply } from '../../schemas/route.ts'
import { createLookupTable } from '../all.ts'
import type { LookupName, LookupTable } from '../lookup.ts'
import type { ArtifactSource } from './artifact-texts.ts'

const DESK = 'src/desk.ts'
const NOBODY: ArtifactSource['desk'] = {
  ask: () => assert.fail('nothing has to be parsed for it'),
}

type Place = {
  readonly store: Store
  readonly blobs: ReturnType<typeof createMemoryBlobs>
  readonly table: LookupTable
  /** Puts one fact; the seq of its entry. */
  put(kind: string, id: string, value: JsonValue): Promise<number>
  drop(kind: string, id: string): Promise<number>
  keep(text: string): Promise<ContentHash>
}

async function createPlace(source?: 'none'): Promise<Place> {
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
  await begin(store)
  const blobs = createMemoryBlobs()
  const artifacts = source === 'none' ? undefined : { blobs, desk: NOBODY }
  const table = createLookupTable({ store, clock: systemClock, sha256, artifacts })
  const versions = new Map<string, number>()
  const change = async (kind: string, id: string, op: Rest): Promise<number> => {
    const version = versions.get(`${kind} ${id}`) ?? 0
    versions.set(`${kind} ${id}`, version + 1)
    const expected = version === 0 ? {} : { expected_version: version }
    const delta = [{ kind, id, ...expected, ...op }] as JsonValue as Delta & JsonValue
    await commit(store, [buildWorldCommit(delta)])
    return readHead(store)
  }
  return {
    ...{ store, blobs, table },
    put: (kind, id, value) => {
      const op = versions.has(`${kind} ${id}`) ? 'replace' : 'create'
      return change(kind, id, { op, value })
    },
    drop: (kind, id) => change(kind, id, { op: 'retract' }),
    keep: (text) => blobs.put(Buffer.from(text)),
  }
}

type Rest = { readonly op: DeltaOp['op']; readonly value?: JsonValue }

async function readHead(store: Store): Promise<number> {
  const head = (await store.listHeads()).find(({ trajectory }) => trajectory === MAIN)
  return head?.seq ?? -1
}

async function ask(
  table: LookupTable,
  name: LookupName,
  query: Readonly<Record<string, string>> = {},
  id = MAIN,
): Promise<Reply & { readonly body: ReturnType<typeof JSON.parse> }> {
  const reply = await table[name]({ asker: 'person ada', own: null, params: { id }, query })
  return { ...reply, body: JSON.parse(JSON.stringify(reply.body)) }
}

function refused({ status, body }: Awaited<ReturnType<typeof ask>>): readonly [number, string] {
  return [status, body.code]
}

function toFact(content_hash: string, more: JsonObject = {}): JsonObject {
  return { content_hash, bytes: 3, media: 'text/typescript', change: null, plans: [], ...more }
}

test('an artifact is shown as it was at the entry that is asked for', async () => {
  const { table, put, keep, drop } = await createPlace()
  const texts = ['const a = 1\n', 'const a = 2\n', 'const a = 3\n']
  const seqs: number[] = []
  for (const text of texts) seqs.push(await put('artifact', DESK, toFact(await keep(text))))
  await put('artifact', 'README.md', toFact(await keep('# Desk\n')))
  await put('artifact', 'odd', { what: 'a capability of somebody else has this kind, too' })
  for (const [i, at] of seqs.entries()) {
    const { body } = await ask(table, 'getArtifactText', { name: DESK, at: String(at) })
    assert.deepEqual([body.text, body.at, body.lines], [texts[i], at, [1, 1]])
    const listed = await ask(table, 'listWorldArtifacts', { at: String(at) })
    assert.deepEqual([listed.body.moment.seq, listed.body.artifacts.length], [at, 1])
    assert.equal(listed.body.artifacts[0].content_hash, body.content_hash)
    assert.equal(listed.body.artifacts[0].entry.seq, at)
  }
  const gone = await drop('artifact', DESK)
  const now = await ask(table, 'listWorldArtifacts')
  assert.deepEqual([now.body.texts, now.body.entries], [true, gone + 1])
  assert.deepEqual(
    now.body.artifacts.map(({ name }: { name: string }) => name),
    ['README.md'],
  )
  const asked = { name: DESK, at: String(gone) }
  assert.deepEqual(refused(await ask(table, 'getArtifactText', asked)), [404, 'ARTIFACT_UNKNOWN'])
})

test('pages of a list are of one moment, whatever happens meanwhile', async () => {
  const { table, put } = await createPlace()
  for (const name of ['a', 'b', 'c']) await put('artifact', name, toFact('sha256:0'))
  const first = await ask(table, 'listWorldArtifacts', { limit: '2' })
  await put('artifact', 'aa', toFact('sha256:1'))
  const second = await ask(table, 'listWorldArtifacts', { limit: '2', cursor: first.body.next })
  const names = [first, second].flatMap(({ body }) =>
    body.artifacts.map(({ name }: { name: string }) => name),
  )
  assert.deepEqual([names, second.body.next], [['a', 'b', 'c'], null])
})

test('what changed an artifact is listed, newest first, and a plan that claims it is no change', async () => {
  const { table, put, drop, keep, blobs } = await createPlace()
  const hashes = [await keep('1'), await keep('2')]
  const record = {
    ...{ protocol: 1, what: 'changes', artifact: DESK, agent_id: 'coder', undoes: null },
    ...{ plan: hashes[0], symbols: [`${DESK} class:Desk`] },
    deltas: [
      { op: 'rename', target: 'class:Desk', name: 'Till' },
      { op: 'addImport', from: './a.ts', name: 'a' },
    ],
  }
  const change = await blobs.put(Buffer.from(JSON.stringify(record)))
  const made = await put('artifact', DESK, toFact(hashes[0] ?? ''))
  await put('artifact', DESK, toFact(hashes[0] ?? '', { plans: ['p'] }))
  const changed = await put('artifact', DESK, toFact(hashes[1] ?? '', { change }))
  await put('artifact', 'other', toFact(hashes[0] ?? '', { change: 'sha256:gone' }))
  const gone = await drop('artifact', DESK)
  const { body } = await ask(table, 'listArtifactChanges', { name: DESK })
  assert.deepEqual(
    body.changes.map(({ seq, before, after }: JsonObject) => [seq, before, after]),
    [
      [gone, hashes[1], null],
      [changed, hashes[0], hashes[1]],
      [made, null, hashes[0]],
    ],
  )
  const [, row, first] = body.changes
  assert.deepEqual([row.agent_id, row.what, row.plan], ['coder', 'changes', hashes[0]])
  assert.equal(row.summary, 'rename class:Desk to Till; addImport ./a.ts')
  assert.deepEqual([first.agent_id, first.summary, first.symbols], [null, null, []])
  const all = await ask(table, 'listArtifactChanges', { limit: '2' })
  const names = all.body.changes.map(({ name }: JsonObject) => name)
  assert.deepEqual(names, [DESK, 'other'])
  const rest = await ask(table, 'listArtifactChanges', { cursor: all.body.next })
  assert.deepEqual([rest.body.changes.length, rest.body.next], [2, null])
  const early = await ask(table, 'listArtifactChanges', { name: DESK, before: String(changed) })
  assert.deepEqual(
    early.body.changes.map(({ seq }: JsonObject) => seq),
    [made],
  )
})

test('one entry that changed several artifacts is not divided between two pages', async () => {
  const { table, store } = await createPlace()
  const ops = ['a', 'b', 'c'].map((id) => ({
    ...{ op: 'create', kind: 'artifact', id },
    value: toFact('sha256:0'),
  }))
  await commit(store, [buildWorldCommit(ops as readonly DeltaOp[])])
  const { body } = await ask(table, 'listArtifactChanges', { limit: '1' })
  assert.equal(body.changes.length, 3)
})

test('open plans are shown with whether they still hold', async () => {
  const { table, put, drop } = await createPlace()
  const plan = (until: string): JsonObject => ({
    ...{ symbols: [`${DESK} class:Desk`], by: 'coder', until, what: 'changes', summary: 'rename' },
    ...{ artifacts: [{ name: DESK, base: 'sha256:0' }], difference: [] },
  })
  await put('artifact_plan', 'p1', plan('2020-01-01T00:00:00.000Z'))
  await put('artifact_plan', 'p2', plan('2999-01-01T00:00:00.000Z'))
  const before = await put('artifact_plan', 'p3', plan('no instant'))
  await drop('artifact_plan', 'p2')
  const { body } = await ask(table, 'listArtifactPlans')
  const rows = (list: readonly JsonObject[]): JsonValue[] =>
    list.map(({ plan: name, expired }) => [name ?? null, expired ?? null])
  assert.deepEqual(rows(body.plans), [
    ['p1', true],
    ['p3', true],
  ])
  const then = await ask(table, 'listArtifactPlans', { at: String(before) })
  assert.deepEqual(rows(then.body.plans)[1], ['p2', false])
})

test('a branch begins with the artifacts of the entry that it forks from', async () => {
  const { table, store, put, keep } = await createPlace()
  const at = await put('artifact', DESK, toFact(await keep('1')))
  await put('artifact', DESK, toFact(await keep('2')))
  await commit(store, [buildBranch('what-if', MAIN, at)])
  const { body } = await ask(table, 'getArtifactText', { name: DESK }, 'what-if')
  assert.equal(body.text, '1')
})

test('what cannot be shown is refused by what is missing, and nothing stands in its place', async () => {
  const { table, put, blobs, keep } = await createPlace()
  const missing = `sha256:${'0'.repeat(64)}`
  const text = { name: 'a' }
  await put('artifact', 'a', toFact(missing))
  assert.deepEqual(refused(await ask(table, 'getArtifactText', text)), [410, 'BLOB_MISSING'])
  const bytes = await blobs.put(Uint8Array.of(0xff, 0xfe, 0x00))
  await put('artifact', 'a', toFact(bytes))
  assert.deepEqual(refused(await ask(table, 'getArtifactText', text)), [422, 'ARTIFACT_UNREADABLE'])
  await put('artifact', 'a', toFact(await keep('x'), { bytes: 5_000_000 }))
  assert.deepEqual(refused(await ask(table, 'getArtifactText', text)), [422, 'ARTIFACT_TOO_LARGE'])
  await put('artifact', 'a', toFact(await keep('x'.repeat(1_048_577))))
  assert.deepEqual(refused(await ask(table, 'getArtifactText', text)), [422, 'ARTIFACT_TOO_LARGE'])
  await put('artifact', 'a', toFact('../../etc/passwd'))
  assert.deepEqual(refused(await ask(table, 'getArtifactText', text)), [410, 'BLOB_MISSING'])
  for (const name of ['listWorldArtifacts', 'listArtifactPlans', 'getArtifactText'] as const) {
    const late = await ask(table, name, { name: 'a', at: '999' })
    assert.deepEqual(refused(late), [404, 'ENTRY_UNKNOWN'])
    const elsewhere = await ask(table, name, { name: 'a' }, 'nowhere')
    assert.deepEqual(refused(elsewhere), [404, 'TRAJECTORY_UNKNOWN'])
  }
})

test('without blobs World is shown, and nothing else', async () => {
  const { table, put } = await createPlace('none')
  const seq = await put('artifact', 'a', toFact('sha256:0', { change: 'sha256:1' }))
  const listed = await ask(table, 'listWorldArtifacts')
  assert.deepEqual([listed.status, listed.body.texts, listed.body.total], [200, false, 1])
  const { body } = await ask(table, 'listArtifactChanges')
  assert.deepEqual([body.changes[0].after, body.changes[0].summary], ['sha256:0', null])
  for (const name of ['getArtifactText', 'listArtifactSymbols', 'compareArtifact'] as const) {
    const asked = await ask(table, name, { name: 'a', from: String(seq) })
    assert.deepEqual(refused(asked), [409, 'ARTIFACTS_NOT_CONFIGURED'])
  }
})

test('a scrub over ten thousand entries is answered well below a tenth of a second', async () => {
  const { table, store, keep } = await createPlace()
  const hash = await keep('const a = 1\n')
  const [artifacts, entries] = [200, 10_000]
  for (let n = 1; n < entries; ) {
    const writes: Write[] = []
    for (const end = Math.min(entries, n + 500); n < end; n += 1)
      writes.push(n % 2 === 0 ? buildNote(MAIN, n) : buildWorldCommit([changeOne(n)]))
    await commit(store, writes)
  }
  function changeOne(n: number): DeltaOp {
    const [nth, round] = [(n - 1) / 2, Math.floor((n - 1) / 2 / artifacts)]
    const one = { kind: 'artifact', id: `src/${nth % artifacts}.ts` }
    const value = toFact(hash, { bytes: n })
    if (round === 0) return { op: 'create', ...one, value }
    return { op: 'replace', ...one, expected_version: round, value }
  }
  await ask(table, 'listWorldArtifacts')
  const took: number[] = []
  for (let i = 0; i < 40; i += 1) {
    const at = String(1 + ((i * 7_919) % (entries - 1)))
    const began = performance.now()
    const { status, body } = await ask(table, 'listWorldArtifacts', { at, limit: '1000' })
    took.push(performance.now() - began)
    assert.deepEqual([status, body.moment.seq], [200, Number(at)])
  }
  const [median = 0, worst = 0] = [took.toSorted((a, b) => a - b)[20], Math.max(...took)]
  assert.ok(median < 100, `the median of a scrub is ${median} ms, the worst ${worst} ms`)
})
