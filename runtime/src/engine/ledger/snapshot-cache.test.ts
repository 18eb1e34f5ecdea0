import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowRow, Store, StoredEntry } from '../../ports/store.ts'
import { SnapshotCache } from './snapshot-cache.ts'

type Kind = 'writ' | 'rejection' | 'evidence'

/** A flow whose opening, a refusal and a look again show a snapshot each, and the kinds that are asked for. */
function stage(): { readonly cache: SnapshotCache; readonly asked: unknown[] } {
  const asked: unknown[] = []
  const show = (kind: Kind, holder: object): StoredEntry =>
    ({ envelope: { kind }, payload: JSON.stringify(holder) }) as StoredEntry
  const snapshot = (path: string): object => ({ state: [{ path }], world: [] })
  const entries = [
    show('writ', { flow: { snapshot_id: 'opening', snapshot: snapshot('a') } }),
    show('rejection', { snapshot_id: 'sent back', snapshot: snapshot('b') }),
    show('evidence', { snapshot_id: 'looked again', snapshot: snapshot('c') }),
  ]
  const listFlowEntries: Store['listFlowEntries'] = async (_, kinds) => {
    asked.push(kinds)
    return entries.filter(({ envelope }) => kinds?.includes(envelope.kind) ?? true)
  }
  return { cache: new SnapshotCache({ listFlowEntries } as Store), asked }
}

const flow = (snapshot_id: string): FlowRow => ({ dfid: 'd', snapshot_id }) as FlowRow

test('what is not remembered is read from the entries that can have it, the opening first', async () => {
  for (const [id, path, kinds] of [
    ['opening', 'a', [['writ']]],
    ['looked again', 'c', [['writ'], ['evidence']]],
    ['sent back', 'b', [['writ'], ['evidence'], ['rejection']]],
  ] as const) {
    const { cache, asked } = stage()
    const { state } = await cache.loadShown(flow(id))
    assert.deepEqual([state[0]?.path, asked], [path, kinds], id)
    await cache.loadShown(flow(id))
    assert.equal(asked.length, kinds.length, 'it is remembered')
  }
})

test('what no entry shows any more is nothing', async () => {
  assert.deepEqual(await stage().cache.loadShown(flow('erased')), { state: [], world: [] })
})
