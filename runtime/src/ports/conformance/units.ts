import { deepEqual, equal, rejects } from 'node:assert/strict'
import { AUTHORITY, ENTRY_KINDS, type EntryKind, isAuthorityKind, MAIN } from 'rubicon-kernel'
import type { Guard, Unit, Write } from '../store.ts'
import {
  begin,
  buildBranch,
  buildExecutionRow,
  buildFlowRow,
  buildGuardedUnit,
  buildNote,
  buildRoot,
  buildWorldCommit,
  buildWrit,
  commit,
  putFlow,
  type RegisterCheck,
  toDfid,
} from './fixture.ts'

export function registerUnitTests(check: RegisterCheck): void {
  check('put_flow inserts, then moves on everything that its life changes', async ({ store }) => {
    const first = buildFlowRow(1)
    const second = buildFlowRow(1, {
      version: 2,
      state: 'ABORTED',
      tags: ['DIRTY', 'UNKNOWN'],
      rejections: 3,
      transient_rejections: 4,
      attempts: 5,
      snapshot_id: 'snap-2',
      snapshot_at: '2026-01-31T10:00:00.000Z',
      updated_at: '2026-01-31T11:00:00.000Z',
      history: [...first.history, { from: 'CREATED', to: 'ABORTED', at: 'x' }],
    })
    for (const flow of [first, second]) {
      await commit(store, [{ kind: 'put_flow', flow }])
      deepEqual(await store.readFlow(first.dfid), flow)
    }
    equal((await store.listFlows({ limit: 10 })).length, 1)
  })

  check(
    'put_execution inserts, then moves on everything that its life changes',
    async ({ store }) => {
      const first = buildExecutionRow(1, 'a')
      const second = buildExecutionRow(1, 'a', {
        version: 2,
        status: 'SUCCESS',
        dispatched: { trajectory: 'what-if', seq: 8 },
        dispatched_at: '2026-01-31T10:00:00.000Z',
        last_sent_at: '2026-01-31T10:00:01.000Z',
        sends: 2,
        probes: 3,
        epoch: 4,
        next_at: '2026-01-31T10:00:01.000Z',
        reason_code: 'LATE',
        details: { detail: 'half an hour' },
        result: { price: '12.50', lots: [1, null, 'ü'] },
        receipt: 'tx-1',
        settled_at: '2026-01-31T10:00:02.000Z',
      })
      for (const execution of [first, second]) {
        await commit(store, [{ kind: 'put_execution', execution }])
        deepEqual(await store.listExecutions({ limit: 10 }), [execution])
      }
    },
  )

  check('put_execution takes its position from the append that it names', async ({ store }) => {
    await begin(store)
    const execution = buildExecutionRow(1, 'a', { dispatched: { trajectory: MAIN, seq: -1 } })
    await commit(store, [
      buildNote(AUTHORITY, 1),
      putFlow(1),
      buildNote(MAIN, 2),
      { kind: 'put_execution', execution, entry: 2 },
    ])
    const [row] = await store.listExecutions({ limit: 1 })
    deepEqual(row, { ...execution, dispatched: { trajectory: MAIN, seq: 1 } })
  })

  check('a step is settled when its entry says, whenever its unit was made', async ({ store }) => {
    await begin(store)
    const execution = buildExecutionRow(1, 'a', { settled_at: '2026-01-31T10:00:02.000Z' })
    const put: Write = { kind: 'put_execution', execution, settles: true }
    const outcome = await commit(store, [buildNote(MAIN, 1), put])
    const [row] = await store.listExecutions({ limit: 1 })
    deepEqual(row, { ...execution, settled_at: outcome.ok && outcome.at })
  })

  check('put_writ keeps the writ and where it was recorded', async ({ store }) => {
    await begin(store)
    await commit(store, [
      buildNote(MAIN, 1),
      buildNote(MAIN, 2),
      { kind: 'put_writ', writ: buildWrit('w1'), entry: 1 },
    ])
    await commit(store, [
      { kind: 'put_writ', writ: buildWrit('w2'), entry: 2 },
      putFlow(1),
      buildNote(MAIN, 3),
    ])
    const first = { writ: buildWrit('w1'), position: { trajectory: MAIN, seq: 2 } }
    const second = { writ: buildWrit('w2'), position: { trajectory: MAIN, seq: 3 } }
    deepEqual(await store.readWrit(first.writ.id), first)
    equal(await store.readWrit(buildWrit('w3').id), null)
    deepEqual(await store.listWrits(10), [second, first])
    deepEqual(await store.listWrits(1), [second])
    deepEqual(await store.listWrits(10, second.writ.id), [first])
    deepEqual(await store.listWrits(10, first.writ.id), [])
    deepEqual(await store.listWrits(10, buildWrit('w3').id), [])
  })

  check('count adds, also twice in a unit, and back to 0', async ({ store }) => {
    equal(await store.readCounter('c'), 0)
    await commit(store, [
      { kind: 'count', id: 'c', by: 5 },
      { kind: 'count', id: 'c', by: 2 },
    ])
    equal(await store.readCounter('c'), 7)
    await commit(store, [{ kind: 'count', id: 'c', by: -7 }])
    equal(await store.readCounter('c'), 0)
  })

  check('a unit that breaks an invariant rejects alone, without a trace', async ({ store }) => {
    await begin(store)
    const broken: Unit[] = [
      { guards: [], writes: [buildNote(MAIN, 1), { kind: 'count', id: 'c', by: -1 }] },
      { guards: [], writes: [buildNote(MAIN, 2), buildNote('nowhere', 2)] },
      { guards: [], writes: [buildNote(MAIN, 3), buildRoot(MAIN)] },
      { guards: [], writes: [buildRoot('not an identifier')] },
      { guards: [], writes: [{ kind: 'put_writ', writ: buildWrit('w'), entry: 0 }] },
      {
        guards: [],
        writes: [
          putFlow(9),
          { kind: 'put_execution', execution: buildExecutionRow(9, 'a'), entry: 0 },
        ],
      },
    ]
    const good = store.commit({ guards: [], writes: [buildNote(MAIN, 4)] })
    await Promise.all(broken.map((unit) => rejects(store.commit(unit), /invariant broken/)))
    equal((await good).ok, true)
    equal((await commit(store, [buildNote(MAIN, 5)])).ok, true)
    const payloads = (await store.listEntries(MAIN, 1, 10)).map(({ payload }) => payload)
    deepEqual(payloads, ['{"n":4}', '{"n":5}'])
    equal(await store.readCounter('c'), 0)
  })

  check(
    'an entry whose kind may not stand in its trajectory is written by no store',
    async ({ store }) => {
      await begin(store)
      type Plain = Extract<Write, { kind: 'append' }>['entry']
      const buildEntry = (trajectory: string, kind: Plain): Write => {
        return { kind: 'append', trajectory, entry: kind, payload: '{"n":1}' }
      }
      const isPlain = (kind: EntryKind): kind is Plain => kind !== 'branch' && kind !== 'commit'
      const plain = ENTRY_KINDS.filter(isPlain).filter((kind) => kind !== 'root')
      const misplaced: Write[][] = [
        ...plain.map((kind) => [buildEntry(isAuthorityKind(kind) ? MAIN : AUTHORITY, kind)]),
        [buildNote(MAIN, 1), buildWorldCommit([], AUTHORITY)],
        [buildBranch(AUTHORITY, MAIN, 0)],
        [buildRoot('what-if'), buildEntry('what-if', 'revocation')],
        [buildEntry('begun-without-root', 'evidence')],
      ]
      for (const writes of misplaced) await rejects(commit(store, writes), /invariant broken/)
      for (const trajectory of [AUTHORITY, MAIN, 'what-if'])
        equal((await store.listEntries(trajectory, 1, 9)).length, 0)
      equal((await store.listHeads()).length, 2)
      equal((await commit(store, [buildNote(MAIN, 1), buildNote(AUTHORITY, 2)])).ok, true)
    },
  )

  check('200 concurrent units of 10 against 1000: exactly 100 succeed (S2)', async ({ store }) => {
    const guard: Guard = { kind: 'counter', id: 'budget', by: 10, limit: 1000 }
    const unit = buildGuardedUnit(guard, [{ kind: 'count', id: 'budget', by: 10 }])
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => store.commit(unit)))
    equal(outcomes.filter(({ ok }) => ok).length, 100)
    equal(await store.readCounter('budget'), 1000)
  })

  check('of many concurrent claims of one flow one succeeds (S2)', async ({ store }) => {
    const unit = buildGuardedUnit({ kind: 'flow_absent', dfid: toDfid(1) }, [putFlow(1)])
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.commit(unit)))
    equal(outcomes.filter(({ ok }) => ok).length, 1)
  })

  check('concurrent writers of one flow: each version is won once (S2)', async ({ store }) => {
    await commit(store, [putFlow(1)])
    const step = async (): Promise<void> => {
      const { version } = (await store.readFlow(toDfid(1))) ?? buildFlowRow(1)
      const guard: Guard = { kind: 'flow_version', dfid: toDfid(1), version }
      const unit = buildGuardedUnit(guard, [putFlow(1, { version: version + 1 })])
      if (!(await store.commit(unit)).ok) await step()
    }
    await Promise.all(Array.from({ length: 20 }, step))
    equal((await store.readFlow(toDfid(1)))?.version, 21)
  })

  check('an empty unit succeeds, with a time and no entries', async ({ store }) => {
    const outcome = await commit(store, [])
    deepEqual(outcome, { ok: true, at: '2026-01-31T09:30:00.000Z', entries: [] })
  })
}
