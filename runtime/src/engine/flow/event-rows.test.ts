import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../ports/store.ts'
import { CLOSED_EVENTS, findEvent, OPEN_EVENTS } from './event-rows.ts'

type ReadRecord = Store['readRecord']

const EVENT = { group: OPEN_EVENTS, key: 'e', version: 7, body: {} }

/** A store in which the event moves from the one group to the other after the first read. */
function buildMovingStore(from: string, to: string): Pick<Store, 'readRecord'> {
  let at = from
  const readRecord = async (_: string, group: string): Promise<unknown> => {
    const found = group === at ? { ...EVENT, group } : null
    at = to
    return found
  }
  return { readRecord: readRecord as ReadRecord }
}

test('an event that is opened again while somebody looks for it is found', async () => {
  const found = await findEvent(buildMovingStore(CLOSED_EVENTS, OPEN_EVENTS), 'e')
  assert.equal(found?.group, OPEN_EVENTS)
})

test('an event that is closed while somebody looks for it is found as it was', async () => {
  const found = await findEvent(buildMovingStore(OPEN_EVENTS, CLOSED_EVENTS), 'e')
  assert.equal(found?.group, OPEN_EVENTS)
})

test('an event that nobody keeps is not found', async () => {
  assert.equal(await findEvent(buildMovingStore('elsewhere', 'elsewhere'), 'e'), null)
})
