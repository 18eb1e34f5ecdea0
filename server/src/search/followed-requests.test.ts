/** Requests in the index whose entries do not say all: one that goes on to a person, one that is closed behind its flow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../runtime/src/compose.ts'
import {
  ANN,
  decisionFor,
  desk,
} from '../../../runtime/src/engine/approve/escalation.test-support.ts'
import type { EscalationView } from '../../../runtime/src/engine/approve/list.ts'
import { CONTRACT } from '../../../runtime/src/evidence/example.test-support.ts'
import { type IndexParts, SearchIndex } from './search-index.ts'

const LEAD = 'lead_bot'
const LEAD_CONTRACT = {
  ...CONTRACT,
  agent_id: LEAD,
  owner: 'lou@example.com',
  mission: 'Decide what the refunds bot asks.',
  permissions: {
    policy_kinds: ['REFUND', 'RESOLVE_ESCALATION'],
    limits: [{ id: 'own', kind: 'range', measure: 'amount', max: '700.00' }],
  },
}

test('a request that goes on from an agent to a person keeps what it is about', async () => {
  const stage = await desk({ contract: { parent_agent: LEAD } })
  await stage.runtime().deploy(LEAD_CONTRACT)
  let decided: Promise<unknown> = Promise.resolve()
  stage.runtime().on(LEAD, (flow) => {
    const { value } = flow.context.state[0] ?? assert.fail('the lead is shown the request')
    const { request } = value as unknown as Pick<EscalationView, 'request'>
    // It may not do so much itself: a person is asked.
    decided = flow.resolveEscalation(request.id, decisionFor(stage, request, {}))
    return decided
  })
  const { flow } = await stage.ask('800.00')
  await decided
  const { request } = await stage.waiting()
  assert.equal(request.channel, 'operator')
  const index = new SearchIndex({
    store: stage.runtime().store,
    clock: systemClock,
    path: null,
    pause: async () => {},
  })
  let indexed = await index.catchUp()
  while (indexed.leaf < indexed.size) indexed = await index.catchUp()
  const about = 'kind, object, measure, amount'
  const [asked] = index.database.prepare(`SELECT ${about} FROM escalation`).all()
  assert.equal(asked?.kind, 'REFUND')
  assert.match(String(asked?.object), /800\.00/)
  const shown = index.database.prepare(`SELECT ${about}, outcome FROM flow WHERE dfid = ?`)
  assert.deepEqual({ ...shown.get(flow.dfid) }, { ...asked, outcome: 'escalated' })
  index.close()
  await stage.close()
})

test('a request that is closed a moment after its flow, by no entry, is read again until it is', async () => {
  const stage = await desk()
  await stage.ask('800.00')
  const { request } = await stage.waiting()
  const { store } = stage.runtime()
  const open = await store.readRecord('escalation', 'open', request.id)
  let isLate = true
  const late = new Proxy(store, {
    get(target, name) {
      if (name === 'readRecord' && isLate)
        return async (_record: string, group: string) => (group === 'open' ? open : null)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const index = new SearchIndex({
    store: late,
    clock: systemClock,
    path: null,
    pause: async () => {},
  })
  const readState = (): unknown =>
    index.database.prepare('SELECT state FROM escalation WHERE id = ?').get(request.id)?.state
  await stage.decide({ decision: 'ABORT' }, ANN)
  let indexed = await index.catchUp()
  while (indexed.leaf < indexed.size) indexed = await index.catchUp()
  assert.equal(readState(), 'open')
  isLate = false
  const again = await index.catchUp()
  assert.deepEqual([again.leaf, readState()], [indexed.leaf, 'closed'])
  index.close()
  await stage.close()
})

/** A store in which requests of flows that have ended stay as they were, or cannot be read. */
function keepAsked(
  store: IndexParts['store'],
  readKept: (id: string) => unknown,
): IndexParts['store'] {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name !== 'readRecord') return member.bind(target)
      return async (record: string, group: string, id: string): Promise<unknown> => {
        const kept = record === 'escalation' ? readKept(id) : null
        if (kept === null) return member.call(target, record, group, id)
        return group === 'open' ? kept : null
      }
    },
  })
}

async function follow(index: SearchIndex): Promise<void> {
  let indexed = await index.catchUp()
  while (indexed.leaf < indexed.size) indexed = await index.catchUp()
}

test('requests that stay open though their flows have ended hold up none of the others', async () => {
  const stage = await desk()
  const { store } = stage.runtime()
  const ids: string[] = []
  const open = new Map<string, unknown>()
  for (let i = 0; i < 18; i++) {
    // An agent that asks more often is stopped.
    await stage.clock.advance(1_300_000)
    const { flow } = await stage.ask('800.00')
    const id = `${flow.dfid}:1`
    ids.push(id)
    open.set(id, await store.readRecord('escalation', 'open', id))
    await stage.decide({ decision: 'ABORT' }, ANN, id)
  }
  const last = ids.at(-1) ?? ''
  const parts = { clock: systemClock, path: null, pause: async () => {} }
  const kept = keepAsked(store, (id) => open.get(id) ?? null)
  const index = new SearchIndex({ ...parts, store: kept })
  await follow(index)
  const readState = (): unknown =>
    index.database.prepare('SELECT state FROM escalation WHERE id = ?').get(last)?.state
  assert.equal(readState(), 'open')
  open.delete(last)
  await index.catchUp()
  await index.catchUp()
  assert.equal(readState(), 'closed')
  index.close()
  await stage.close()
})

test('a request of an ended flow that cannot be read stops no index', async () => {
  const stage = await desk()
  const { store } = stage.runtime()
  const { flow } = await stage.ask('800.00')
  const id = `${flow.dfid}:1`
  const open = await store.readRecord('escalation', 'open', id)
  let isDamaged = false
  const kept = keepAsked(store, (one) => {
    if (isDamaged && one === id) throw new Error('its row is damaged')
    return one === id ? open : null
  })
  const index = new SearchIndex({
    store: kept,
    clock: systemClock,
    path: null,
    pause: async () => {},
  })
  await stage.decide({ decision: 'ABORT' }, ANN, id)
  await follow(index)
  isDamaged = true
  await stage.ask('20.00')
  const { leaf, size, problem } = await index.catchUp()
  assert.deepEqual([leaf, problem], [size, null])
  index.close()
  await stage.close()
})
