/** Several stores on one database, as several processes would have them. */
import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from 'pg'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import {
  begin,
  buildBranch,
  buildGuardedUnit,
  buildNote,
  buildRoot,
  buildWorldCommit,
  commit,
  putExecution,
  putFlow,
  toDfid,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { lockHolder } from '../../ports/record.ts'
import type { Guard, LeafEntry, Store, Unit, UnitOutcome, Write } from '../../ports/store.ts'
import { lockKey } from './locks.ts'
import { computeSha256 } from './open-at.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

const WRITERS = 4
const EACH = 200

async function writers(): Promise<readonly Store[]> {
  const address = await createFreshDatabase()
  const stores = await Promise.all(Array.from({ length: WRITERS }, () => open(address)))
  const [first] = stores
  if (first !== undefined) await begin(first)
  return stores
}

/** The unit of every writer and number, all sent at once. */
function everybody(
  stores: readonly Store[],
  each: number,
  unit: (n: number) => Unit,
): Promise<readonly UnitOutcome[]> {
  const sent = stores.flatMap((store, w) => {
    return Array.from({ length: each }, (_, i) => store.commit(unit(w * each + i)))
  })
  return Promise.all(sent)
}

async function treeOf(store: Store): Promise<readonly LeafEntry[]> {
  await store.integrate()
  return store.listLeaves(0, 10_000)
}

function won(outcomes: readonly UnitOutcome[]): number {
  return outcomes.filter(({ ok }) => ok).length
}

function hold(resource: string, n: number, amount: string): Write {
  const [dfid, step_id] = [toDfid(n), 'a']
  return {
    kind: 'put_record',
    record: 'lock',
    group: resource,
    key: lockHolder(dfid, step_id),
    body: {
      dfid,
      step_id,
      agent_id: 'trader',
      amount,
      capacity: '100',
      taken_at: 'x',
      expires_at: null,
      quarantined: false,
    },
  }
}

describeWithServer('many writers', () => {
  it('lose nothing on shared counters, holds and heads, and never deadlock', async () => {
    const stores = await writers()
    const [first] = stores
    equal(first !== undefined && (await commit(first, [buildBranch('x', MAIN, 0)])).ok, true)
    const outcomes = await everybody(stores, EACH, (n) => {
      const resource = `r${n % 3}`
      const names = n % 2 === 0 ? [MAIN, 'x'] : ['x', MAIN]
      return {
        guards: [
          { kind: 'counter', id: 'budget', by: 1, limit: 500 },
          {
            kind: 'lock_free',
            resource,
            amount: '1',
            capacity: '100',
            holder: lockHolder(toDfid(n), 'a'),
          },
        ],
        writes: [
          ...names.map((name) => buildNote(name, n)),
          { kind: 'count', id: 'budget', by: 1 },
          { kind: 'count', id: `other-${n % 7}`, by: n },
          hold(resource, n, '1'),
        ],
      }
    })
    const store = stores[2] as Store
    // Three resources with room for a hundred each are the tighter limit.
    equal(won(outcomes), 300)
    equal(await store.readCounter('budget'), 300)
    for (const resource of ['r0', 'r1', 'r2']) {
      equal((await store.listRecords('lock', resource, { limit: 1000 })).length, 100)
    }
    let sum = 0
    for (let i = 0; i < 7; i += 1) sum += await store.readCounter(`other-${i}`)
    const expected = outcomes.reduce((total, { ok }, n) => total + (ok ? n : 0), 0)
    equal(sum, expected)
    const leaves = await treeOf(store)
    equal(leaves.length, 3 + 2 * 300)
    assertChained(leaves)
  })

  it('keep a budget exactly, whoever spends it (S2)', async () => {
    const stores = await writers()
    const guard: Guard = { kind: 'counter', id: 'budget', by: 10, limit: 1000 }
    const spend = buildGuardedUnit(guard, [{ kind: 'count', id: 'budget', by: 10 }])
    equal(won(await everybody(stores, 50, () => spend)), 100)
    equal(await stores[1]?.readCounter('budget'), 1000)
  })

  it('win each flow and each claim once (S2)', async () => {
    const stores = await writers()
    const opened = await everybody(stores, 40, (n) => {
      const number = n % 40
      return buildGuardedUnit({ kind: 'flow_absent', dfid: toDfid(number) }, [putFlow(number)])
    })
    equal(won(opened), 40)
    const claimed = await everybody(stores, 40, (n) => {
      const number = n % 40
      const guard: Guard = { kind: 'claim_absent', dfid: toDfid(number), step_id: 'a' }
      return buildGuardedUnit(guard, [putExecution(number, 'a')])
    })
    equal(won(claimed), 40)
    const moved = await everybody(stores, 40, (n) => {
      const guard: Guard = { kind: 'flow_version', dfid: toDfid(n % 40), version: 1 }
      return buildGuardedUnit(guard, [putFlow(n % 40, { version: 2 })])
    })
    equal(won(moved), 40)
  })

  it('cannot both rely on the absence of what the other makes (S2)', async () => {
    const makes: readonly (readonly [Guard, Write])[] = [
      [{ kind: 'flow_absent', dfid: toDfid(1) }, putFlow(1)],
      [{ kind: 'claim_absent', dfid: toDfid(2), step_id: 'a' }, putExecution(2, 'a')],
      [{ kind: 'trajectory_absent', trajectory: 'new' }, buildRoot('new')],
      [
        { kind: 'record_version', record: 'agent_state', group: 'g', key: 'k', version: null },
        {
          kind: 'put_record',
          record: 'agent_state',
          group: 'g',
          key: 'k',
          body: { value: 1, updated_at: 'x' },
        },
      ],
      [
        { kind: 'counter', id: 'c', by: 1, limit: 1 },
        { kind: 'count', id: 'c', by: 1 },
      ],
    ]
    for (const [i, [guard, make]] of makes.entries()) {
      const [otherGuard, otherMake] = makes[(i + 1) % makes.length] ?? [guard, make]
      const fresh = await createFreshDatabase()
      const pair = await Promise.all([open(fresh), open(fresh)])
      const outcomes = await Promise.all([
        pair[0].commit(buildGuardedUnit(guard, [otherMake])),
        pair[1].commit(buildGuardedUnit(otherGuard, [make])),
      ])
      equal(won(outcomes), 1, JSON.stringify([guard, otherGuard]))
    }
  })

  it('fold one World, whoever commits (S2)', async () => {
    const stores = await writers()
    const make = buildWorldCommit([{ op: 'create', kind: 'account', id: 'a', value: '0' }])
    equal(won(await everybody(stores, 3, () => ({ guards: [], writes: [make] }))), 1)
    const add = buildWorldCommit([{ op: 'increment', kind: 'account', id: 'a', by: '1' }])
    equal(won(await everybody(stores, 50, () => ({ guards: [], writes: [add] }))), 200)
    const [fact] = (await stores[3]?.readResources(MAIN, [{ kind: 'account', id: 'a' }])) ?? []
    deepEqual([fact?.value, fact?.version], ['200', 201])
  })

  it('give every entry one place, also when all of them integrate at once (S4)', async () => {
    const stores = await writers()
    const busy = everybody(stores, 100, (n) => ({ guards: [], writes: [buildNote(MAIN, n)] }))
    const placing = stores.slice(0, 3).flatMap((store) => {
      return Array.from({ length: 15 }, () => store.integrate())
    })
    await Promise.all([busy, ...placing])
    const leaves = await treeOf(stores[0] as Store)
    equal(leaves.length, 2 + 400)
    assertChained(leaves)
  })
})

describeWithServer('the authority lock', () => {
  it('lets a revocation through under load, and nothing lands behind it (S4)', async () => {
    const stores = await writers()
    const [law, ...others] = stores
    if (law === undefined) throw new Error('there is a first store')
    let over = false
    let dispatched = 0
    const lane = async (store: Store, n: number): Promise<void> => {
      while (!over) {
        const { authority_seq: seq } = await store.readNow(MAIN)
        const write = { ...buildNote(MAIN, n), authority_seq: seq }
        const { ok } = await store.commit(buildGuardedUnit({ kind: 'authority_seq', seq }, [write]))
        if (ok) dispatched += 1
      }
    }
    const lanes = others.flatMap((store) => Array.from({ length: 8 }, (_, n) => lane(store, n)))
    // The tree grows meanwhile: what came too late to be in front of the law would be behind it.
    const placing = async (store: Store): Promise<void> => {
      while (!over) await store.integrate()
    }
    lanes.push(...stores.map(placing))
    // The lanes stop only when the law was changed ten times: a revocation that starves hangs.
    for (let seq = 0; seq < 10; seq += 1) {
      const before = dispatched
      equal(
        (
          await law.commit(
            buildGuardedUnit({ kind: 'authority_seq', seq }, [buildNote(AUTHORITY, 1)]),
          )
        ).ok,
        true,
      )
      while (dispatched === before) await law.readNow(MAIN)
    }
    over = true
    await Promise.all(lanes)
    const leaves = await treeOf(law)
    equal(leaves.length, 2 + 10 + dispatched)
    assertChained(leaves)
    let standing = -1
    for (const { envelope } of leaves) {
      if (envelope.trajectory === AUTHORITY) standing = envelope.seq
      else if (envelope.authority_seq !== undefined) equal(envelope.authority_seq, standing)
    }
    equal(standing, 10)
  })

  it('makes who comes later wait behind a revocation that waits', async () => {
    const address = await createFreshDatabase()
    const [law, other] = [await open(address), await open(address)]
    await begin(law)
    const holder = new Client({ connectionString: address })
    await holder.connect()
    await holder.query('BEGIN')
    const key = lockKey('authority', 'acme', '', computeSha256)
    await holder.query(`SELECT pg_advisory_xact_lock_shared(${key})`)
    const waiting = async (count: number): Promise<void> => {
      const text = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
      while ((await holder.query(text)).rowCount !== count);
    }
    const guard: Guard = { kind: 'authority_seq', seq: 0 }
    const revoked = law.commit(buildGuardedUnit(guard, [buildNote(AUTHORITY, 1)]))
    await waiting(1)
    // It only shares the law, as the holder does; still it is not let past the one who waits.
    const write = { ...buildNote(MAIN, 1), authority_seq: 0 }
    const late = other.commit(buildGuardedUnit(guard, [write]))
    await waiting(2)
    await holder.query('COMMIT')
    await holder.end()
    equal((await revoked).ok, true)
    deepEqual(await late, { ok: false, failed: guard })
  })
})
