import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Delta, ERASURE, encodeHex, LIMITS, MAIN } from 'rubicon-kernel'
import { createMemoryStore } from '../adapters/memory/store.ts'
import { sha256 } from '../adapters/system/sha256.ts'
import {
  begin,
  buildBranch,
  buildNote,
  buildRoot,
  buildWorldCommit,
  commit,
  putFlow,
  START,
  TENANT,
  toDfid,
} from '../ports/conformance/fixture.ts'
import type { Store, StoredEntry } from '../ports/store.ts'
import { readResourceChanges } from './resource-changes.ts'
import { type WorldMoment, WorldMoments } from './world-moments.ts'

const pause = async (): Promise<void> => {}

function emptyStore(): Store {
  return createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
}

type Reader = Pick<Store, 'listEntries' | 'listCommits' | 'listHeads'>

/** `reads` counts the commits that were read. */
function counted(store: Store): { readonly store: Reader; reads: number } {
  const counting = {
    reads: 0,
    store: {
      listEntries: store.listEntries.bind(store),
      listHeads: store.listHeads.bind(store),
      async listCommits(trajectory: string, from: number, to: number) {
        const page = await store.listCommits(trajectory, from, to)
        counting.reads += page.length
        return page
      },
    },
  }
  return counting
}

/** Entry n creates or changes one of a hundred resources; every third changes nothing. */
async function filled(entries: number): Promise<Store> {
  const store = emptyStore()
  await begin(store)
  const versions = new Map<string, number>()
  for (let n = 1; n < entries; n += 1) {
    if (n % 3 === 0) {
      await commit(store, [buildNote(MAIN, n)])
      continue
    }
    const id = `r${(n * 7) % 100}`
    const version = versions.get(id) ?? 0
    versions.set(id, version + 1)
    const value = { n: String(n) }
    const delta: Delta =
      version === 0
        ? [{ op: 'create', kind: 'thing', id, value }]
        : [{ op: 'replace', kind: 'thing', id, expected_version: version, value }]
    await commit(store, [buildWorldCommit(delta)])
  }
  return store
}

/** The World at an entry as the kernel folds it, with its root. */
async function foldedAt(store: Store, seq: number): Promise<object> {
  const world = createWorld(sha256)
  for (const { envelope, id, payload } of await store.listEntries(MAIN, 0, seq + 1))
    if (envelope.kind === 'commit') world.apply(JSON.parse(payload ?? '').delta, id)
  return { root: encodeHex(world.root()), resources: [...world.resources()] }
}

function shown(moment: WorldMoment | null): object {
  assert.ok(moment !== null)
  const resources = [...moment.resources.values()].map(({ seq, at, dfid, ...resource }) => resource)
  return { root: moment.root, resources }
}

test('M1: a moment is the fold of the entries up to it, in whatever order they are asked for', async () => {
  const store = await filled(700)
  const moments = new WorldMoments(store, pause)
  for (const seq of [699, 0, 350, 351, 349, 1, 698, 350])
    assert.deepEqual(
      shown(await moments.readMoment(MAIN, seq)),
      await foldedAt(store, seq),
      `seq ${seq}`,
    )
})

test('a resource says which entry changed it last, and of which flow', async () => {
  const store = await filled(50)
  const moment = await new WorldMoments(store, pause).readMoment(MAIN, 40)
  for (const { seq, at, dfid, last_entry, value } of moment?.resources.values() ?? []) {
    const [entry] = await store.listEntries(MAIN, seq, 1)
    assert.deepEqual([entry?.id, entry?.envelope.at, dfid], [last_entry, at, toDfid(1)])
    assert.deepEqual(value, { n: String(seq) })
  }
})

test('what is remembered is not folded again; a step forward reads one entry', async () => {
  const entries = 2 * LIMITS.worldMomentEntries + 500
  const counting = counted(await filled(entries))
  const moments = new WorldMoments(counting.store, pause)
  await moments.readMoment(MAIN, entries - 1)
  // Every third changes nothing, and the first is the root.
  const commits = entries - Math.ceil(entries / 3)
  assert.equal(counting.reads, commits)
  await moments.readMoment(MAIN, entries - 1)
  assert.equal(counting.reads, commits)
  await moments.readMoment(MAIN, 2_300)
  const near = counting.reads
  assert.ok(near - commits < 1_300, 'it starts from the nearest before it')
  await moments.readMoment(MAIN, 2_302)
  assert.equal(counting.reads, near + 1)
})

test('M2: what is remembered is bounded, and what is forgotten is folded again', async () => {
  const store = emptyStore()
  await begin(store)
  const size = LIMITS.deltaOps
  const delta = (n: number): Delta =>
    Array.from({ length: size }, (_, i) => ({ op: 'create', kind: 'k', id: `${n}/${i}`, value: 0 }))
  const commits = 70
  for (let n = 1; n <= commits; n += 1) await commit(store, [buildWorldCommit(delta(n))])
  const counting = counted(store)
  const moments = new WorldMoments(counting.store, pause)
  for (let seq = 1; seq <= commits; seq += 1) await moments.readMoment(MAIN, seq)
  assert.ok((size * commits * (commits + 1)) / 2 > LIMITS.worldResourcesKept, 'too many to keep')
  const { reads } = counting
  await moments.readMoment(MAIN, commits)
  assert.equal(counting.reads, reads)
  assert.equal((await moments.readMoment(MAIN, 1))?.resources.size, size)
  assert.equal(counting.reads, reads + 1)
})

test('M1: a moment that was shown does not change when the fold goes on', async () => {
  const store = await filled(100)
  const moments = new WorldMoments(store, pause)
  const before = await moments.readMoment(MAIN, 40)
  const shownBefore = shown(before)
  await moments.readMoment(MAIN, 99)
  assert.deepEqual(shown(before), shownBefore)
  const [second, third] = [await moments.readMoment(MAIN, 41), await moments.readMoment(MAIN, 42)]
  assert.equal(third?.resources, second?.resources, 'entry 42 changed nothing')
})

test('M3: everybody else goes first before every commit, and pages are small', async () => {
  const entries = 3_000
  const counting = counted(await filled(entries))
  let [pauses, largest, before] = [0, 0, 0]
  const moments = new WorldMoments(counting.store, async () => {
    pauses += 1
    largest = Math.max(largest, counting.reads - before)
    before = counting.reads
  })
  await moments.readMoment(MAIN, entries - 1)
  assert.ok(pauses > counting.reads, `${pauses} pauses for ${counting.reads} commits`)
  assert.ok(largest <= 512, `${largest} commits were read at once`)
})

test('no such entry, no such trajectory', async () => {
  const moments = new WorldMoments(await filled(10), pause)
  assert.equal(await moments.readMoment(MAIN, 10), null)
  assert.equal(await moments.readMoment(MAIN, 4_000), null)
  assert.equal(await moments.readMoment('nowhere', 0), null)
  assert.equal((await moments.readMoment(MAIN, 9))?.entry.envelope.seq, 9)
})

test('a branch begins with the World of the entry that it forks from', async () => {
  const store = await filled(20)
  await commit(store, [buildBranch('other', MAIN, 19)])
  await commit(store, [
    buildWorldCommit([{ op: 'create', kind: 'new', id: 'x', value: 1 }], 'other'),
  ])
  const moments = new WorldMoments(store, pause)
  assert.deepEqual(shown(await moments.readMoment('other', 0)), await foldedAt(store, 19))
  const after = await moments.readMoment('other', 1)
  assert.equal(
    after?.resources.size,
    ((await moments.readMoment(MAIN, 19))?.resources.size ?? 0) + 1,
  )
  assert.equal((await moments.readMoment(MAIN, 19))?.resources.has('new\0x'), false)
})

function withoutPayload(store: Store, erased: number): Reader {
  const forget = (entry: StoredEntry): StoredEntry =>
    entry.envelope.seq === erased ? { ...entry, payload: null } : entry
  return {
    listHeads: store.listHeads.bind(store),
    listEntries: async (trajectory, from, limit) =>
      (await store.listEntries(trajectory, from, limit)).map(forget),
    listCommits: async (trajectory, from, to) =>
      (await store.listCommits(trajectory, from, to)).map(forget),
  }
}

test('after an erased commit the World is shown as far as it can be known, and says so', async () => {
  const moments = new WorldMoments(withoutPayload(await filled(250), 7), pause)
  assert.equal((await moments.readMoment(MAIN, 6))?.unknownFrom, null)
  assert.equal((await moments.readMoment(MAIN, 7))?.unknownFrom, 7)
  assert.equal((await moments.readMoment(MAIN, 249))?.unknownFrom, 7)
})

test('M4: what was remembered of a flow is not shown after its erasure, whoever erased it', async () => {
  const store = emptyStore()
  await begin(store)
  const value = (seq: number, text: string): Delta => [
    seq === 1
      ? { op: 'create', kind: 'thing', id: 'x', value: text }
      : { op: 'replace', kind: 'thing', id: 'x', expected_version: 1, value: text },
  ]
  await commit(store, [putFlow(1), buildWorldCommit(value(1, 'secret'))])
  await commit(store, [buildNote(MAIN, 2), buildRoot(ERASURE)])
  await store.integrate()
  const moments = new WorldMoments(store, pause)
  const show = async (seq: number): Promise<string> => {
    const resources = (await moments.readMoment(MAIN, seq))?.resources ?? []
    return JSON.stringify([...resources])
  }
  for (const seq of [1, 2]) assert.match(await show(seq), /secret/)
  const dfid = toDfid(1)
  const payload = '{}'
  await commit(store, [
    { kind: 'append', trajectory: ERASURE, entry: 'erasure', dfid, payload },
    { kind: 'erase_flow', dfid },
  ])
  for (const seq of [1, 2]) assert.doesNotMatch(await show(seq), /secret/)
  assert.equal((await moments.readMoment(MAIN, 2))?.unknownFrom, 1)
})

test('a delta that does not apply is damage, not a World', async () => {
  const store = await filled(10)
  const payload = '{"delta":[{"op":"retract","kind":"k","id":"x","expected_version":1}]}'
  const commits: Store['listCommits'] = async (trajectory, from, to) =>
    (await store.listCommits(trajectory, from, to)).map((entry) =>
      entry.envelope.seq === 1 ? { ...entry, payload } : entry,
    )
  const entries = store.listEntries.bind(store)
  const listHeads = store.listHeads.bind(store)
  const reader = { listEntries: entries, listCommits: commits, listHeads }
  const moments = new WorldMoments(reader, pause)
  await assert.rejects(moments.readMoment(MAIN, 5), /the ledger is damaged at leaf 2/)
  assert.equal((await moments.readMoment(MAIN, 0))?.entry.envelope.seq, 0)
})

test('the entries that changed a resource are found, newest first, in pages', async () => {
  const store = await filled(600)
  const seqs = async (before: number, limit = 100): Promise<readonly (number | null)[]> => {
    const ref = { kind: 'thing', id: 'r7' }
    const { changes, next } = await readResourceChanges(store, MAIN, ref, { before, limit, pause })
    return [...changes.map(({ entry }) => entry.envelope.seq), next]
  }
  // Entries 1, 101, 201, … are those of `r7`; every third entry changes nothing.
  assert.deepEqual(await seqs(600), [401, 301, 101, 1, null])
  assert.deepEqual(await seqs(600, 2), [401, 301, 301])
  assert.deepEqual(await seqs(301, 2), [101, 1, 1])
  assert.deepEqual(await seqs(1), [null])
  const none = { kind: 'other', id: 'r7' }
  assert.deepEqual(await readResourceChanges(store, MAIN, none, { before: 600, limit: 5, pause }), {
    changes: [],
    next: null,
  })
})
