/** What happens by itself ends with the word that the ledger is damaged: nobody else could stop it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime, type Runtime } from '../compose.ts'
import { CONTRACT } from '../evidence/example.test-support.ts'
import type { Failpoints } from '../ports/failpoint.ts'
import { HeadMismatch } from '../ports/head-mismatch.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import type { Context } from './engine-context.ts'
import { type HandClock, handClock } from './flow/hand-clock.test-support.ts'

type Stage = { readonly runtime: Runtime; readonly clock: HandClock; sent(): number }

/** An effect whose answer was lost, and that is sent again once a probe says that it never arrived. */
async function stage(t: TestContext, failpoints?: Failpoints): Promise<Stage> {
  const clock = handClock()
  let sent = 0
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [
      {
        kind: 'REFUND',
        effect: 'queryable',
        risk: 'medium',
        reversible: true,
        params: { type: 'object' },
        measures: { amount: (params) => params.amount },
        execute: () => {
          sent += 1
          throw new Error('connection reset')
        },
        probe: {
          absence_authoritative: true,
          max_late_arrival_s: 10,
          ask: async () => ({ finding: 'absent' }) as const,
        },
      },
    ],
    clock,
    report: () => {},
    ...(failpoints === undefined ? {} : { failpoints }),
  })
  await runtime.deploy(CONTRACT)
  t.after(() => runtime.close())
  return { runtime, clock, sent: () => sent }
}

async function pass(clock: HandClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) await clock.advance(500)
}

/** Something is on its way, and something is due in a while. */
async function begin({ runtime }: Stage): Promise<void> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  await flow.propose({ policy_kind: 'REFUND', params: { amount: '20.00' } })
  const every_ms = LIMITS.scrubEveryMs + 5000
  await runtime.engine.timers.schedule({ agent: 'refunds_bot', trigger: 'later', every_ms })
}

test('on a damaged ledger no timer fires, nothing is sent again and nothing is written', async (t) => {
  const it = await stage(t)
  await begin(it)
  const { store } = it.runtime.engine.context
  const asStored = store.listLeaves.bind(store)
  t.mock.method(store, 'listLeaves', async (from: number, limit: number) =>
    (await asStored(from, limit)).map(({ payload, ...entry }) => ({
      ...entry,
      payload: payload?.replace('20.00', '90.00') ?? null,
    })),
  )
  await assert.rejects(it.runtime.engine.scrub(), { code: 'HEAD_MISMATCH' })
  const size = await store.countLeaves()
  const read = t.mock.method(store, 'listExecutions')
  await pass(it.clock, LIMITS.scrubEveryMs + 60_000)
  assert.deepEqual([it.sent(), await store.countLeaves()], [1, size])
  assert.equal(
    read.mock.callCount(),
    0,
    'nor looked for: it would be in every round, as what is due stays due',
  )
  assert.equal(it.runtime.engine.status.damaged, true)
})

test('what the background itself finds damaged is damaged for everybody', async (t) => {
  const it = await stage(t)
  await begin(it)
  const { store } = it.runtime.engine.context
  t.mock.method(store, 'commit', async () => {
    throw new HeadMismatch('somebody else has written to the file')
  })
  await pass(it.clock, 15_000)
  t.mock.restoreAll()
  assert.equal(it.runtime.engine.status.damaged, true)
  await assert.rejects(it.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' }), {
    code: 'HEAD_MISMATCH',
  })
  await pass(it.clock, 60_000)
  assert.equal(it.sent(), 1)
})

for (const [point, sent] of [
  ['dispatch.before_commit', 0],
  ['resend.before_commit', 1],
] as const)
  test(`what is found damaged before ${point.replace('.', ' ')} is not sent`, async (t) => {
    let context: Context | null = null
    const reach = (at: string): void => {
      if (at === point) context?.damage.keep(new HeadMismatch('found by the scrub meanwhile'))
    }
    const it = await stage(t, { reach })
    context = it.runtime.engine.context
    const asked = begin(it)
    if (sent === 0) await assert.rejects(asked, { code: 'HEAD_MISMATCH' })
    else await asked
    await pass(it.clock, 60_000)
    assert.equal(context.damage.isFound, true)
    assert.equal(it.sent(), sent)
  })
