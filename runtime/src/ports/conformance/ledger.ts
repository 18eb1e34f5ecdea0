import { deepEqual, equal } from 'node:assert/strict'
import { AUTHORITY, computeEntryId, formatInstant, hashPayload, MAIN } from 'rubicon-kernel'
import type { EntryPlace } from '../entry-kinds.ts'
import type { Guard, StoredEntry } from '../store.ts'
import {
  begin,
  buildGuardedUnit,
  buildNote,
  buildRoot,
  commit,
  computeSha256,
  type RegisterCheck,
  START,
  TENANT,
  toDfid,
} from './fixture.ts'

const toInstant = (ms: number): string => formatInstant(START + ms)

export function registerLedgerTests(check: RegisterCheck): void {
  check('an entry is sealed as the kernel seals it (S3)', async ({ store }) => {
    const outcome = await commit(store, [buildRoot(AUTHORITY), buildRoot(MAIN)])
    const dispatch = await commit(store, [
      {
        kind: 'append',
        trajectory: MAIN,
        entry: 'dispatch',
        dfid: toDfid(1),
        authority_seq: 0,
        payload: '{"a":"ü"}',
      },
    ])
    await store.integrate()
    const [, second, third] = await store.listLeaves(0, 10)
    equal(outcome.ok && outcome.entries[1]?.id, second?.id)
    deepEqual(third?.envelope, {
      v: 2,
      tenant: TENANT,
      trajectory: MAIN,
      seq: 1,
      parent: second?.id,
      kind: 'dispatch',
      at: toInstant(0),
      dfid: toDfid(1),
      authority_seq: 0,
      payload_hash: hashPayload('{"a":"ü"}', computeSha256),
    })
    const { id } = third ?? {}
    equal(third && computeEntryId(third.envelope, computeSha256), id)
    deepEqual(dispatch, {
      ok: true,
      at: toInstant(0),
      entries: [{ trajectory: MAIN, seq: 1, id }],
    })
  })

  check('concurrent appends are contiguous and chained, without gaps (S3, S4)', async (fixture) => {
    const { store } = fixture
    await begin(store)
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, i) => {
        const trajectory = i % 7 === 0 ? AUTHORITY : MAIN
        const fails: Guard = { kind: 'authority_seq', seq: -1 }
        // Every fifth unit fails: it must not cost a number.
        if (i % 5 === 0) return store.commit(buildGuardedUnit(fails, [buildNote(trajectory, i)]))
        return commit(store, [buildNote(trajectory, i), buildNote(MAIN, i + 1000)])
      }),
    )
    equal(outcomes.filter(({ ok }) => ok).length, 240)
    await store.integrate()
    const leaves = await store.listLeaves(0, 1000)
    equal(leaves.length, 2 + 2 * 240)
    equal(await store.countLeaves(), leaves.length)
    assertChained(leaves)
    const appended = outcomes.flatMap((outcome) => (outcome.ok ? outcome.entries : []))
    for (const { id, seq, trajectory } of appended) {
      const { envelope } = leaves.find((leaf) => leaf.id === id) ?? {}
      deepEqual([envelope?.trajectory, envelope?.seq], [trajectory, seq])
    }
    for (const head of await store.listHeads()) {
      const last = leaves.findLast(({ envelope }) => envelope.trajectory === head.trajectory)
      deepEqual({ seq: head.seq, id: head.id }, { seq: last?.envelope.seq, id: last?.id })
    }
  })

  check('time never runs backwards when the clock does (S3)', async ({ store, clock }) => {
    await begin(store)
    clock.set(START + 5000)
    await commit(store, [buildNote(MAIN, 1)])
    clock.set(START - 60_000)
    const outcome = await commit(store, [buildNote(MAIN, 2)])
    equal(outcome.ok && outcome.at, toInstant(5000))
    equal((await store.readNow(MAIN)).now, toInstant(5000))
    // Another trajectory did not write that time, and the authority neither.
    equal((await store.readNow('other')).now, toInstant(0))
    clock.set(START + 5001)
    const next = await commit(store, [buildNote(MAIN, 3)])
    equal(next.ok && next.at, toInstant(5001))
    await store.integrate()
    assertChained(await store.listLeaves(0, 10))
  })

  check('no trajectory writes a time behind the authority (S3)', async ({ store, clock }) => {
    await begin(store)
    clock.set(START + 9000)
    await commit(store, [buildNote(AUTHORITY, 1)])
    clock.set(START)
    const outcome = await commit(store, [buildNote(MAIN, 1)])
    equal(outcome.ok && outcome.at, toInstant(9000))
    deepEqual(await store.readNow(MAIN), { now: toInstant(9000), authority_seq: 1 })
    const late: Guard = { kind: 'before', at: toInstant(9000) }
    deepEqual(await store.commit(buildGuardedUnit(late)), { ok: false, failed: late })
  })

  check('a unit has one time, behind none of its trajectories (S3)', async ({ store, clock }) => {
    await begin(store)
    clock.set(START + 3000)
    await commit(store, [buildNote(MAIN, 1)])
    clock.set(START)
    const outcome = await commit(store, [buildNote(AUTHORITY, 2), buildNote(MAIN, 2)])
    equal(outcome.ok && outcome.at, toInstant(3000))
    await store.integrate()
    const times = (await store.listLeaves(3, 2)).map(({ envelope }) => envelope.at)
    deepEqual(times, [toInstant(3000), toInstant(3000)])
  })

  check('entries, leaves and a flow are read in order, in pages', async ({ store }) => {
    await begin(store)
    for (let i = 0; i < 10; i += 1) await commit(store, [buildNote(MAIN, i, toDfid(i % 2))])
    await store.integrate()
    const listSeqs = (entries: readonly StoredEntry[]) =>
      entries.map(({ envelope }) => envelope.seq)
    deepEqual(listSeqs(await store.listEntries(MAIN, 0, 3)), [0, 1, 2])
    deepEqual(listSeqs(await store.listEntries(MAIN, 9, 5)), [9, 10])
    deepEqual(await store.listEntries(MAIN, 11, 5), [])
    deepEqual(await store.listEntries('nowhere', 0, 5), [])
    const listLeaves = (entries: readonly StoredEntry[]) => entries.map(({ leaf }) => leaf)
    deepEqual(listLeaves(await store.listLeaves(4, 3)), [4, 5, 6])
    deepEqual(listLeaves(await store.listLeaves(12, 3)), [])
    deepEqual(listLeaves(await store.listFlowEntries(toDfid(1))), [3, 5, 7, 9, 11])
    deepEqual(await store.listFlowEntries(toDfid(3)), [])
    const ofKinds = await store.listFlowEntries(toDfid(1), ['evidence', 'commit'])
    deepEqual(listLeaves(ofKinds), [3, 5, 7, 9, 11])
    deepEqual(await store.listFlowEntries(toDfid(1), ['commit']), [])
    deepEqual(listLeaves(await store.listFlowEntries(toDfid(1), undefined, 2)), [9, 11])
    deepEqual(listLeaves(await store.listFlowEntries(toDfid(1), ['evidence'], 9)), [3, 5, 7, 9, 11])
    deepEqual(await store.listFlowEntries(toDfid(1), ['commit'], 2), [])
    const [last] = await store.listFlowEntries(toDfid(1), undefined, 1)
    const listBefore = async (before: EntryPlace | undefined, count: number) =>
      listLeaves(await store.listFlowEntries(toDfid(1), undefined, count, before))
    deepEqual(await listBefore(last?.envelope, 2), [7, 9])
    deepEqual(await listBefore({ trajectory: MAIN, seq: 8 }, 2), [5, 7])
    deepEqual(await listBefore({ trajectory: MAIN, seq: 2 }, 9), [])
  })

  check('an empty store has no heads, no leaves, and the time of the clock', async ({ store }) => {
    deepEqual(await store.listHeads(), [])
    equal(await store.countLeaves(), 0)
    deepEqual(await store.listLeaves(0, 10), [])
    deepEqual(await store.readNow(MAIN), { now: toInstant(0), authority_seq: -1 })
  })
}

/** E1 and E2 over all trajectories, and S4. */
export function assertChained(leaves: readonly StoredEntry[]): void {
  const heads = new Map<string, StoredEntry>()
  for (const [i, entry] of leaves.entries()) {
    const { envelope, id, leaf, payload } = entry
    const head = heads.get(envelope.trajectory)
    equal(leaf, i)
    equal(envelope.seq, head === undefined ? 0 : head.envelope.seq + 1)
    if (envelope.kind !== 'branch') equal(envelope.parent, head?.id ?? null)
    equal(envelope.at >= (head?.envelope.at ?? ''), true, 'time runs backwards')
    equal(id, computeEntryId(envelope, computeSha256))
    equal(envelope.payload_hash, payload === null ? undefined : hashPayload(payload, computeSha256))
    heads.set(envelope.trajectory, entry)
  }
}
