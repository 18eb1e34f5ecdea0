/** Indexes that are none of ours, or not of this ledger, or begun again while somebody reads. */
import assert from 'node:assert/strict'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Runtime } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { act, find, follow, openIndex, refunds } from './indexed.test-support.ts'
import type { IndexParts } from './search-index.ts'

async function playMany(runtime: Runtime, count: number, name: string): Promise<void> {
  for (let i = 0; i < count; i++) await act(runtime, `${name}_${i}`, '20.00')
}

/** A store in front of which every read of that kind first does something. */
function beforeReading(
  store: Runtime['store'],
  name: 'listLeafIds' | 'listLeaves' | 'readFlow',
  act: () => Promise<void>,
): IndexParts['store'] {
  return new Proxy(store, {
    get(target, member) {
      const found: unknown = Reflect.get(target, member, target)
      if (typeof found !== 'function') return found
      const call = (...given: readonly unknown[]): unknown => Reflect.apply(found, target, given)
      if (member !== name) return call
      return async (...given: readonly unknown[]) => {
        await act()
        return call(...given)
      }
    },
  })
}

test('I4: what was read for an index that was begun again is not written into the next', async (t) => {
  const runtime = await refunds(t)
  await playMany(runtime, 8, 'o')
  let isArmed = false
  const store = beforeReading(runtime.store, 'readFlow', async () => {
    if (!isArmed) return
    isArmed = false
    index.read(() => {
      if (index.database === before) throw damaged
    })
  })
  const damaged = Object.assign(new Error('damaged'), { errcode: 11 })
  const path = join(temporaryFolder(), 'search.db')
  const index = openIndex({ store }, path)
  const before = index.database
  await follow(index)
  await playMany(runtime, 4, 'p')
  isArmed = true
  await follow(index)
  assert.notEqual(index.database, before)
  assert.equal(find(index, { words: 'o_' }).length, 8)
  assert.equal(find(index, {}).length, 12)
  index.close()
})

test('I1: nobody is answered from an index before it is known to be of this ledger', async (t) => {
  const [one, two] = [await refunds(t), await refunds(t)]
  await playMany(one, 3, 'of_one')
  await playMany(two, 6, 'of_two')
  const path = join(temporaryFolder(), 'search.db')
  const first = openIndex(one, path)
  await follow(first)
  first.close()
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const other = openIndex({ store: beforeReading(two.store, 'listLeafIds', () => held) }, path)
  other.start()
  let isAnswered = false
  const asked = other.catchUp().then(() => {
    isAnswered = true
  })
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  assert.ok(!isAnswered)
  release()
  await asked
  assert.deepEqual(find(other, { words: 'of_one' }), [])
  await follow(other)
  assert.equal(find(other, { words: 'of_two' }).length, 6)
  other.close()
})

test('I1: a store that could not be read once is compared the next time', async (t) => {
  const [one, two] = [await refunds(t), await refunds(t)]
  await playMany(one, 3, 'of_one')
  await playMany(two, 6, 'of_two')
  const path = join(temporaryFolder(), 'search.db')
  const first = openIndex(one, path)
  await follow(first)
  first.close()
  let failures = 1
  const store = beforeReading(two.store, 'listLeafIds', async () => {
    if (failures-- > 0) throw new Error('the store is away')
  })
  const other = openIndex({ store }, path)
  assert.equal((await other.catchUp()).problem, 'the ledger cannot be read')
  await other.catchUp()
  await follow(other)
  assert.deepEqual(find(other, { words: 'of_one' }), [])
  assert.equal(find(other, {}).length, 6)
  other.close()
})

for (const [what, sql] of [
  [
    'a trigger that keeps words',
    `CREATE TABLE kept (said TEXT);
     CREATE TRIGGER keep AFTER INSERT ON said BEGIN INSERT INTO kept VALUES (new.id); END`,
  ],
  ['a table that is missing', 'DROP TABLE happening'],
  ['trigrams that stay', "INSERT INTO words (words, rank) VALUES ('secure-delete', 0)"],
] as const)
  test(`O4: a file with ${what} is thrown away`, async (t) => {
    const runtime = await refunds(t)
    await playMany(runtime, 2, 'o')
    const path = join(temporaryFolder(), 'search.db')
    const first = openIndex(runtime, path)
    await follow(first)
    first.close()
    const forged = new DatabaseSync(path)
    forged.exec(sql)
    forged.close()
    const next = openIndex(runtime, path)
    assert.equal(next.database.prepare('SELECT leaf FROM place').get()?.leaf, 0)
    await follow(next)
    assert.equal(find(next, {}).length, 2)
    next.close()
  })

test('O4: the files are for their owner alone', async (t) => {
  const runtime = await refunds(t)
  await playMany(runtime, 1, 'o')
  const path = join(temporaryFolder(), 'search.db')
  const readMode = (end: string): string => (statSync(`${path}${end}`).mode & 0o777).toString(8)
  const first = openIndex(runtime, path)
  await follow(first)
  assert.deepEqual([readMode(''), readMode('-wal')], ['600', '600'])
  first.close()
  chmodSync(path, 0o644)
  const next = openIndex(runtime, path)
  await follow(next)
  assert.equal(readMode(''), '600')
  next.close()
})
