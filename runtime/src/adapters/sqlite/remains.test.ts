import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Store, Write } from '../../ports/store.ts'
import { openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

const SECRET = 'the-name-of-a-customer'
const STAYS = 'the-name-of-a-neighbour'
const PERSONS = 400

function name(index: number, text: string): Write {
  const key = String(index).padStart(6, '0')
  const body = {
    person_id: `p_${key}`,
    identity: { kind: 'name' as const, name: text },
    salt: 'c2FsdA',
  }
  return { kind: 'put_record', record: 'person_identity', group: 'identities', key, body }
}

function forget(index: number): Write {
  const key = String(index).padStart(6, '0')
  return { kind: 'drop_record', record: 'person_identity', group: 'identities', key }
}

async function write(store: Store, writes: readonly Write[]): Promise<void> {
  const units = writes.map((one) => store.commit({ guards: [], writes: [one] }))
  for (const outcome of await Promise.all(units)) assert.ok(outcome.ok)
}

const ALL: readonly number[] = Array.from({ length: PERSONS }, (_, index) => index)
const GONE: readonly number[] = ALL.filter((index) => index % 4 !== 0)

function describeName(index: number, times: number): string {
  return `${GONE.includes(index) ? SECRET : STAYS} `.repeat(times)
}

/** Rows grow in the middle of full pages, which are split: each page keeps pieces of what moved to another. */
async function splitPages(store: Store): Promise<void> {
  for (const times of [1, 6, 18]) {
    const order = ALL.map((index) => (index * 7) % PERSONS)
    await write(
      store,
      order.map((index) => name(index, describeName(index, times))),
    )
  }
}

/** So much that a pass has several parts. */
async function fillFile(store: Store): Promise<void> {
  const rows = Array.from({ length: 1_000 }, (_, index) => name(PERSONS + index, 'z'.repeat(6_000)))
  await write(store, rows)
}

async function forgetAll(store: Store): Promise<void> {
  await write(store, GONE.map(forget))
}

/** In the file, its log and its journal, as they are now. */
function countSecrets(path: string): number {
  const files = ['', '-wal', '-journal'].map((suffix) => path + suffix).filter(existsSync)
  const texts = files.map((file) => readFileSync(file).toString('latin1'))
  return texts.reduce((sum, text) => sum + text.split(SECRET).length - 1, 0)
}

function copyStore(path: string): string {
  const copy = createTemporaryPath()
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix)
  return copy
}

/** In the file alone, once SQLite has taken the log into it. */
function countPieces(path: string): number {
  const copy = copyStore(path)
  const database = new DatabaseSync(copy)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  assert.equal(existsSync(`${copy}-wal`), false)
  return countSecrets(copy)
}

function readInFile(path: string, text: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare(text).get()
  database.close()
  return Object.values(row ?? {})[0]
}

test('nothing of what was taken out is left where pages were split', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await forgetAll(store)
  assert.ok(countPieces(path) > 10, 'there is something to overwrite')
  await store.overwriteRemains()
  assert.equal(countSecrets(path), 0, 'while it is open')
  await store.close()
  assert.equal(countSecrets(path), 0, 'once it is closed')
  assert.equal(readInFile(path, 'PRAGMA integrity_check'), 'ok')
})

test('what was overwritten does not come back from what SQLite remembers of a page', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await forgetAll(store)
  // All of the file is in memory when the pass begins, and every page is written once more after it.
  await store.listRecords('person_identity', 'identities', { limit: 1_000 })
  await store.overwriteRemains()
  const rest = ALL.filter((index) => !GONE.includes(index))
  await write(
    store,
    rest.map((index) => name(index, describeName(index, 17))),
  )
  assert.equal(countSecrets(path), 0)
  await store.close()
  assert.equal(countSecrets(path), 0)
})

test('rows that stay are as they were, also those that are written during a pass', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await fillFile(store)
  assert.ok(statSync(path).size > 6_000_000)
  await forgetAll(store)
  const passes = [store.overwriteRemains(), store.overwriteRemains()]
  const late = GONE.slice(0, 20)
  await write(
    store,
    late.map((index) => name(index, `new ${index}`)),
  )
  await Promise.all(passes)
  assert.equal(countSecrets(path), 0)
  const kept = await store.listRecords('person_identity', 'identities', {
    until: String(PERSONS).padStart(6, '0'),
    limit: 1_000,
  })
  assert.equal(kept.length, PERSONS - GONE.length + late.length + 1)
  for (const { key, body } of kept.slice(0, -1)) {
    const index = Number(key)
    const text = late.includes(index) ? `new ${index}` : describeName(index, 18)
    assert.deepEqual(body.identity, { kind: 'name', name: text })
  }
  await store.close()
  assert.equal(readInFile(path, 'PRAGMA integrity_check'), 'ok')
})

test('a pass that a process did not live to make is made when the store is opened', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await forgetAll(store)
  const copy = copyStore(path)
  await store.close()
  assert.ok(countPieces(copy) > 10)
  const next = await openTestStore(copy)
  assert.equal(countSecrets(copy), 0)
  await next.close()
})

test('it is not called gone while another process reads a state from before', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path, { readersMs: 50 })
  await splitPages(store)
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM records').get()
  await forgetAll(store)
  await assert.rejects(store.overwriteRemains(), { code: 'STORE_LOCKED' })
  await write(store, [name(1, 'somebody else')])
  reader.exec('COMMIT')
  await store.overwriteRemains()
  assert.equal(countSecrets(path), 0)
  reader.close()
  await store.close()
})

test('a pass that others wait for, too, is made once', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await forgetAll(store)
  await store.overwriteRemains()
  assert.equal(readInFile(path, "SELECT value FROM meta WHERE key = 'remains'"), 0)
  await write(store, [name(1, SECRET), forget(1)])
  assert.equal(readInFile(path, "SELECT value FROM meta WHERE key = 'remains'"), 1)
  await Promise.all([1, 2, 3].map(() => store.overwriteRemains()))
  assert.equal(readInFile(path, "SELECT value FROM meta WHERE key = 'remains'"), 0)
  await store.close()
})

test('a file whose pages move is not written to beside SQLite', async () => {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await splitPages(store)
  await forgetAll(store)
  const copy = copyStore(path)
  await store.close()
  const database = new DatabaseSync(copy)
  database.exec('PRAGMA auto_vacuum = FULL; VACUUM')
  database.close()
  await assert.rejects(openTestStore(copy), { code: 'STORE_ERROR', message: /auto_vacuum/ })
  assert.equal(readInFile(copy, 'PRAGMA integrity_check'), 'ok')
  const again = new DatabaseSync(copy)
  again.exec('PRAGMA auto_vacuum = NONE; VACUUM')
  again.close()
  await (await openTestStore(copy)).close()
  assert.equal(countSecrets(copy), 0)
})
