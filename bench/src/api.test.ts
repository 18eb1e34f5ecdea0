import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from '../../runtime/src/compose.ts'
import { runApiBench } from './api.ts'
import { runFillBench } from './fill.ts'
import { runListsBench } from './lists.ts'

const note = (): void => {}

function placeFor(t: TestContext): { readonly store: string; readonly state: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-bench-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { store: `sqlite:${join(folder, 'a.db')}`, state: join(folder, 'state') }
}

test('a filled store has flows of every kind, over a month, and requests that wait', async (t) => {
  const place = placeFor(t)
  const { flows, entries, waiting } = await runFillBench({ ...place, flows: 150, seed: 7, note })
  assert.ok(flows >= 150 && entries > flows && waiting > 0)
  const store = await openStore(place.store, 'default', undefined, 'read')
  t.after(() => store.close())
  const all = await store.listFlows({ limit: 1_000 })
  assert.equal(all.length, flows)
  const states = new Set(all.map(({ state }) => state))
  assert.deepEqual([...states].sort(), ['ABORTED', 'ACTIVE', 'CLOSED', 'ESCALATED'])
  assert.ok(all.some(({ parent_dfid }) => parent_dfid !== null))
  const days = new Set(all.map(({ opened_at }) => opened_at.slice(0, 10)))
  assert.ok(days.size >= 15, `${days.size} days`)
  const { lists } = await runListsBench({ ...place, note })
  const first = lists.find(({ path }) => path === '/v1/flows?limit=1000')
  assert.equal(first?.rows, flows)
})

test('under load nobody is refused, and who hangs up and comes back misses nothing', async () => {
  const { requests, errors, ms_of, events } = await runApiBench({
    seconds: 2,
    perSecond: 60,
    ears: 8,
    flows: 60,
    seed: 7,
    note,
  })
  assert.equal(requests, 120)
  assert.deepEqual(errors, {})
  assert.equal(ms_of.proposal?.requests, 12)
  const { written, received, lost, doubled, reconnects } = events
  assert.deepEqual([lost, doubled], [0, 0])
  assert.ok(written > 0 && reconnects > 0)
  assert.equal(received, 8 * written)
})
