/** What `rubicon reset` must not delete, although a mark says that the store was made to be thrown away. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeOwnership } from 'rubicon-runtime/compose'
import { openStore, systemClock } from '../../../runtime/src/compose.ts'
import { exampleRuntime } from '../../../runtime/src/evidence/example.test-support.ts'
import { getSearchPath } from '../http/lookups/lookup-thread.ts'
import { SearchIndex } from '../search/search-index.ts'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import {
  type DisposablePlace,
  deleteDisposable,
  markDisposable,
  readDisposableMark,
  removeDisposableMark,
} from './disposable-store.ts'

async function readCode(argv: readonly string[]): Promise<string> {
  return (await runJson(['reset', '--yes', ...argv])).data.error.code
}

test('keys that another ledger is signed with stay, also below a mark', async () => {
  const { folder } = home()
  const state = ['--state', join(folder, 'state')]
  const demo = ['--store', `sqlite:${join(folder, 'demo.db')}`, ...state]
  const own = ['--store', `sqlite:${join(folder, 'own.db')}`, ...state, '--tenant', 'shop']
  assert.equal((await run(['quickstart', ...demo])).exit, 0)
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...own])).exit, 0)
  assert.equal(await readCode(demo), 'STORE_NOT_DISPOSABLE')
  assert.ok(existsSync(join(folder, 'state', 'keys')))
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...own])).exit, 0)
})

test('a ledger of another tenant in the same file stays, also below a mark', async () => {
  const { folder } = home()
  const store = ['--store', `sqlite:${join(folder, 'demo.db')}`]
  const demo = [...store, '--state', join(folder, 'state')]
  const own = [...store, '--state', join(folder, 'own'), '--tenant', 'shop']
  assert.equal((await run(['quickstart', ...demo])).exit, 0)
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...own])).exit, 0)
  assert.equal(await readCode(demo), 'STORE_NOT_DISPOSABLE')
  assert.equal((await run(['verify', ...own])).exit, 0)
})

test('a store that another verb makes where a mark was left is none to throw away', async () => {
  const { folder, at } = home()
  const state = join(folder, 'state')
  assert.equal(markDisposable({ store: at[1] ?? '', state }, 'demo', 'default'), true)
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...at])).exit, 0)
  assert.equal(await readCode(at), 'STORE_NOT_DISPOSABLE')
  assert.equal((await run(['verify', ...at])).exit, 0)
})

test('nobody opens a store of which a reset has deleted half', () => {
  const { folder } = home()
  const path = join(folder, 'a.db')
  const place: DisposablePlace = { store: `sqlite:${path}`, state: join(folder, 'state') }
  markDisposable(place, 'dev', 'default')
  takeOwnership(path).release()
  mkdirSync(join(place.state, 'keys'))
  let tried = 0
  deleteDisposable(place, (one) => {
    tried += 1
    assert.throws(() => takeOwnership(path), { code: 'STORE_LOCKED' })
    rmSync(one, { recursive: true, force: true })
  })
  assert.ok(tried > 1)
  assert.deepEqual([existsSync(`${path}-owner`), existsSync(place.state)], [false, false])
})

test('what cannot be read is not deleted', async () => {
  const { folder, at } = home()
  const place = { store: at[1] ?? '', state: join(folder, 'state') }
  markDisposable(place, 'dev', 'default')
  writeFileSync(join(folder, 'rubicon.db'), 'a letter that somebody wrote, and no ledger')
  assert.equal(await readCode(at), 'STORE_NOT_DISPOSABLE')
  assert.notEqual(readDisposableMark(place), null)
})

test('a store that is served for good by another way to it is none to throw away', () => {
  const { folder } = home()
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const state = join(folder, 'state')
  const linked = { store: `sqlite:${join(folder, 'link', 'a.db')}`, state }
  assert.equal(markDisposable(linked, 'demo', 'default'), true)
  removeDisposableMark({ store: `sqlite:${join(folder, 'real', 'a.db')}`, state })
  assert.equal(readDisposableMark(linked), null)
  // SQLite makes what a link leads to.
  symlinkSync(join(folder, 'real', 'b.db'), join(folder, 'b.db'))
  const behind = { store: `sqlite:${join(folder, 'b.db')}`, state: join(folder, 'other') }
  assert.equal(markDisposable(behind, 'demo', 'default'), false)
})

test('what a store said is not left in the index beside it, nor in what was typed about it', async () => {
  const { folder, at } = home()
  const place = { store: at[1] ?? '', state: join(folder, 'state') }
  assert.equal(markDisposable(place, 'dev', 'default'), true)
  const example = await exampleRuntime({ store: place.store, stateDirectory: place.state })
  await example.refund('31.41')
  await example.close()
  const store = await openStore(place.store, 'default', undefined, 'read')
  const path = getSearchPath(place.state)
  const index = new SearchIndex({ store, clock: systemClock, path, pause: async () => {} })
  await index.catchUp()
  index.close()
  await store.close()
  // As a process that is killed leaves it.
  writeFileSync(`${path}-wal`, '')
  for (const name of ['shell-history', 'mcp-tokens.json', 'mcp-tokens.json.lock'])
    writeFileSync(join(place.state, name), '')
  assert.equal((await run(['reset', '--yes', ...at])).exit, 0)
  assert.deepEqual(readdirSync(folder), [])
  assert.equal(markDisposable(place, 'dev', 'default'), true, 'and it is begun anew')
})
