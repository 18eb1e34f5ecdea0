/** `rubicon erase` where no server runs: the index that one left behind has nothing of the flow either. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, systemClock } from '../../../runtime/src/compose.ts'
import { exampleRuntime } from '../../../runtime/src/evidence/example.test-support.ts'
import { getSearchPath } from '../http/lookups/lookup-thread.ts'
import { SearchIndex } from '../search/search-index.ts'
import { home, run, runJson } from './cli.test-support.ts'

const AMOUNT = '31.41'

function hasAmount(folder: string): boolean {
  return readdirSync(folder)
    .filter((name) => name.startsWith('search.db'))
    .some((name) => readFileSync(join(folder, name)).includes(AMOUNT))
}

test('an erasure without a server leaves nothing in the index of the last one', async () => {
  const { folder, at } = home()
  const address = `sqlite:${join(folder, 'rubicon.db')}`
  const stateDirectory = join(folder, 'state')
  const example = await exampleRuntime({ store: address, stateDirectory })
  await example.refund(AMOUNT)
  await example.close()
  const store = await openStore(address, 'default', undefined, 'read')
  const pause = async (): Promise<void> => {}
  const parts = { store, clock: systemClock, path: getSearchPath(stateDirectory), pause }
  const index = new SearchIndex(parts)
  await index.catchUp()
  index.close()
  await store.close()
  assert.ok(hasAmount(stateDirectory))
  const { data } = await runJson(['flows', 'list', ...at])
  const [{ dfid }] = data.flows
  const erased = await run(['erase', dfid, '--reason', 'asked to', '--yes', ...at])
  assert.equal(erased.exit, 0, erased.stdout + erased.stderr)
  assert.ok(!hasAmount(stateDirectory))
})
