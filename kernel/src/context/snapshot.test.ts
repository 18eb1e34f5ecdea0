import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGENT, DFID, sha256, withCase } from '../compile/case.test-support.ts'
import { decision, note, piece } from './context.test-support.ts'
import { toMemoryRef } from './remembered.ts'
import { CONTEXT_SCHEMA, type Snapshot, sealSnapshot } from './snapshot.ts'

const { state, world } = withCase({}).facts.value
const snapshot: Snapshot = {
  dfid: DFID,
  agent_id: AGENT,
  schema_version: CONTEXT_SCHEMA,
  trigger: 'price moved',
  contract_hash: 'sha256:c',
  mission_context_hash: 'sha256:m',
  policy_kinds: ['BUY'],
  state,
  world,
}

const snapshotId = (sealed: Snapshot): string => sealSnapshot(sealed, sha256).address

test('the id of a snapshot covers every part of it', () => {
  const id = snapshotId(snapshot)
  assert.equal(snapshotId({ ...snapshot }), id)
  const others: readonly Partial<Snapshot>[] = [
    { dfid: '0195555c-0000-7000-8000-000000000002' },
    { agent_id: 'somebody_else' },
    { trigger: 'a timer' },
    { contract_hash: 'sha256:d' },
    { mission_context_hash: 'sha256:n' },
    { policy_kinds: [] },
    { state: state.slice(1) },
    { world: [] },
    { session: [note('1', 9).body] },
    { memory: [toMemoryRef(decision('1', 9).body, sha256)] },
    { artifacts: [piece('rulebook', 0)] },
    { budget: { tokens: 1, used: 1 } },
    { trimmed: { session: 1 } },
  ]
  for (const other of others) assert.notEqual(snapshotId({ ...snapshot, ...other }), id)
})
