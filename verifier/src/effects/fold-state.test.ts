import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPayload, SignedIntent } from 'rubicon-kernel'
import type { AuthorityState } from '../authority/authority-state.ts'
import { createKept } from '../compact-records/parts.ts'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { createFoldState } from './fold-state.ts'

const AT = '2026-06-01T12:00:00.000Z'

test('of a flow whose contract is not there, or cannot be read, nobody knows the rank', () => {
  const readable = { isReadable: true, contract: { agent_id: 'bot', priority: 1, role: 'MONITOR' } }
  const second = (deployed: object | undefined): readonly string[] => {
    const flows = { get: () => ({ agent: 'bot', contract: 'sha256:0' }) }
    const authority = { whole: true, flows, contracts: { get: () => deployed } }
    const state = authority as unknown as AuthorityState
    const { events } = createFoldState(nodeCrypto.sha256, state, createKept())
    events.foldRules([{ topic: 'market', arbitration: { exclusive: 'event', window_ms: 5 } }])
    const woken = ['a', 'b'].map((dfid) => ({ agent: dfid, dfid }))
    const event = { event_id: 'e', topic: 'market', observations: [], woken }
    assert.deepEqual(events.foldEvent(event as unknown as EventPayload, AT), [])
    const begin = (dfid: string): readonly string[] => {
      const intent = { dfid, policy_kind: 'BUY', resources: [] }
      return events.foldIntent(intent as unknown as SignedIntent, AT)
    }
    assert.deepEqual(begin('a'), [])
    return begin('b')
  }
  assert.deepEqual(second(readable), ['another of its event was dispatched before'])
  assert.deepEqual(second({ ...readable, isReadable: false }), [])
  assert.deepEqual(second(undefined), [])
})
