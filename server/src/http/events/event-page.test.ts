import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptEveryEvent, createEventFilter } from './event-filter.ts'
import { EventPage } from './event-page.ts'
import type { EventView, LedgerEvent } from './event-view.ts'

function event(leaf: number, agent_id: string): LedgerEvent {
  const place = {
    leaf,
    trajectory: 'main',
    seq: leaf,
    id: `id_${leaf}`,
    at: '2026-01-01T00:00:00Z',
  }
  const view: EventView = { ...place, kind: 'commit', dfid: `f_${leaf}`, agent_id, code: null }
  return { view, text: `${leaf};` }
}

const page = new EventPage([event(0, 'a'), event(1, 'b'), event(2, 'a')])
const person = { kind: 'person', name: 'jane', roles: ['auditor'] } as const

test('whoever asks for nothing in particular is sent everything, in order', () => {
  assert.equal(createEventFilter(person, {}), acceptEveryEvent)
  assert.equal(page.getTextFor(acceptEveryEvent), '0;1;2;')
  assert.equal(page.getTextFor(acceptEveryEvent), '0;1;2;')
})

test('an agent is never sent everything, and a filter holds behind somebody who has none', () => {
  const agent = { kind: 'agent', agent_id: 'a' } as Parameters<typeof createEventFilter>[0]
  assert.notEqual(createEventFilter(agent, {}), acceptEveryEvent)
  assert.equal(page.getTextFor(createEventFilter(agent, {})), '0;2;')
  assert.equal(page.getTextFor(createEventFilter(person, { agent: 'b' })), '1;')
  assert.equal(page.getTextFor(createEventFilter(person, { kind: 'rejection' })), '')
})
