import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import { buildExecutionRow, buildFlowRow, toDfid } from '../../ports/conformance/fixture.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import { joinUnits } from './join-units.ts'

const dfid = toDfid(1)
const note: Write = { kind: 'append', trajectory: MAIN, entry: 'evidence', dfid, payload: '{}' }
const flowAt = (version: number): Write => ({
  kind: 'put_flow',
  flow: { ...buildFlowRow(1), version },
})
const stepAt = (version: number, more: { entry?: number; settles?: boolean } = {}): Write => ({
  kind: 'put_execution',
  execution: buildExecutionRow(1, 'a', { version }),
  ...more,
})
const flowGuard = (version: number): Guard => ({ kind: 'flow_version', dfid, version })

const FIRST: Unit = {
  guards: [flowGuard(3), { kind: 'claim_absent', dfid, step_id: 'a' }],
  writes: [flowAt(4), note, stepAt(1, { entry: 1 }), { kind: 'count', id: 'c', by: 2 }],
}

const after = (guards: readonly Guard[], writes: readonly Write[] = []): Unit | null =>
  joinUnits(FIRST, { guards, writes })

test('of two rows the later stands, and the step keeps the entry that it was dispatched with', () => {
  const joined = after(
    [flowGuard(4), { kind: 'execution_version', dfid, step_id: 'a', version: 1 }],
    [note, stepAt(2, { settles: true }), flowAt(5)],
  )
  assert.deepEqual(joined, {
    guards: FIRST.guards,
    writes: [
      note,
      { kind: 'count', id: 'c', by: 2 },
      note,
      stepAt(2, { settles: true, entry: 0 }),
      flowAt(5),
    ],
  })
})

test('an entry that the second names is found where it then stands', () => {
  const joined = after([], [flowAt(5), note, stepAt(2, { entry: 1 })])
  const named = joined?.writes.findLast((write) => write.kind === 'put_execution')
  assert.deepEqual(named, stepAt(2, { entry: 3 }))
})

test('a guard of the second on a counter counts what the first adds', () => {
  const guard: Guard = { kind: 'counter', id: 'c', by: 5, limit: 6 }
  const other: Guard = { kind: 'counter', id: 'd', by: 5, limit: 6 }
  assert.deepEqual(after([guard, other])?.guards.slice(2), [{ ...guard, by: 7 }, other])
})

test('a guard on something else stays as it is', () => {
  const guards: readonly Guard[] = [
    { kind: 'flow_version', dfid: toDfid(2), version: 1 },
    { kind: 'authority_seq', seq: 7 },
    { kind: 'before', at: '2026-01-01T00:00:00.000Z' },
    { kind: 'lock_held', resource: 'r', holder: 'h' },
    { kind: 'record_version', record: 'timer', group: 'g', key: 'k', version: null },
  ]
  assert.deepEqual(after(guards)?.guards.slice(2), guards)
})

const touching: readonly (readonly [Guard, readonly Write[]])[] = [
  [flowGuard(9), []],
  [{ kind: 'execution_version', dfid, step_id: 'a', version: 9 }, []],
  [{ kind: 'flow_absent', dfid }, []],
  [{ kind: 'claim_absent', dfid, step_id: 'a' }, []],
  [{ kind: 'flow_entries', dfid, trajectory: MAIN, count: 1 }, []],
  [{ kind: 'trajectory_absent', trajectory: MAIN }, []],
  [
    { kind: 'authority_seq', seq: 7 },
    [{ kind: 'append', trajectory: AUTHORITY, entry: 'lifecycle', payload: '{}' }],
  ],
  [
    { kind: 'record_version', record: 'timer', group: 'g', key: 'k', version: null },
    [{ kind: 'drop_record', record: 'timer', group: 'g', key: 'k' }],
  ],
  [
    { kind: 'lock_held', resource: 'r', holder: 'h' },
    [{ kind: 'drop_record', record: 'lock', group: 'r', key: 'h' }],
  ],
]

for (const [guard, writes] of touching)
  test(`what only the store could judge keeps them two: ${guard.kind}`, () => {
    const first = { ...FIRST, writes: [...FIRST.writes, ...writes] }
    assert.equal(joinUnits(first, { guards: [guard], writes: [] }), null)
  })
