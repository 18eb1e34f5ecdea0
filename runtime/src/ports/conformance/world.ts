import { deepEqual, equal } from 'node:assert/strict'
import {
  type Address,
  type CommitPayload,
  computeTrieRoot,
  createWorld,
  type Delta,
  type DeltaOp,
  encodeHex,
  hashResourceKey,
  hashResourceLeaf,
  MAIN,
  type Resource,
  toCanonicalText,
  type WorldFact,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../store.ts'
import {
  begin,
  buildNote,
  buildWorldCommit,
  commit,
  computeSha256,
  putFlow,
  type RegisterCheck,
  toDfid,
} from './fixture.ts'

const kind = 'account'
const create = (id: string, value: string): DeltaOp => ({ op: 'create', kind, id, value })
const add = (id: string, by: string): DeltaOp => ({ op: 'increment', kind, id, by })

export function registerWorldTests(check: RegisterCheck): void {
  check('a commit folds its delta, with inverse and world_after', async ({ store }) => {
    await begin(store)
    const world = createWorld(computeSha256)
    const deltas: Delta[] = [
      [create('a', '1.50'), create('b', '2')],
      [add('a', '3'), { op: 'patch', kind, id: 'b', expected_version: 1, patch: { x: 'ü' } }],
      [
        { op: 'retract', kind, id: 'a', expected_version: 2 },
        { op: 'replace', kind, id: 'b', expected_version: 2, value: null },
      ],
      [{ op: 'create', kind, id: 'a', expected_version: 3, value: ['again'] }],
      [],
    ]
    for (const delta of deltas) {
      equal((await commit(store, [buildWorldCommit(delta)])).ok, true)
      const entry = await readLastEntry(store)
      const inverse = world.apply(delta, entry.id)
      const payload = parseCommit(entry)
      deepEqual(payload.delta, delta)
      equal(inverse.ok && toCanonicalText(inverse.value), toCanonicalText(payload.inverse))
      equal(payload.world_after, encodeHex(world.root()))
      equal(payload.receipt !== undefined && entry.envelope.dfid, toDfid(1))
      const head = (await store.listHeads()).find(({ trajectory }) => trajectory === MAIN)
      equal(head?.world_root, payload.world_after)
    }
    equal(await readWorldRoot(store), encodeHex(world.root()))
    const found = sortFactsById(await store.listWorld(MAIN, null, 10))
    equal(
      toCanonicalText(found),
      toCanonicalText(sortFactsById([...world.resources()].map(toFact))),
    )
  })

  check('commits are read by range, and nothing else with them', async ({ store }) => {
    await begin(store)
    for (let n = 0; n < 4; n += 1) {
      await commit(store, [buildWorldCommit([create(`r${n}`, '1')])])
      await commit(store, [buildNote(MAIN, n)])
    }
    const entries = await store.listEntries(MAIN, 0, 100)
    const commits = entries.filter(({ envelope }) => envelope.kind === 'commit').map(omitPlace)
    const listCommits = async (from: number, to: number): Promise<readonly unknown[]> =>
      (await store.listCommits(MAIN, from, to)).map(omitPlace)
    equal(commits.length, 4)
    deepEqual(await listCommits(0, 100), commits)
    const [, second, third] = commits
    const [from, to] = [second?.envelope.seq ?? 0, third?.envelope.seq ?? 0]
    deepEqual(await listCommits(from, to), [second])
    deepEqual(await listCommits(from, to + 1), [second, third])
    deepEqual(await listCommits(from + 1, to), [])
    deepEqual(await store.listCommits('nowhere', 0, 100), [])
  })

  check('300 random commits, sent together, give the World of the fold', async ({ store }) => {
    await begin(store)
    const names = Array.from({ length: 40 }, (_, i) => `r${i}`)
    await commit(store, [buildWorldCommit(names.map((id) => create(id, '0')))])
    const deltas = Array.from({ length: 300 }, (_, i): Delta => {
      return [add(`r${(i * 7) % 40}`, `${i}`), add(`r${(i * 11) % 40}`, `-${i % 9}.5`)]
    })
    await Promise.all(deltas.map((delta) => commit(store, [buildWorldCommit(delta)])))
    equal(await readWorldRoot(store), await readFoldedRoot(store))
  })

  check('a delta that does not fit rejects its unit, without a trace', async ({ store }) => {
    await begin(store)
    await commit(store, [buildWorldCommit([create('a', '1')])])
    const before = [await store.listHeads(), await store.listWorld(MAIN, null, 10)]
    const cases: readonly (readonly [Delta, string])[] = [
      [[create('b', '1'), create('a', '1')], 'DELTA_CONFLICT'],
      [[{ op: 'replace', kind, id: 'a', expected_version: 9, value: '2' }], 'DELTA_CONFLICT'],
      [[add('nothing', '1')], 'DELTA_CONFLICT'],
      [[create('c', 'no number'), add('c', '1')], 'DELTA_INVALID'],
    ]
    for (const [delta, code] of cases) {
      const writes = [
        buildNote(MAIN, 1),
        putFlow(1),
        buildWorldCommit([add('a', '1')]),
        buildWorldCommit(delta),
      ]
      const outcome = await commit(store, [...writes, { kind: 'count', id: 'c', by: 1 }])
      equal(!outcome.ok && outcome.failed.kind, 'delta')
      equal(!outcome.ok && 'code' in outcome.failed && outcome.failed.code, code)
    }
    deepEqual([await store.listHeads(), await store.listWorld(MAIN, null, 10)], before)
    equal(await store.readFlow(toDfid(1)), null)
    equal(await store.readCounter('c'), 0)
  })

  check('a unit sees its own earlier commits', async ({ store }) => {
    await begin(store)
    const replace: DeltaOp = { op: 'replace', kind, id: 'a', expected_version: 1, value: '2' }
    const outcome = await commit(store, [
      buildWorldCommit([create('a', '1')]),
      buildWorldCommit([replace]),
      buildWorldCommit([add('a', '40')]),
    ])
    equal(outcome.ok, true)
    const [found] = await store.readResources(MAIN, [{ kind, id: 'a' }])
    deepEqual(found, { kind, id: 'a', version: 3, value: '42', retracted: false })
    equal(await readWorldRoot(store), await readFoldedRoot(store))
  })

  check('of concurrent changes to one version one succeeds (S2)', async ({ store }) => {
    await begin(store)
    await commit(store, [buildWorldCommit([create('a', '1')])])
    const replace: DeltaOp = { op: 'replace', kind, id: 'a', expected_version: 1, value: '2' }
    const units = Array.from({ length: 20 }, () => commit(store, [buildWorldCommit([replace])]))
    equal((await Promise.all(units)).filter(({ ok }) => ok).length, 1)
  })

  check('resources answers those that exist, retracted ones too', async ({ store }) => {
    await begin(store)
    await commit(store, [buildWorldCommit([create('a/1', '1'), create('b', '2')])])
    await commit(store, [buildWorldCommit([{ op: 'retract', kind, id: 'b', expected_version: 1 }])])
    const ids = ['b', 'missing', 'a/1']
    const found = await store.readResources(MAIN, [
      ...ids.map((id) => ({ kind, id })),
      { kind: 'not an identifier', id: 'a/1' },
    ])
    deepEqual(found, [
      { kind, id: 'b', version: 2, value: null, retracted: true },
      { kind, id: 'a/1', version: 1, value: '1', retracted: false },
    ])
    deepEqual(await store.readResources('nowhere', [{ kind, id: 'a/1' }]), [])
  })

  check('the World is read in pages, ordered by key', async ({ store }) => {
    await begin(store)
    const names = Array.from({ length: 25 }, (_, i) => `r${i}`)
    await commit(store, [buildWorldCommit(names.map((id) => create(id, '1')))])
    const keys: string[] = []
    for (let after: string | null = null; ; ) {
      const page: readonly WorldFact[] = await store.listWorld(MAIN, after, 10)
      if (page.length === 0) break
      keys.push(...page.map(computeKey))
      after = keys.at(-1) ?? null
    }
    deepEqual(keys, names.map((id) => computeKey({ kind, id })).sort())
  })
}

/** The root by its definition, over what the store says is in the World. */
export async function readWorldRoot(store: Store, trajectory: string = MAIN): Promise<string> {
  const facts = await store.listWorld(trajectory, null, 1000)
  const leaves = facts.map((found) => ({
    key: hashResourceKey(found.kind, found.id, computeSha256),
    hash: hashResourceLeaf({ ...found, last_entry: '' }, computeSha256),
  }))
  return encodeHex(computeTrieRoot(leaves, computeSha256))
}

async function readFoldedRoot(store: Store): Promise<string> {
  const world = createWorld(computeSha256)
  for (const entry of await store.listEntries(MAIN, 0, 10_000)) {
    if (entry.envelope.kind !== 'commit') continue
    const { delta, world_after } = parseCommit(entry)
    equal(world.apply(delta, entry.id).ok, true)
    equal(world_after, encodeHex(world.root()))
  }
  return encodeHex(world.root())
}

async function readLastEntry(store: Store): Promise<StoredEntry & { readonly id: Address }> {
  await store.integrate()
  const [entry] = await store.listLeaves((await store.countLeaves()) - 1, 1)
  if (entry === undefined) throw new Error('the store has no entry')
  return entry
}

function parseCommit({ payload }: StoredEntry): CommitPayload {
  return JSON.parse(payload ?? 'null') as CommitPayload
}

function toFact({ kind, id, version, value, retracted }: Resource): WorldFact {
  return { kind, id, version, value, retracted }
}

function computeKey(resource: { readonly kind: string; readonly id: string }): string {
  return encodeHex(hashResourceKey(resource.kind, resource.id, computeSha256))
}

function sortFactsById(facts: readonly WorldFact[]): WorldFact[] {
  return facts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Where several processes write, an entry gets its place in the tree a moment after its unit. */
function omitPlace({ leaf: _, ...entry }: StoredEntry): Omit<StoredEntry, 'leaf'> {
  return entry
}
