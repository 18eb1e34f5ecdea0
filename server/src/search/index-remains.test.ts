import assert from 'node:assert/strict'
import { closeSync, cpSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Runtime } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { forgetFlowRows } from './forget-flow.ts'
import { act, find, follow, hasWords, openIndex, refunds, SECRET } from './indexed.test-support.ts'

const FLOWS = 40

/** Enough that pages of every tree are split. */
async function playMany(runtime: Runtime): Promise<readonly string[]> {
  const dfids: string[] = []
  for (let i = 0; i < FLOWS; i++) dfids.push(await act(runtime, `${SECRET}-${i}`, '20.00'))
  return dfids
}

async function erase(runtime: Runtime, dfid: string): Promise<void> {
  const erased = await runtime.engine.oversight.erase({ dfid, reason: 'asked to' })
  assert.ok(erased.ok, JSON.stringify(erased))
}

test('R1: a process that ended between forgetting and overwriting leaves it to the next', async (t) => {
  const runtime = await refunds(t)
  const dfids = await playMany(runtime)
  const folder = temporaryFolder()
  const path = join(folder, 'search.db')
  const first = openIndex(runtime, path)
  await follow(first)
  first.close()
  const killed = openIndex(runtime, path)
  for (const dfid of dfids) await erase(runtime, dfid)
  // What a crash leaves: the rows are gone, and their pieces are not.
  for (const dfid of dfids) forgetFlowRows(killed.database, dfid)
  const left = temporaryFolder()
  cpSync(folder, left, { recursive: true })
  killed.close()
  assert.ok(hasWords(left))
  const next = openIndex(runtime, join(left, 'search.db'))
  assert.notEqual(next.database.prepare('SELECT leaf FROM place').get()?.leaf, 0)
  await follow(next)
  assert.ok(!hasWords(left))
  next.close()
})

test('R1: an erasure that the index met before it was told is overwritten all the same', async (t) => {
  const runtime = await refunds(t)
  const [dfid = '', ...others] = await playMany(runtime)
  const folder = temporaryFolder()
  const index = openIndex(runtime, join(folder, 'search.db'))
  await follow(index)
  await erase(runtime, dfid)
  forgetFlowRows(index.database, dfid)
  await index.forgetFlow(dfid)
  assert.ok(!hasWords(folder, `${SECRET}-0\n`))
  assert.equal(find(index, { words: `${SECRET}-1` }).length, 11)
  for (const other of others) {
    await erase(runtime, other)
    await index.forgetFlow(other)
  }
  assert.ok(!hasWords(folder))
  index.close()
})

test('R2: what SQLite remembers of a page does not bring a piece back', async (t) => {
  const runtime = await refunds(t)
  const dfids = await playMany(runtime)
  const folder = temporaryFolder()
  const index = openIndex(runtime, join(folder, 'search.db'))
  await follow(index)
  for (const dfid of dfids) {
    await erase(runtime, dfid)
    await index.forgetFlow(dfid)
  }
  // Every page that is remembered is written once more.
  for (const dfid of dfids) await index.forgetFlow(dfid)
  for (let i = 0; i < FLOWS; i++) await act(runtime, `another-${i}`, '20.00')
  await follow(index)
  index.close()
  assert.ok(!hasWords(folder))
})

test('nothing that trigrams say of a forgotten flow is left', async (t) => {
  const runtime = await refunds(t)
  const dfid = await act(runtime, 'zyzzyx-qqq', '20.00')
  await act(runtime, 'o_1', '20.00')
  const met = openIndex(runtime)
  await follow(met)
  await erase(runtime, dfid)
  await met.forgetFlow(dfid)
  await follow(met)
  const made = openIndex(runtime)
  await follow(made)
  const listTrigrams = ({ database }: typeof met): unknown => {
    database.exec("CREATE VIRTUAL TABLE temp.trigrams USING fts5vocab ('main', 'words', 'row')")
    return database.prepare('SELECT * FROM trigrams').all()
  }
  assert.deepEqual(listTrigrams(met), listTrigrams(made))
  assert.deepEqual(find(met, { words: 'zyz' }), [])
})

test('a file that cannot be overwritten is begun again by who reads on', async (t) => {
  const runtime = await refunds(t)
  const dfids = await playMany(runtime)
  const folder = temporaryFolder()
  const path = join(folder, 'search.db')
  const first = openIndex(runtime, path)
  await follow(first)
  // A tree that nobody looks into.
  const root = "SELECT rootpage FROM sqlite_master WHERE name = 'flow_parent'"
  const page = Number(first.database.prepare(root).get()?.rootpage)
  first.close()
  for (const dfid of dfids) await erase(runtime, dfid)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from([0, 1]), 0, 2, (page - 1) * 4096 + 5)
  closeSync(file)
  const next = openIndex(runtime, path)
  assert.equal((await follow(next)).problem, null)
  assert.ok(!hasWords(folder))
  assert.equal(next.database.prepare('SELECT owed FROM place').get()?.owed, 0)
  next.close()
})
