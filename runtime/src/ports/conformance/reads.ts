import { deepEqual, equal } from 'node:assert/strict'
import { AUTHORITY, FLOW_STATES, type FlowTag, MAIN } from 'rubicon-kernel'
import type { ExecutionFilter, ExecutionRow, FlowFilter, FlowRow, Write } from '../store.ts'
import {
  begin,
  buildExecutionRow,
  buildFlowRow,
  buildNote,
  commit,
  putExecution,
  putFlow,
  type RegisterCheck,
  START,
  toDfid,
} from './fixture.ts'

const listDfids = (flows: readonly Pick<FlowRow, 'dfid'>[]) => flows.map(({ dfid }) => dfid)
const listSteps = (rows: readonly ExecutionRow[]) =>
  rows.map(({ dfid, step_id }) => [dfid, step_id])

function buildTimer(group: string, key: string): Write {
  const timer = { name: key, at: '2026-02-01T00:00:00.000Z', agent_id: 'a', trigger: 't' }
  const body = { ...timer, state: [], steps: 'one', every_ms: null } as const
  return { kind: 'put_record', record: 'timer', group, key, body }
}

export function readTests(check: RegisterCheck): void {
  check('a decision is read in one go', async ({ store, clock }) => {
    await begin(store)
    await commit(store, [
      buildNote(AUTHORITY, 1),
      putFlow(1),
      { kind: 'count', id: 'n1/calls', by: 4 },
    ])
    clock.set(START + 7)
    const listCounterIds = (flow: FlowRow) =>
      flow.writs.flatMap(({ nonce }) => [`${nonce}/calls`, 'x'])
    deepEqual(await store.readDecision(toDfid(1), 'a', listCounterIds), {
      now: '2026-01-31T09:30:00.007Z',
      authority_seq: 1,
      flow: buildFlowRow(1),
      claim: null,
      counters: { 'n1/calls': 4, x: 0 },
    })
    await commit(store, [putExecution(1, 'a')])
    const view = await store.readDecision(toDfid(1), 'a', () => [])
    deepEqual(view?.claim, buildExecutionRow(1, 'a'))
    deepEqual(view?.counters, {})
    equal(await store.readDecision(toDfid(9), 'a', () => []), null)
    equal(await store.readFlow(toDfid(9)), null)
  })

  check('flows whose writ has ended are listed by that end, in pages', async ({ store }) => {
    const toInstant = (n: number) => `2026-02-0${n}T00:00:00.000Z`
    const put = (n: number, day: number, change: Partial<FlowRow> = {}) =>
      commit(store, [putFlow(n, { expires_at: toInstant(day), ...change })])
    await put(1, 3)
    await put(2, 2)
    await put(3, 2)
    await put(4, 4)
    await put(5, 1, { state: 'ESCALATED' })
    await put(6, 1, { state: 'CLOSED' })
    const list = (more: object) =>
      store.listExpiredFlows({ until: toInstant(3), limit: 10, ...more })
    deepEqual(listDfids(await list({})), [2, 3, 1].map(toDfid))
    deepEqual(listDfids(await list({ limit: 1 })), [toDfid(2)])
    deepEqual(
      listDfids(await list({ beyond: buildFlowRow(2, { expires_at: toInstant(2) }) })),
      [3, 1].map(toDfid),
    )
    deepEqual(listDfids(await list({ until: '2026-02-02T23:59:59.999Z' })), [2, 3].map(toDfid))
  })

  check('flows are listed newest first, filtered, in pages', async ({ store }) => {
    for (let n = 0; n < 12; n += 1) {
      const state = n % 3 === 0 ? 'CLOSED' : n % 3 === 1 ? 'ACTIVE' : 'ESCALATED'
      const parent_dfid = n % 4 === 0 ? null : toDfid(n - (n % 4))
      await commit(store, [putFlow(n, { state, agent_id: `agent-${n % 2}`, parent_dfid })])
    }
    const list = async (filter: Partial<Parameters<typeof store.listFlows>[0]>) =>
      listDfids(await store.listFlows({ limit: 100, ...filter }))
    const toDfids = (...numbers: number[]) => numbers.map(toDfid)
    deepEqual(await list({ limit: 3 }), toDfids(11, 10, 9))
    deepEqual(await list({ limit: 3, before: toDfid(9) }), toDfids(8, 7, 6))
    deepEqual(await list({ state: ['CLOSED'] }), toDfids(9, 6, 3, 0))
    deepEqual(await list({ state: ['ACTIVE'] }), toDfids(10, 7, 4, 1))
    deepEqual(await list({ state: ['ACTIVE', 'CLOSED'], limit: 3 }), toDfids(10, 9, 7))
    deepEqual(await list({ state: [] }), [])
    deepEqual(await list({ agent_id: 'agent-1', before: toDfid(6) }), toDfids(5, 3, 1))
    deepEqual(await list({ parent_dfid: toDfid(4) }), toDfids(7, 6, 5))
    deepEqual(await list({ parent_dfid: toDfid(4), state: ['ESCALATED'] }), toDfids(5))
    deepEqual(await list({ before: toDfid(0) }), [])
    deepEqual(await list({ from: toDfid(9) }), toDfids(11, 10, 9))
    deepEqual(await list({ from: toDfid(5), before: toDfid(8) }), toDfids(7, 6, 5))
    deepEqual(await list({ from: toDfid(12) }), [])
    const state = ['ACTIVE', 'CLOSED'] as const
    const [first, ...others] = await store.listFlowSummaries({ state, limit: 3 })
    deepEqual(listDfids(others), toDfids(9, 7))
    const { dfid, agent_id, trigger, parent_dfid, root_dfid, trajectory, ...rest } = buildFlowRow(
      10,
      {
        state: 'ACTIVE',
        agent_id: 'agent-0',
        parent_dfid: toDfid(8),
      },
    )
    const { tags, steps, rejections, attempts, opened_at, updated_at } = rest
    deepEqual(first, {
      ...{ dfid, agent_id, trigger, parent_dfid, root_dfid, trajectory, state: rest.state },
      ...{ tags, steps, rejections, attempts, opened_at, updated_at },
    })
  })

  check(
    'lists over what is open, done and failed are one list, in one order',
    async ({ store }) => {
      const states = ['CLOSED', 'ABORTED', 'ACTIVE', 'ABORTED', 'ESCALATED', 'CLOSED'] as const
      const ends = [
        'SUCCESS',
        'FAILED',
        'UNKNOWN',
        'ABANDONED',
        'MANUAL_REVIEW',
        'SUCCESS',
      ] as const
      for (const [n, state] of states.entries()) {
        const flow = putFlow(n, { state, agent_id: `agent-${n % 2}` })
        await commit(store, [flow, putExecution(n, 'a', { status: ends[n] ?? 'SUCCESS' })])
      }
      const list = async (filter: Partial<FlowFilter>) =>
        listDfids(await store.listFlows({ limit: 9, ...filter }))
      const toDfids = (...numbers: number[]) => numbers.map(toDfid)
      deepEqual(await list({ state: ['ABORTED'] }), toDfids(3, 1))
      deepEqual(await list({ state: ['ABORTED', 'ESCALATED', 'ACTIVE'] }), toDfids(4, 3, 2, 1))
      deepEqual(await list({ state: ['CLOSED', 'ABORTED', 'ACTIVE'], limit: 3 }), toDfids(5, 3, 2))
      const before = toDfid(3)
      deepEqual(await list({ state: ['ABORTED', 'CLOSED'], before, limit: 1 }), toDfids(1))
      deepEqual(await list({ state: ['ABORTED', 'ACTIVE'], agent_id: 'agent-1' }), toDfids(3, 1))
      deepEqual(await list({ state: ['ABORTED', 'ACTIVE'], agent_id: 'agent-0' }), toDfids(2))
      const listEffects = async (filter: Partial<ExecutionFilter>) =>
        (await store.listExecutions({ limit: 9, ...filter })).map(({ dfid }) => dfid)
      const mixed = ['SUCCESS', 'UNKNOWN', 'ABANDONED'] as const
      deepEqual(await listEffects({ status: ['FAILED', 'ABANDONED'] }), toDfids(1, 3))
      deepEqual(await listEffects({ status: mixed }), toDfids(0, 2, 3, 5))
      deepEqual(await listEffects({ status: mixed, newest: true, limit: 3 }), toDfids(5, 3, 2))
      const beyond = { dfid: toDfid(3), step_id: 'a' }
      deepEqual(await listEffects({ status: mixed, newest: true, beyond }), toDfids(2, 0))
      deepEqual(await listEffects({ status: mixed, beyond }), toDfids(5))
      deepEqual(await listEffects({ status: mixed, agent_id: 'agent-1' }), toDfids(3, 5))
      deepEqual(await listEffects({ status: ['SUCCESS'], agent_id: 'agent-0' }), toDfids(0))
      equal(await store.countRows({ of: 'flows', state: ['ABORTED', 'ACTIVE', 'CLOSED'] }), 5)
      equal(await store.countRows({ of: 'executions', status: mixed }), 4)
    },
  )

  check('flows are listed by a tag that they bear', async ({ store }) => {
    await commit(store, [
      putFlow(1, { tags: ['UNKNOWN'] }),
      putFlow(2, { tags: [] }),
      putFlow(3, { tags: ['DIRTY', 'NEEDS_REVIEW'] }),
      putFlow(4, { tags: ['NEEDS_REVIEW'], agent_id: 'agent-4' }),
    ])
    const listTagged = async (tag: FlowTag, filter: Partial<FlowFilter> = {}) =>
      listDfids(await store.listFlows({ tag, limit: 9, ...filter }))
    deepEqual(await listTagged('NEEDS_REVIEW'), [toDfid(4), toDfid(3)])
    deepEqual(await listTagged('NEEDS_REVIEW', { agent_id: 'agent-4' }), [toDfid(4)])
    deepEqual(await listTagged('DIRTY'), [toDfid(3)])
    deepEqual(await listTagged('COMPENSATED'), [])
  })

  check('executions are listed by flow and step, filtered', async ({ store }) => {
    await commit(store, [
      putExecution(2, 'b', { status: 'UNKNOWN' }),
      putExecution(2, 'a', { status: 'SUCCESS' }),
      putExecution(1, 'c', { status: 'UNKNOWN' }),
      putExecution(1, 'd', { status: 'DISPATCHED' }),
    ])
    const [first, second] = [toDfid(1), toDfid(2)]
    deepEqual(listSteps(await store.listExecutions({ limit: 3 })), [
      [first, 'c'],
      [first, 'd'],
      [second, 'a'],
    ])
    deepEqual(listSteps(await store.listExecutions({ status: ['UNKNOWN'], limit: 10 })), [
      [first, 'c'],
      [second, 'b'],
    ])
    const mixed = await store.listExecutions({
      status: ['SUCCESS', 'UNKNOWN'],
      dfid: second,
      limit: 9,
    })
    deepEqual(listSteps(mixed), [
      [second, 'a'],
      [second, 'b'],
    ])
    await commit(store, [putExecution(1, 'c', { status: 'FAILED', version: 2 })])
    equal((await store.listExecutions({ status: ['UNKNOWN'], limit: 10 })).length, 1)
    deepEqual(await store.listExecutions({ dfid: toDfid(9), limit: 10 }), [])
  })

  check('executions are listed in pages, from both ends, and by agent', async ({ store }) => {
    await commit(store, [
      putFlow(1, { agent_id: 'agent-1' }),
      putFlow(2, { agent_id: 'agent-2' }),
      putExecution(1, 'a'),
      putExecution(1, 'b', { status: 'UNKNOWN' }),
      putExecution(2, 'a'),
      putExecution(3, 'a'),
    ])
    const list = async (filter: Partial<ExecutionFilter>) =>
      listSteps(await store.listExecutions({ limit: 9, ...filter }))
    const all = [
      [toDfid(1), 'a'],
      [toDfid(1), 'b'],
      [toDfid(2), 'a'],
      [toDfid(3), 'a'],
    ]
    const beyond = { dfid: toDfid(1), step_id: 'b' }
    deepEqual(await list({}), all)
    deepEqual(await list({ beyond }), all.slice(2))
    deepEqual(await list({ beyond, limit: 1 }), all.slice(2, 3))
    deepEqual(await list({ newest: true }), all.toReversed())
    deepEqual(await list({ newest: true, beyond }), all.slice(0, 1))
    deepEqual(await list({ newest: true, beyond: { dfid: toDfid(1), step_id: 'a' } }), [])
    deepEqual(await list({ agent_id: 'agent-1', newest: true }), all.slice(0, 2).toReversed())
    deepEqual(await list({ agent_id: 'agent-1', status: ['UNKNOWN'] }), all.slice(1, 2))
    deepEqual(await list({ agent_id: 'agent-3' }), [])
  })

  check('what is stored can be counted by its state', async ({ store }) => {
    equal(await store.countRows({ of: 'flows', state: ['ACTIVE', 'CLOSED'] }), 0)
    await commit(store, [
      putFlow(1, { state: 'ACTIVE' }),
      putFlow(2, { state: 'ESCALATED' }),
      putFlow(3, { state: 'CLOSED' }),
      putExecution(1, 'a', { status: 'UNKNOWN' }),
      putExecution(1, 'b', { status: 'SUCCESS' }),
      putExecution(2, 'a', { status: 'UNKNOWN' }),
      buildTimer('due', 'x'),
      buildTimer('due', 'y'),
      buildTimer('names', 'x'),
    ])
    equal(await store.countRows({ of: 'flows', state: ['ACTIVE', 'ESCALATED'] }), 2)
    equal(await store.countRows({ of: 'flows', state: ['CLOSED', 'ACTIVE'] }), 2)
    equal(await store.countRows({ of: 'flows', state: [] }), 0)
    equal(await store.countRows({ of: 'flows', state: FLOW_STATES }), 3)
    equal(await store.countRows({ of: 'executions', status: ['UNKNOWN'] }), 2)
    equal(await store.countRows({ of: 'executions', status: ['SUCCESS', 'UNKNOWN'] }), 3)
    equal(await store.countRows({ of: 'records', record: 'timer' }), 3)
    equal(await store.countRows({ of: 'records', record: 'timer', group: 'due' }), 2)
    equal(await store.countRows({ of: 'records', record: 'timer', group: 'd' }), 0)
    equal(await store.countRows({ of: 'records', record: 'lock' }), 0)
    await commit(store, [{ kind: 'drop_record', record: 'timer', group: 'due', key: 'y' }])
    equal(await store.countRows({ of: 'records', record: 'timer' }), 2)
  })

  check('heads are listed by name', async ({ store }) => {
    await begin(store)
    deepEqual(
      (await store.listHeads()).map(({ trajectory, seq, world_root }) => [
        trajectory,
        seq,
        world_root,
      ]),
      [
        [AUTHORITY, 0, '0'.repeat(64)],
        [MAIN, 0, '0'.repeat(64)],
      ],
    )
  })

  check('the newest checkpoint', async ({ store }) => {
    equal(await store.readCheckpoint(), null)
    const buildCheckpoint = (epoch: number, size: number) => ({
      epoch,
      size,
      note: `${epoch}/${size}`,
    })
    await store.saveCheckpoint(buildCheckpoint(1, 300))
    deepEqual(await store.readCheckpoint(), buildCheckpoint(1, 300))
    await store.saveCheckpoint(buildCheckpoint(1, 900))
    deepEqual(await store.readCheckpoint(), buildCheckpoint(1, 900))
    await store.saveCheckpoint(buildCheckpoint(2, 400))
    deepEqual(await store.readCheckpoint(), buildCheckpoint(2, 400))
  })
}
