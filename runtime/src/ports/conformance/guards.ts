import { deepEqual, equal } from 'node:assert/strict'
import { AUTHORITY, formatInstant, MAIN } from 'rubicon-kernel'
import type { Guard, Store, Write } from '../store.ts'
import {
  begin,
  buildGuardedUnit,
  buildNote,
  buildRoot,
  buildWorldCommit,
  commit,
  putExecution,
  putFlow,
  type RegisterCheck,
  START,
  toDfid,
} from './fixture.ts'

type GuardCase = {
  readonly name: string
  readonly given?: readonly Write[]
  readonly holds: readonly Guard[]
  readonly fails: readonly Guard[]
}

const account = { kind: 'account', id: 'a/1' }
const makeAccount = buildWorldCommit([{ op: 'create', ...account, value: 1 }])
const buildWorldGuard = (version: number | null): Guard => {
  return { kind: 'world_version', trajectory: MAIN, resource: account, version }
}

/** Every guard, both ways. The roots of `authority` and `main` stand already. */
const CASES: readonly GuardCase[] = [
  {
    name: 'flow_absent',
    given: [putFlow(1)],
    holds: [{ kind: 'flow_absent', dfid: toDfid(2) }],
    fails: [{ kind: 'flow_absent', dfid: toDfid(1) }],
  },
  {
    name: 'flow_version',
    given: [putFlow(1, { version: 4 })],
    holds: [{ kind: 'flow_version', dfid: toDfid(1), version: 4 }],
    fails: [
      { kind: 'flow_version', dfid: toDfid(1), version: 3 },
      { kind: 'flow_version', dfid: toDfid(1), version: 5 },
      { kind: 'flow_version', dfid: toDfid(2), version: 1 },
    ],
  },
  {
    name: 'claim_absent',
    given: [putExecution(1, 'a')],
    holds: [
      { kind: 'claim_absent', dfid: toDfid(1), step_id: 'b' },
      { kind: 'claim_absent', dfid: toDfid(2), step_id: 'a' },
    ],
    fails: [{ kind: 'claim_absent', dfid: toDfid(1), step_id: 'a' }],
  },
  {
    name: 'execution_version',
    given: [putExecution(1, 'a', { version: 2 })],
    holds: [{ kind: 'execution_version', dfid: toDfid(1), step_id: 'a', version: 2 }],
    fails: [
      { kind: 'execution_version', dfid: toDfid(1), step_id: 'a', version: 1 },
      { kind: 'execution_version', dfid: toDfid(1), step_id: 'b', version: 1 },
    ],
  },
  {
    name: 'counter',
    given: [{ kind: 'count', id: 'used', by: 90 }],
    holds: [
      { kind: 'counter', id: 'used', by: 10, limit: 100 },
      { kind: 'counter', id: 'missing', by: 0, limit: 0 },
    ],
    fails: [
      { kind: 'counter', id: 'used', by: 11, limit: 100 },
      { kind: 'counter', id: 'missing', by: 1, limit: 0 },
    ],
  },
  {
    name: 'authority_seq',
    given: [buildNote(AUTHORITY, 1)],
    holds: [{ kind: 'authority_seq', seq: 1 }],
    fails: [
      { kind: 'authority_seq', seq: 0 },
      { kind: 'authority_seq', seq: 2 },
      { kind: 'authority_seq', seq: -1 },
    ],
  },
  {
    name: 'before',
    holds: [
      { kind: 'before', at: formatInstant(START + 1) },
      { kind: 'before', at: '2026-01-31T09:30:01Z' },
    ],
    fails: [
      { kind: 'before', at: formatInstant(START) },
      { kind: 'before', at: formatInstant(START - 1) },
      { kind: 'before', at: '2026-01-31T09:30:00Z' },
      { kind: 'before', at: 'tomorrow' },
    ],
  },
  {
    name: 'world_version',
    given: [makeAccount],
    holds: [
      buildWorldGuard(1),
      {
        kind: 'world_version',
        trajectory: MAIN,
        resource: { kind: 'account', id: 'a/2' },
        version: null,
      },
      { kind: 'world_version', trajectory: AUTHORITY, resource: account, version: null },
    ],
    fails: [buildWorldGuard(2), buildWorldGuard(null)],
  },
  {
    name: 'world_version of a retracted resource, which still has its version',
    given: [makeAccount, buildWorldCommit([{ op: 'retract', ...account, expected_version: 1 }])],
    holds: [buildWorldGuard(2)],
    fails: [buildWorldGuard(null), buildWorldGuard(1)],
  },
  {
    name: 'trajectory_absent',
    holds: [{ kind: 'trajectory_absent', trajectory: 'what-if' }],
    fails: [{ kind: 'trajectory_absent', trajectory: MAIN }],
  },
]

export function registerGuardTests(check: RegisterCheck): void {
  for (const { name, given = [], holds, fails } of CASES) {
    check(`guard ${name}, both ways`, async ({ store }) => {
      await begin(store)
      await commit(store, given)
      for (const guard of holds)
        equal((await store.commit(buildGuardedUnit(guard))).ok, true, label(guard))
      for (const guard of fails) {
        const outcome = await store.commit(buildGuardedUnit(guard))
        deepEqual(outcome, { ok: false, failed: guard }, label(guard))
      }
    })
  }

  check('guard engine_epoch, both ways', async ({ store }) => {
    const now: Guard = { kind: 'engine_epoch', epoch: store.epoch }
    const past: Guard = { kind: 'engine_epoch', epoch: store.epoch - 1 }
    equal((await store.commit(buildGuardedUnit(now))).ok, true)
    deepEqual(await store.commit(buildGuardedUnit(past)), { ok: false, failed: past })
  })

  check('guard authority_seq -1 holds until the authority trajectory starts', async ({ store }) => {
    const guard: Guard = { kind: 'authority_seq', seq: -1 }
    equal((await store.commit(buildGuardedUnit(guard, [buildRoot(AUTHORITY)]))).ok, true)
    deepEqual(await store.commit(buildGuardedUnit(guard, [buildRoot(MAIN)])), {
      ok: false,
      failed: guard,
    })
  })

  check('a failed guard leaves no trace, and is the first that fails (S2)', async ({ store }) => {
    await begin(store)
    const first: Guard = { kind: 'flow_absent', dfid: toDfid(1) }
    const second: Guard = { kind: 'authority_seq', seq: 99 }
    const third: Guard = { kind: 'trajectory_absent', trajectory: MAIN }
    const before = await readStoreState(store)
    const outcome = await store.commit({
      guards: [first, second, third],
      writes: [
        buildNote(MAIN, 1),
        putFlow(1),
        putExecution(1, 'a'),
        { kind: 'count', id: 'c', by: 1 },
      ],
    })
    deepEqual(outcome, { ok: false, failed: second })
    deepEqual(await readStoreState(store), before)
  })
}

async function readStoreState(store: Store): Promise<unknown> {
  await store.integrate()
  return {
    heads: await store.listHeads(),
    leaves: await store.countLeaves(),
    flow: await store.readFlow(toDfid(1)),
    executions: await store.listExecutions({ limit: 10 }),
    counter: await store.readCounter('c'),
  }
}

function label(guard: Guard): string {
  return JSON.stringify(guard)
}
