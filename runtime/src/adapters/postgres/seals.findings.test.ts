/**
 * Somebody who can write to the database, and holds no key, between the commit of a batch and the moment
 * in which its entries get their places: he holds the lock of the sequencer meanwhile, so that no test
 * depends on who is faster.
 */
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from 'pg'
import { AUTHORITY, computeEntryId, type Envelope, hashPayload, MAIN } from 'rubicon-kernel'
import {
  begin,
  buildBranch,
  buildNote,
  commit,
  computeSha256,
  TENANT,
} from '../../ports/conformance/fixture.ts'
import { createReadableKeeper } from '../../ports/conformance/tree.ts'
import { type Store, StoreError } from '../../ports/store.ts'
import type { HeadKeeper } from '../../ports/tree.ts'
import { lockKey } from './locks.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

type Rows = readonly Record<string, unknown>[]

/** A process that writes, another one, and whoever holds the database. */
type Stage = {
  readonly address: string
  readonly writer: Store
  readonly other: Store
  readonly holder: Client
  readonly sql: (text: string) => Promise<Rows>
}

const LOCK = `SELECT pg_advisory_xact_lock(${lockKey('sequencer', TENANT, '', computeSha256)})`
const TRIGGERS = ['entries_are_kept', 'entries_are_frozen']

async function staged(body: (stage: Stage) => Promise<void>): Promise<void> {
  const address = await createFreshDatabase()
  const writer = await signing(address, 'first')
  await begin(writer)
  await commit(writer, [buildBranch('side', MAIN, 0)])
  await writer.integrate()
  const other = await signing(address, 'second')
  const holder = new Client({ connectionString: address })
  await holder.connect()
  const sql = async (text: string): Promise<Rows> => (await holder.query(text)).rows
  for (const name of TRIGGERS) await sql(`DROP TRIGGER ${name} ON entries`)
  // Rows are numbered on as before, but may be changed.
  await sql(`CREATE SEQUENCE numbers START 1000;
    GRANT USAGE ON SEQUENCE numbers TO rubicon_writer;
    ALTER TABLE entries ALTER row DROP IDENTITY, ALTER row SET DEFAULT nextval('numbers')`)
  try {
    await body({ address, writer, other, holder, sql })
  } finally {
    await holder.end()
  }
}

async function signing(address: string, key: string, change: Partial<HeadKeeper> = {}) {
  const store = await open(address)
  await store.signHeads({ ...createReadableKeeper('log', key), ...change }, 'kept')
  return store
}

/** What `write` commits gets no place before `change` was made. */
async function between(
  { sql }: Stage,
  write: () => Promise<unknown>,
  change: () => Promise<unknown>,
): Promise<void> {
  await sql('BEGIN')
  await sql(LOCK)
  await write()
  await change()
  await sql('COMMIT')
}

/** Ends a process as a crash would: what it has not placed by now, others must. */
async function endUnplaced({ sql }: Stage, store: Store): Promise<void> {
  let isClosed = false
  const closed = store.close().then(() => {
    isClosed = true
  })
  while (!isClosed)
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted`)
  await closed
}

function mismatch(says: RegExp): (error: unknown) => boolean {
  return (error) => {
    equal(error instanceof StoreError && error.code, 'HEAD_MISMATCH', String(error))
    match(String(error), says)
    return true
  }
}

/** Neither process places anything or writes any more, and the tree and its head are as they were. */
async function assertStopped({ writer, other, sql }: Stage, says: RegExp): Promise<void> {
  const signed = 'SELECT head, (SELECT max(leaf) FROM leaves) AS last FROM tree_heads'
  const before = await sql(signed)
  await rejects(other.integrate(), mismatch(says))
  await rejects(commit(other, [buildNote(MAIN, 99)]), mismatch(says))
  await rejects(writer.integrate(), mismatch(/./))
  await rejects(commit(writer, [buildNote(MAIN, 98)]), mismatch(/./))
  deepEqual(await sql(signed), before)
}

/** An entry behind the last of `main`, as well made as a runtime would make it. */
async function insertEntry({ sql }: Stage, seal: string): Promise<void> {
  const [head] = await sql(`SELECT seq, id, at FROM trajectories WHERE trajectory = '${MAIN}'`)
  const payload = '{"n":90}'
  const envelope = {
    v: 2,
    tenant: TENANT,
    trajectory: MAIN,
    seq: Number(head?.seq) + 1,
    parent: head?.id,
    kind: 'evidence',
    at: head?.at,
    payload_hash: hashPayload(payload, computeSha256),
  } as Envelope
  const { seq, parent, at, payload_hash } = envelope
  const id = computeEntryId(envelope, computeSha256)
  await sql(`INSERT INTO entries (tenant, trajectory, seq, id, parent, v, kind, at, payload_hash,
      payload, authority_head, seal)
    VALUES ('${TENANT}', '${MAIN}', ${seq}, '${id}', '${parent}', 2, 'evidence', '${at}',
      '${payload_hash}', '${payload}', 0, ${seal});
    UPDATE trajectories SET seq = ${seq}, id = '${id}' WHERE trajectory = '${MAIN}'`)
}

const LAST = `(SELECT max(row) FROM entries)`
const UNPLACED = 'row NOT IN (SELECT row FROM leaves)'
const HEADS = `UPDATE trajectories AS t SET (seq, id) = (SELECT e.seq, e.id FROM entries AS e
  WHERE e.trajectory = t.trajectory ORDER BY e.seq DESC LIMIT 1)`

/** Two batches: two entries in two trajectories, and one. */
async function writeTwo({ writer }: Stage): Promise<void> {
  await commit(writer, [buildNote(MAIN, 1), buildNote('side', 1)])
  await commit(writer, [buildNote(MAIN, 2)])
}

/** What can be done to what waits, and what is said of it. */
const CHANGES: Readonly<Record<string, readonly [sql: string, says: RegExp]>> = {
  'whose seal is gone': ['DELETE FROM seals', /no batch that was sealed/],
  'under a seal of another log': [
    `UPDATE seals SET seal = replace(seal, '"origin":"log"', '"origin":"gol"')`,
    /does not hold: it is of another log/,
  ],
  'under the seal of another batch': [
    'UPDATE seals AS s SET seal = o.seal FROM seals AS o WHERE o.name <> s.name',
    /not the one that was sealed/,
  ],
  'whose batch lost its end': [
    `DELETE FROM entries WHERE trajectory = 'side' AND ${UNPLACED}; ${HEADS}`,
    /not the one that was sealed/,
  ],
  'whose batch is in another order': [
    `UPDATE entries SET row = row + 10000 WHERE trajectory = '${MAIN}' AND ${UNPLACED}`,
    /not the one that was sealed/,
  ],
  'that was copied': [
    `INSERT INTO entries (tenant, trajectory, seq, id, parent, v, kind, at, payload_hash, payload,
        authority_head, seal)
      SELECT tenant, trajectory, seq + 1, id, parent, v, kind, at, payload_hash, payload,
        authority_head, seal FROM entries WHERE row = ${LAST}; ${HEADS}`,
    /not the one that was sealed/,
  ],
  'whose envelope was changed': [
    `UPDATE entries SET at = '2020-01-01T00:00:00.000Z' WHERE ${UNPLACED}`,
    /does not fit its envelope/,
  ],
  'behind one that is said to have its place': [
    `UPDATE placed SET seq = seq + 1 WHERE trajectory = '${MAIN}'`,
    /not the one that was sealed/,
  ],
}

describeWithServer('seals', () => {
  it('finding 14f: an entry that was inserted without a seal gets no place, nor what follows it', async () => {
    await staged(async (stage) => {
      await insertEntry(stage, 'NULL')
      await assertStopped(stage, /no batch that was sealed/)
    })
  })

  it('finding 14f: an entry that was added to a batch that was sealed gets no place', async () => {
    await staged(async (stage) => {
      await between(
        stage,
        () => writeTwo(stage),
        () => insertEntry(stage, '(SELECT max(name) FROM seals)'),
      )
      await assertStopped(stage, /not the one that was sealed/)
    })
  })

  for (const [what, [change, says]] of Object.entries(CHANGES))
    it(`finding 14f: an entry ${what} gets no place`, async () => {
      await staged(async (stage) => {
        await between(
          stage,
          () => writeTwo(stage),
          () => stage.sql(change),
        )
        await assertStopped(stage, says)
      })
    })

  it('finding 14f: an entry is not moved before or behind the law that it was written under', async () => {
    await staged(async (stage) => {
      const { writer, sql } = stage
      await between(
        stage,
        async () => {
          await commit(writer, [buildNote(AUTHORITY, 1)])
          await commit(writer, [buildNote(MAIN, 1)])
        },
        () => sql(`UPDATE entries SET authority_head = 0 WHERE row = ${LAST}`),
      )
      await assertStopped(stage, /under another authority|comes behind a later one/)
    })
  })

  it('finding 14f: an entry is not chained to what the database says of the last one', async () => {
    await staged(async (stage) => {
      const { writer, sql } = stage
      const id = hashPayload('another', computeSha256)
      await sql(`UPDATE trajectories SET id = '${id}' WHERE trajectory = '${MAIN}'`)
      await commit(writer, [buildNote(MAIN, 1)])
      await assertStopped(stage, /does not follow the last of `main`/)
    })
  })

  it('finding 14f: a batch with its seal, kept and put back, is not placed a second time', async () => {
    await staged(async (stage) => {
      const { writer, sql, address } = stage
      await between(
        stage,
        () => commit(writer, [buildNote(MAIN, 1)]),
        () => sql('CREATE TABLE kept AS SELECT * FROM seals'),
      )
      await writer.integrate()
      await sql(`ALTER TABLE leaves DROP CONSTRAINT leaves_row_key;
        INSERT INTO seals SELECT * FROM kept;
        UPDATE placed SET seq = seq - 1 WHERE trajectory = '${MAIN}'`)
      await rejects(writer.integrate(), mismatch(/comes behind a later one/))
      const later = await signing(address, 'third')
      await rejects(later.integrate(), mismatch(/entries that have their places/))
      equal(await later.countLeaves(), 4)
    })
  })

  it('finding 14f: a batch that is gone before it has its places is missed by who wrote it', async () => {
    await staged(async (stage) => {
      const { writer, sql } = stage
      await between(
        stage,
        () => writeTwo(stage),
        () => sql(`DELETE FROM entries WHERE ${UNPLACED}; DELETE FROM seals; ${HEADS}`),
      )
      await rejects(writer.integrate(), mismatch(/was written here, and is gone/))
      await rejects(commit(writer, [buildNote(MAIN, 3)]), mismatch(/is gone/))
    })
  })

  it('processes with keys of their own place what the others wrote, also those that are gone', async () => {
    await staged(async (stage) => {
      const { writer, other, address, sql } = stage
      const third = await signing(address, 'third')
      await between(
        stage,
        async () => {
          for (let n = 0; n < 4; n += 1) {
            await commit(writer, [buildNote(MAIN, n), buildNote('side', n)])
            await commit(third, [buildNote(AUTHORITY, n)])
            await commit(third, [buildNote('side', n), buildNote(MAIN, n)])
          }
        },
        async () => {
          await endUnplaced(stage, writer)
          await endUnplaced(stage, third)
        },
      )
      equal(await other.countLeaves(), 3)
      await other.integrate()
      equal(await other.countLeaves(), 3 + 4 * 5)
      deepEqual(await sql('SELECT name FROM seals'), [])
      await commit(other, [buildNote(MAIN, 5)])
      await other.integrate()
      equal(await (await signing(address, 'fourth')).countLeaves(), 3 + 4 * 5 + 1)
    })
  })

  it('a key that was added meanwhile is looked for before its seals are refused', async () => {
    await staged(async (stage) => {
      const { writer, address } = stage
      const keeper = createReadableKeeper('log', 'late')
      let knows = false
      const late = await signing(address, 'late', {
        openSeal: (text) => (knows ? keeper.openSeal(text) : { ok: false, error: 'of nobody' }),
        learn: async () => {
          knows = true
        },
      })
      await between(
        stage,
        () => writeTwo(stage),
        async () => {},
      )
      await Promise.all([writer.close(), late.integrate()])
      equal(await late.countLeaves(), 6)
    })
  })

  it('a key that was compromised vouches for nothing that waits then', async () => {
    await staged(async (stage) => {
      const { writer, address } = stage
      const keeper = createReadableKeeper('log', 'late')
      let isCompromised = false
      const late = await signing(address, 'late', {
        openSeal: (text) => (isCompromised ? { ok: false, error: 'gone' } : keeper.openSeal(text)),
        learn: async () => {
          isCompromised = true
        },
      })
      const key = { kind: 'append', trajectory: AUTHORITY, entry: 'key', payload: '{}' } as const
      await between(
        stage,
        () => commit(writer, [key]),
        () => endUnplaced(stage, writer),
      )
      await rejects(late.integrate(), mismatch(/does not hold: gone/))
    })
  })

  it('what the database says of the last places is looked at when a process starts', async () => {
    await staged(async ({ sql, address }) => {
      await sql(`UPDATE placed SET seq = seq + 1 WHERE trajectory = '${MAIN}'`)
      await rejects(signing(address, 'third'), mismatch(/is said to end with has no place/))
    })
  })

  it('what was accepted by an operator has its place, sealed or not', async () => {
    await staged(async (stage) => {
      const { other, sql } = stage
      await insertEntry(stage, 'NULL')
      await assertStopped(stage, /no batch that was sealed/)
      await other.signHeads(createReadableKeeper('after', 'second'), 'leaves')
      equal(await other.countLeaves(), 4)
      await commit(other, [buildNote(MAIN, 7)])
      await other.integrate()
      equal(await other.countLeaves(), 5)
      deepEqual(await sql('SELECT name FROM seals'), [])
    })
  })
})
