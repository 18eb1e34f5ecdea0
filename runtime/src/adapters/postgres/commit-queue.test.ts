import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'node:test'
import {
  AUTHORITY,
  createWorld,
  type DeltaOp,
  encodeHex,
  hashResourceKey,
  MAIN,
} from 'rubicon-kernel'
import {
  begin,
  buildBranch,
  buildFlowRow,
  buildNote,
  buildWorldCommit,
  commit,
  computeSha256,
  putFlow,
  toDfid,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { type Store, StoreError, type Write } from '../../ports/store.ts'
import {
  createFreshDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './testing.ts'

/** Makes the server refuse what the store could not foresee. */
const TRAP = `CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'boom'; END $$;
  CREATE TRIGGER trap BEFORE INSERT ON flows FOR EACH ROW WHEN (NEW.agent_id = 'boom')
  EXECUTE FUNCTION trap()`

async function sql(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  return (await getServer()).query(parseDatabaseName(address), text)
}

/** How many transactions wrote entries: each has a number of its own. */
async function transactions(address: string): Promise<number> {
  const [row] = await sql(address, 'SELECT count(DISTINCT xmin::text)::integer AS n FROM entries')
  return Number(row?.n)
}

describeWithServer('group commit', () => {
  it('puts what arrives together into one transaction, up to its cap', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    await begin(store)
    equal(await transactions(address), 1)
    await Promise.all(Array.from({ length: 600 }, (_, i) => commit(store, [buildNote(MAIN, i)])))
    // 256, 256 and 88.
    equal((await transactions(address)) - 1, 3)
    const wide = (n: number): Write[] =>
      Array.from({ length: 512 }, (_, i) => ({ kind: 'count', id: `c${i}`, by: n }))
    const units = Array.from({ length: 6 }, (_, n) =>
      commit(store, [buildNote(MAIN, n), ...wide(n)]),
    )
    await Promise.all(units)
    // Locks are bounded as well: two of these at a time.
    equal((await transactions(address)) - 4, 3)
    equal(await store.readCounter('c7'), 15)
  })

  it('takes a unit with more names than there is room for locks', async () => {
    const address = await createFreshDatabase()
    const [store, other] = [await open(address), await open(address)]
    const wide = (by: number): Write[] =>
      Array.from({ length: 9_000 }, (_, i) => ({ kind: 'count', id: `c${i}`, by }))
    const narrow = (by: number): Write[] => [{ kind: 'count', id: 'c8999', by }]
    const outcomes = await Promise.all([
      ...Array.from({ length: 3 }, () => commit(store, wide(1))),
      ...Array.from({ length: 50 }, () => commit(other, narrow(10))),
    ])
    equal(
      outcomes.every(({ ok }) => ok),
      true,
    )
    deepEqual([await store.readCounter('c0'), await store.readCounter('c8999')], [3, 503])
  })

  it('does not mix units that change the law with units that rely on it', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    await begin(store)
    const names = [MAIN, MAIN, AUTHORITY, AUTHORITY, MAIN, AUTHORITY]
    const outcomes = await Promise.all(names.map((name, n) => commit(store, [buildNote(name, n)])))
    equal(
      outcomes.every(({ ok }) => ok),
      true,
    )
    equal((await transactions(address)) - 1, 4)
  })

  it('lets a unit that the server does not take fail alone (S5)', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    await begin(store)
    await sql(address, TRAP)
    const create = buildWorldCommit([{ op: 'create', kind: 'account', id: 'a', value: '1' }])
    const answers = await Promise.allSettled([
      commit(store, [buildNote(MAIN, 1), { kind: 'count', id: 'c', by: 1 }]),
      commit(store, [create, putFlow(1)]),
      commit(store, [buildNote(MAIN, 2), putFlow(2, { agent_id: 'boom' }), ...counted]),
      commit(store, [buildNote(MAIN, 3)]),
    ])
    deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const [, , refused] = answers
    equal(refused?.status === 'rejected' && refused.reason instanceof StoreError, true)
    equal(await store.readFlow(toDfid(2)), null)
    equal(await store.readCounter('c'), 1)
    const payloads = (await store.listEntries(MAIN, 1, 9)).map(({ payload, envelope }) => {
      return envelope.kind === 'commit' ? 'commit' : payload
    })
    deepEqual(payloads, ['{"n":1}', 'commit', '{"n":3}'])
    await store.integrate()
    assertChained(await store.listLeaves(0, 10))
  })

  it('keeps what a text may hold: NUL, quotes, backslashes', async () => {
    const store = await open(await createFreshDatabase())
    const odd = 'a\0b\u0001c"d\\e{f},ü😀'
    const change = { trigger: odd, agent_id: odd, snapshot_id: '\0' }
    await commit(store, [putFlow(1, change), { kind: 'count', id: odd, by: 3 }])
    deepEqual(await store.readFlow(toDfid(1)), buildFlowRow(1, change))
    equal((await store.listFlows({ agent_id: odd, limit: 5 })).length, 1)
    equal(await store.readCounter(odd), 3)
    await commit(store, [{ kind: 'count', id: odd, by: 4 }])
    const view = await store.readDecision(toDfid(1), 'a', () => [odd])
    deepEqual(view?.counters, { [odd]: 7 })
  })

  it('reads the pages of a World that is deeper than it reads ahead', async () => {
    const store = await open(await createFreshDatabase())
    await begin(store)
    const [one, two] = twins(7)
    const world = createWorld(computeSha256)
    const change = async (op: DeltaOp): Promise<void> => {
      equal((await commit(store, [buildWorldCommit([op])])).ok, true)
      equal(world.apply([op], '').ok, true)
      equal(await rootOf(store, MAIN), encodeHex(world.root()))
    }
    for (const id of [one, two]) await change({ op: 'create', kind, id, value: '0' })
    for (const id of [one, two]) await change({ op: 'increment', kind, id, by: '1' })
  })

  it('branches from ancestors that no unit names, in one batch', async () => {
    const store = await open(await createFreshDatabase())
    await begin(store)
    const add = (id: string) =>
      buildWorldCommit([{ op: 'create', kind: 'account', id, value: '1' }])
    const on = (name: string, id: string): Write => ({ ...add(id), trajectory: name }) as Write
    await commit(store, [add('a')])
    await commit(store, [buildBranch('x', MAIN, 1), on('x', 'b'), add('c')])
    await commit(store, [buildBranch('y', 'x', 0), on('y', 'd'), on('x', 'e')])
    const outcomes = await Promise.all([
      commit(store, [buildBranch('z', 'y', 0)]),
      commit(store, [buildBranch('w', 'y', 1)]),
    ])
    equal(
      outcomes.every(({ ok }) => ok),
      true,
    )
    const ids = async (name: string) =>
      (await store.listWorld(name, null, 9)).map(({ id }) => id).sort()
    deepEqual([await ids('z'), await ids('w')], [['a'], ['a', 'd']])
  })
})

const counted: readonly Write[] = [{ kind: 'count', id: 'c', by: 100 }]

const kind = 'account'

/** Two resources whose keys begin with the same nibbles, found by trying many. */
function twins(nibbles: number): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let i = 0; ; i += 1) {
    const start = encodeHex(hashResourceKey(kind, `r${i}`, computeSha256)).slice(0, nibbles)
    const found = seen.get(start)
    if (found !== undefined) return [found, `r${i}`]
    seen.set(start, `r${i}`)
  }
}

async function rootOf(store: Store, name: string): Promise<string | undefined> {
  return (await store.listHeads()).find(({ trajectory }) => trajectory === name)?.world_root
}
