import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { buildAskedCondition, collectAsked } from './asked-words.ts'
import { parseFilter } from './filter.ts'
import { act, find, follow, hasWords, openIndex, refunds, SECRET } from './indexed.test-support.ts'
import { LIST_NAMES, LISTS } from './lists.ts'
import { listMeasures } from './query.ts'
import { SearchIndex } from './search-index.ts'

test('lists of one moment that need no index take in one page, and the next moment finds the rest', async (t) => {
  const runtime = await refunds(t)
  let now = 0
  const index = new SearchIndex({
    store: runtime.store,
    clock: { monotonic: () => now },
    path: null,
    pause: async () => {},
  })
  t.after(() => index.close())
  const taken = await index.catchUp('beside')
  assert.equal(taken.leaf, taken.size)
  await act(runtime, 'o_1', '20.00')
  const waits = await index.catchUp('beside')
  assert.equal(waits.leaf, taken.leaf)
  assert.ok(waits.size > waits.leaf)
  now += 100
  const later = await index.catchUp('beside')
  assert.deepEqual([later.leaf, later.size], [waits.size, waits.size])
  await act(runtime, 'o_2', '20.00')
  // A search is never answered without what is there.
  const searched = await index.catchUp()
  assert.ok(searched.leaf > later.leaf)
  assert.equal(searched.leaf, searched.size)
})

test('flows are found by words, kind, outcome, reason and amount', async (t) => {
  const runtime = await refunds(t)
  // Letters that no id has: words are looked for in ids, too.
  const small = await act(runtime, 'o_xy1', '20.00')
  const large = await act(runtime, 'o_xy2', '20000.00')
  const index = openIndex(runtime)
  await follow(index)
  assert.deepEqual(find(index, { words: 'O_XY' }), [large, small])
  assert.deepEqual(find(index, { words: 'xy1 ticket' }), [small])
  assert.deepEqual(find(index, { words: 'y2' }), [large])
  assert.deepEqual(find(index, { words: '"' }), [])
  assert.deepEqual(find(index, { kind: 'REFUND', sort: 'amount' }), [small, large])
  assert.deepEqual(find(index, { outcome: 'rejected', reason: 'LIMIT_EXCEEDED' }), [large])
  assert.deepEqual(find(index, { amount_max: '20' }), [small])
  assert.deepEqual(find(index, { amount_min: '20.01' }), [large])
  assert.deepEqual(find(index, { words: small }), [small])
})

test('I1: a file of another version, or a damaged one, is made again', async (t) => {
  const runtime = await refunds(t)
  await act(runtime, 'o_1', '20.00')
  const path = join(temporaryFolder(), 'search.db')
  const first = openIndex(runtime, path)
  const { leaf } = await follow(first)
  first.close()
  const kept = openIndex(runtime, path)
  assert.equal(kept.database.prepare('SELECT leaf FROM place').get()?.leaf, leaf)
  kept.close()
  const other = new DatabaseSync(path)
  other.exec('PRAGMA user_version = 99')
  other.close()
  const newer = openIndex(runtime, path)
  assert.equal(newer.database.prepare('SELECT leaf FROM place').get()?.leaf, 0)
  await follow(newer)
  newer.close()
  writeFileSync(path, 'this is no database'.repeat(1_000))
  const damaged = openIndex(runtime, path)
  assert.equal((await follow(damaged)).leaf, leaf)
  assert.equal(find(damaged, { words: 'o_1' }).length, 1)
  damaged.close()
})

test('I1: a ledger that has another entry where the index ends is another ledger', async (t) => {
  const [one, two] = [await refunds(t), await refunds(t)]
  for (let i = 0; i < 3; i++) await act(one, `o_${i}`, '20.00')
  await act(two, 'o_of_two', '20.00')
  const path = join(temporaryFolder(), 'search.db')
  const first = openIndex(one, path)
  await follow(first)
  first.close()
  const shorter = openIndex(two, path)
  assert.deepEqual(await follow(shorter), await follow(openIndex(two)))
  assert.equal(find(shorter, { words: 'o_of_two' }).length, 1)
  assert.equal(find(shorter, {}).length, 1)
  shorter.close()
  const longer = openIndex(one, path)
  await follow(longer)
  assert.equal(find(longer, {}).length, 3)
  longer.close()
})

test('O1: whoever finds the file taken has an index in memory', async (t) => {
  const runtime = await refunds(t)
  await act(runtime, 'o_1', '20.00')
  const path = join(temporaryFolder(), 'search.db')
  const [first, second] = [openIndex(runtime, path), openIndex(runtime, path)]
  assert.deepEqual(await follow(second), await follow(first))
  assert.equal(find(second, { words: 'o_1' }).length, 1)
  first.close()
  second.close()
})

test('I3: no file of it has words of a flow that was erased', async (t) => {
  const runtime = await refunds(t)
  const dfids: string[] = []
  for (let i = 0; i < 8; i++) dfids.push(await act(runtime, `${SECRET}-${i}`, '20.00'))
  const folder = temporaryFolder()
  const index = openIndex(runtime, join(folder, 'search.db'))
  await follow(index)
  assert.ok(hasWords(folder))
  for (const [at, dfid] of dfids.entries()) {
    assert.equal(find(index, { words: SECRET }).length, dfids.length - at)
    const erased = await runtime.engine.oversight.erase({ dfid, reason: 'asked to' })
    assert.ok(erased.ok)
    await index.forgetFlow(dfid)
    await follow(index)
  }
  assert.ok(!hasWords(folder))
  assert.deepEqual(find(index, { words: SECRET }), [])
  assert.equal(find(index, { tag: 'ERASED' }).length, dfids.length)
  assert.equal(find(index, { words: dfids[0] ?? '' }).length, 1)
  index.close()
})

test('an index that is made after an erasure is that which met it', async (t) => {
  const runtime = await refunds(t)
  const dfid = await act(runtime, SECRET, '20000.00')
  await act(runtime, 'o_1', '20.00')
  const before = openIndex(runtime)
  await follow(before)
  await runtime.engine.cancel(dfid, 'done')
  const erased = await runtime.engine.oversight.erase({ dfid, reason: 'asked to' })
  assert.ok(erased.ok, JSON.stringify(erased))
  await follow(before)
  const after = openIndex(runtime)
  await follow(after)
  const words = 'SELECT s.flow, w.said FROM said s JOIN words w ON w.rowid = s.id ORDER BY 1, 2'
  const tables = ['flow', 'decision', 'entry', 'execution', 'escalation', 'happening']
  for (const sql of [words, ...tables.map((table) => `SELECT * FROM ${table}`)])
    assert.deepEqual(before.database.prepare(sql).all(), after.database.prepare(sql).all(), sql)
})

test('an agent hears of no measure but those of its own flows', async (t) => {
  const runtime = await refunds(t)
  await act(runtime, 'o_1', '20.00')
  const index = openIndex(runtime)
  await follow(index)
  assert.deepEqual(listMeasures(index.database, null), ['refund_usd'])
  assert.deepEqual(listMeasures(index.database, 'refunds_bot'), ['refund_usd'])
  assert.deepEqual(listMeasures(index.database, 'another_bot'), [])
})

test('words are found together, short and long, and no more than a few short ones', async (t) => {
  const runtime = await refunds(t)
  // Letters that no id has.
  const one = await act(runtime, 'o_xyqv', '20.00')
  const two = await act(runtime, 'o_xyqw', '20000.00')
  const index = openIndex(runtime)
  await follow(index)
  assert.deepEqual(find(index, { words: 'xy qv ticket' }), [one])
  assert.deepEqual(find(index, { words: 'qw limit_exceeded' }), [two])
  assert.deepEqual(find(index, { words: 'a b c d' }), find(index, { words: 'd c b a a a' }))
  const frame = { list: 'flows', own: null, measures: [], limit: 50 } as const
  const refused = parseFilter({ words: 'a b c d e' }, frame)
  assert.equal(refused.ok, false)
  // What was collected for a question is not the answer to one that comes after a change.
  assert.deepEqual(find(index, { words: 'zz' }), [])
  const three = await act(runtime, 'o_xyzz', '20.00')
  await follow(index)
  assert.deepEqual(find(index, { words: 'zz' }), [three])
})

test('many flows are found as few are', async (t) => {
  const runtime = await refunds(t)
  for (const order of ['o_4711', 'o_4712', 'o_4713']) await act(runtime, order, '20.00')
  const index = openIndex(runtime)
  await follow(index)
  const { database } = index
  for (const list of LIST_NAMES) {
    const { table } = LISTS[list]
    collectAsked(database, ['4711'])
    const [few, many] = [true, false].map((isFew) =>
      database.prepare(`SELECT * FROM ${table} WHERE ${buildAskedCondition(list, isFew)}`).all(),
    )
    assert.deepEqual(many, few, table)
    if (table !== 'escalation') assert.ok(few !== undefined && few.length > 0, table)
    assert.ok(
      (few?.length ?? 0) < database.prepare(`SELECT * FROM ${table}`).all().length ||
        few?.length === 0,
    )
  }
})
