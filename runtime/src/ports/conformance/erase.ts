import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { AUTHORITY, ERASURE, MAIN } from 'rubicon-kernel'
import type { Store, Unit, Write } from '../store.ts'
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
  toDfid,
} from './fixture.ts'

const DFID = toDfid(1)
const OTHER = toDfid(2)

const buildErasure = (trajectory: string): Write => ({
  kind: 'append',
  trajectory,
  entry: 'erasure',
  dfid: DFID,
  payload: '{"named":true}',
})
const erasure = buildErasure(ERASURE)

/** Two flows with a step each, of which the first has changed the World. */
async function writeTwoFlows(store: Store): Promise<void> {
  await begin(store)
  const said = { intent: '{"intent_id":"x"}', result: 'secret', receipt: 'secret' }
  await commit(store, [
    buildRoot(ERASURE),
    putFlow(1, { trigger: 'secret' }),
    putFlow(2, { trigger: 'kept' }),
    putExecution(1, 'a', { ...said, details: { why: 'secret' } }),
    putExecution(2, 'a', said),
    buildNote(MAIN, 1, DFID),
    buildNote(MAIN, 2, OTHER),
    buildWorldCommit([{ op: 'create', kind: 'k', id: 'a', value: 'secret' }]),
  ])
  await store.integrate()
}

const erase = (writes: readonly Write[] = []): Unit => ({
  guards: [{ kind: 'flow_entries', dfid: DFID, trajectory: MAIN, count: 2 }],
  writes: [...writes, erasure, { kind: 'erase_flow', dfid: DFID }],
})

export function eraseTests(check: RegisterCheck): void {
  check('erase_flow takes out what a flow says, and nothing else', async ({ store, reopen }) => {
    await writeTwoFlows(store)
    const before = await store.listLeaves(0, 100)
    const world = await store.listWorld(MAIN, null, 10)
    // What was read before must not be remembered.
    await store.readFlow(DFID)
    await store.readDecision(DFID, 'a', () => [])
    const flow = await store.readFlow(DFID)
    ok(flow !== null)
    const tagged: Write = { kind: 'put_flow', flow: { ...flow, version: 2, tags: ['ERASED'] } }
    ok((await store.commit(erase([tagged]))).ok)
    await store.integrate()
    for (const open of [async () => store, reopen]) {
      const one = await open()
      const after = (await one.listLeaves(0, 100)).slice(0, before.length)
      deepEqual(
        after,
        before.map((entry) => (entry.envelope.dfid === DFID ? { ...entry, payload: null } : entry)),
      )
      const [kept, gone] = await Promise.all([one.readFlow(OTHER), one.readFlow(DFID)])
      deepEqual([kept?.trigger, gone?.trigger, gone?.tags], ['kept', '', ['ERASED']])
      const [row] = await one.listExecutions({ dfid: DFID, limit: 10 })
      const { intent, details, result, receipt, params_fingerprint, idempotency_key } = row ?? {}
      deepEqual([intent, details, result, receipt], ['{}', null, null, null])
      deepEqual([params_fingerprint, idempotency_key], ['', ''])
      equal((await one.readDecision(DFID, 'a', () => []))?.claim?.intent, '{}')
      equal((await one.listExecutions({ dfid: OTHER, limit: 10 }))[0]?.result, 'secret')
      deepEqual(await one.listWorld(MAIN, null, 10), world)
      const own = await one.listFlowEntries(DFID)
      deepEqual(
        own.map(({ envelope, payload }) => [envelope.kind, payload]),
        [
          ['evidence', null],
          ['commit', null],
          ['erasure', '{"named":true}'],
        ],
      )
    }
  })

  check('flow_entries: another entry of the flow stops the erasure', async ({ store }) => {
    await writeTwoFlows(store)
    const more = { guards: [], writes: [buildNote(MAIN, 3, DFID)] }
    // In one batch as well as before it.
    const [, refused] = await Promise.all([store.commit(more), store.commit(erase())])
    equal(refused.ok, false)
    equal((await store.commit(erase())).ok, false)
    const none = { kind: 'flow_entries', dfid: toDfid(9), trajectory: MAIN, count: 0 } as const
    ok((await store.commit(buildGuardedUnit(none, [buildNote(MAIN, 4)]))).ok)
    const payloads = (await store.listFlowEntries(DFID)).map(({ payload }) => payload)
    equal(payloads.includes(null), false)
  })

  check('payloads go only with the erasure that names them', async ({ store }) => {
    await writeTwoFlows(store)
    await rejects(commit(store, [{ kind: 'erase_flow', dfid: DFID }]))
    await rejects(commit(store, [erasure]))
    await rejects(commit(store, [erasure, { kind: 'erase_flow', dfid: OTHER }]))
    for (const trajectory of [MAIN, AUTHORITY])
      await rejects(commit(store, [buildErasure(trajectory), { kind: 'erase_flow', dfid: DFID }]))
    const payloads = (await store.listLeaves(0, 100)).map(({ payload }) => payload)
    equal(payloads.includes(null), false)
  })
}
