import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import {
  deleteDisposable,
  markDisposable,
  readDisposableMark,
  removeDisposableMark,
} from './disposable-store.ts'

test('a store of the quickstart is shown, asked about and deleted, and nothing beside it', async () => {
  const { folder } = home()
  const at = ['--store', `sqlite:${join(folder, 'q.db')}`, '--state', join(folder, 'state')]
  assert.equal((await run(['quickstart', ...at])).exit, 0)
  writeFileSync(join(folder, 'state', 'mine.txt'), 'mine')
  const asked = await run(['reset', ...at])
  assert.equal(asked.exit, 2)
  assert.match(asked.stderr, /needs a confirmation.*\n.*deletes the ledger/)
  assert.match(asked.stdout, /made by {2}`rubicon quickstart`/)
  const declined = await run(['reset', ...at], 'no')
  assert.deepEqual([declined.exit, existsSync(join(folder, 'q.db'))], [3, true])
  assert.equal((await run(['reset', ...at], 'reset')).exit, 0)
  assert.deepEqual(readdirSync(folder), ['state'])
  assert.deepEqual(readdirSync(join(folder, 'state')), ['mine.txt'])
})

test('a store without a mark is never deleted, also with --yes, nor with the mark of another', async () => {
  const { folder, at } = home()
  await run(['contract', 'deploy', EXAMPLE, ...at])
  const code = async (): Promise<string> =>
    (await runJson(['reset', '--yes', ...at])).data.error.code
  assert.equal(await code(), 'STORE_NOT_DISPOSABLE')
  const state = join(folder, 'state')
  const mark = { made_by: 'dev', store: join(folder, 'other.db'), at: '2026-01-01T00:00:00.000Z' }
  for (const text of [JSON.stringify(mark), '{"made_by":"up"}', 'x']) {
    writeFileSync(join(state, 'disposable.json'), text)
    assert.equal(await code(), 'STORE_NOT_DISPOSABLE')
  }
  assert.throws(() => deleteDisposable({ store: at[1] ?? '', state }))
  assert.equal((await run(['verify', ...at])).exit, 0)
  const both = await runJson(['reset', '--dev', ...at])
  assert.equal(both.data.error.code, 'USAGE')
  const elsewhere = await runJson(['reset', '--store', 'postgres://localhost/a', '--yes'])
  assert.equal(elsewhere.data.error.code, 'USAGE')
})

test('a mark is written where there was nothing, and ends when the store is served for good', () => {
  const { folder } = home()
  const place = { store: `sqlite:${join(folder, 'a.db')}`, state: join(folder, 'state') }
  assert.equal(markDisposable(place, 'demo', 'default'), true)
  assert.equal(readDisposableMark(place)?.made_by, 'demo')
  assert.equal(markDisposable(place, 'dev', 'default'), false, 'something is there')
  removeDisposableMark({ ...place, store: `sqlite:${join(folder, 'b.db')}` })
  assert.notEqual(readDisposableMark(place), null, 'of another store')
  removeDisposableMark(place)
  assert.equal(readDisposableMark(place), null)
  mkdirSync(join(folder, 'used'))
  writeFileSync(join(folder, 'used', 'letter.txt'), 'mine')
  assert.equal(markDisposable({ ...place, state: join(folder, 'used') }, 'dev', 'default'), false)
  writeFileSync(join(folder, 'c.db'), '')
  const there = { store: `sqlite:${join(folder, 'c.db')}`, state: join(folder, 'none') }
  assert.equal(markDisposable(there, 'dev', 'default'), false)
  assert.equal(existsSync(there.state), false)
})

test('a quickstart without a store has its mark beside its keys', async () => {
  const { data } = await runJson(['quickstart'])
  const state = join(dirname(data.store.slice('sqlite:'.length)), 'state')
  const mark = JSON.parse(readFileSync(join(state, 'disposable.json'), 'utf8'))
  assert.deepEqual([mark.made_by, `sqlite:${mark.store}`], ['quickstart', data.store])
})
