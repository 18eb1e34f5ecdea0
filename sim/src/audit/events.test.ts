import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, JsonObject } from 'rubicon-kernel'
import { AuditedEvents } from './events.ts'
import type { Line } from './report.ts'

const RANKS: Readonly<Record<string, readonly [number, string]>> = {
  risk: [50, 'MONITOR'],
  strategy: [50, 'STRATEGIST'],
  clerk: [90, 'EXECUTOR'],
}

const toLine = (kind: string, payload: JsonObject, dfid = ''): Line => {
  const place = { id: '', leaf: 0, trajectory: 'main', seq: 1, at: '', authoritySeq: undefined }
  return { ...place, kind, dfid, payload }
}

/** What is found of the event that all three were woken by. */
function watch(): {
  readonly events: AuditedEvents
  readonly found: string[]
  begin(dfid: string, kind?: string, more?: JsonObject): void
  lose(dfid: string, details: JsonObject): void
} {
  const found: string[] = []
  const events = new AuditedEvents(
    (_, detail) => void found.push(detail),
    (agent_id) => {
      const [priority, role] = RANKS[agent_id] ?? [0, '']
      const ranked: Partial<Contract> = { agent_id, priority, role: role as Contract['role'] }
      return ranked as Contract
    },
  )
  const rules = { body: { rules: { topics: [{ topic: 't', arbitration: {} }] } } }
  events.add(toLine('policy', rules))
  const woken = Object.keys(RANKS).map((agent) => ({ agent, dfid: agent }))
  assert.equal(events.add(toLine('event', { event_id: 'e', topic: 't', woken })).length, 3)
  for (const dfid of Object.keys(RANKS))
    events.add(toLine('writ', { flow: { dfid, event_id: 'e', contract: { hash: dfid } } }))
  return {
    events,
    found,
    begin(dfid, policy_kind = 'BUY', more = {}) {
      const named = { intent_id: `${dfid} ${policy_kind}`, resources: [] }
      const intent = { dfid, policy_kind, ...named, ...more }
      events.add(toLine('dispatch', { intent }, dfid))
    },
    lose(dfid, details) {
      const payload = { reason_code: 'PREEMPTED', details, proposal: { policy_kind: 'BUY' } }
      events.add(toLine('rejection', payload, dfid))
    },
  }
}

test('the order of agents is kept, and one of them is carried out', () => {
  const { begin, lose, found } = watch()
  begin('strategy')
  lose('clerk', { winner: 'strategy', bid_at: '' })
  begin('strategy', 'SELL')
  begin('clerk', 'ESCALATE')
  assert.deepEqual(found, [])
  lose('risk', { winner: 'strategy', bid_at: '' })
  lose('risk', { winner: 'clerk' })
  begin('clerk')
  assert.deepEqual(found, [
    'main/1: it lost to one that is behind it',
    'main/1: it lost to nobody',
    'main/1: strategy was carried out before it',
  ])
})

test('who is approved may be behind, and nothing is begun after a HALT', () => {
  const { begin, lose, found, events } = watch()
  begin('clerk', 'BUY', { approval: { approver: 'ann@example.com' } })
  lose('risk', { winner: 'clerk', bid_at: '' })
  begin('risk', 'HALT')
  assert.deepEqual(found, [])
  events.add(toLine('commit', { intent_id: 'risk HALT' }, 'risk'))
  begin('clerk')
  assert.deepEqual(found, ['main/1: its event was halted'])
})

test('who was approved by an agent may not be behind', () => {
  const { begin, lose, found } = watch()
  begin('clerk', 'BUY', { approval: { approver: 'agent:lead' } })
  lose('risk', { winner: 'clerk', bid_at: '' })
  assert.deepEqual(found, ['main/1: it lost to one that is behind it'])
})

test('nothing is sent again after a HALT', () => {
  const { begin, found, events } = watch()
  begin('clerk')
  begin('risk', 'HALT')
  const again = toLine('resend', { body: { intent_id: 'clerk BUY' } }, 'clerk')
  events.add(again)
  assert.deepEqual(found, [])
  events.add(toLine('commit', { intent_id: 'risk HALT' }, 'risk'))
  events.add(toLine('resend', { body: { intent_id: 'risk HALT' } }, 'risk'))
  assert.deepEqual(found, [])
  events.add(again)
  assert.deepEqual(found, ['main/1: it was sent again after its event was halted'])
})

test('what is opened below a flow of an event is of that event', () => {
  const { events, begin, found } = watch()
  const open = (dfid: string, flow: JsonObject): void => {
    events.add(toLine('writ', { flow: { dfid, contract: { hash: 'clerk' }, ...flow } }))
  }
  open('plain', {})
  open('below', { parent_dfid: 'plain' })
  open('hand', { parent_dfid: 'clerk', event_id: 'e' })
  open('finger', { parent_dfid: 'hand', event_id: 'e' })
  begin('below')
  begin('finger')
  assert.deepEqual(found, [])
  begin('clerk')
  open('hidden', { parent_dfid: 'hand' })
  open('foreign', { parent_dfid: 'hand', event_id: 'f' })
  open('boasting', { parent_dfid: 'plain', event_id: 'e' })
  begin('hidden')
  assert.deepEqual(found, [
    'main/1: finger was carried out before it',
    'main/1: it is of another event',
    'main/1: it is of another event',
    'main/1: it is of another event',
    'main/1: finger was carried out before it',
  ])
})

test('at the end nobody waits', () => {
  const { events, found } = watch()
  events.finish(new Map([['a', { state: 'ACTIVE' }]]))
  assert.deepEqual(found, [])
  events.finish(new Map([['b', { state: 'VALIDATING' }]]))
  assert.deepEqual(found, ['b still waits for the others'])
})
