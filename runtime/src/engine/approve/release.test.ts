import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EscalationDecision, formatInstant, LIMITS, type Policy } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { sha256 } from '../../adapters/system/sha256.ts'
import { exportBundle } from '../../evidence/export-bundle.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { DeclaredSource } from '../../ports/fact-source.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import { codeOf, type Desk, type DeskOptions, desk } from './escalation.test-support.ts'

/** Dies at a failpoint, once. */
function dyingAt(point: Failpoint): {
  readonly options: Pick<DeskOptions, 'failpoints'>
  arm(): void
} {
  let isArmed = false
  const reach = (reached: Failpoint): void => {
    if (!isArmed || reached !== point) return
    isArmed = false
    throw new Error('killed')
  }
  return {
    options: { failpoints: { reach } },
    arm() {
      isArmed = true
    },
  }
}

async function approvedAndKilled(
  options: DeskOptions = {},
  change: Partial<EscalationDecision> = {},
): Promise<{ readonly stage: Desk; readonly dfid: string }> {
  const death = dyingAt('release.before_commit')
  const stage = await desk({ ...options, ...death.options })
  const { flow } = await stage.ask('800.00')
  death.arm()
  await assert.rejects(stage.decide(change), /killed/)
  assert.deepEqual(stage.sent, [])
  return { stage, dfid: flow.dfid }
}

test('what was approved is released by the engine that starts next, once', async () => {
  const { stage, dfid } = await approvedAndKilled()
  assert.equal((await stage.engine().oversight.escalations({ state: 'approved' })).length, 1)
  await stage.restart()
  await stage.engine().runDue()
  await stage.engine().runDue()
  assert.deepEqual(stage.sent, ['800.00'])
  assert.equal((await stage.flow(dfid)).state, 'CLOSED')
  const [closed] = await stage.engine().oversight.escalations({ state: 'closed' })
  assert.equal(closed?.ended, 'released')
  await stage.close()
})

const POINTS = [
  'escalate.before_commit',
  'escalate.after_commit',
  'decide.before_commit',
  'decide.after_commit',
  'release.before_commit',
  'dispatch.before_commit',
] as const

for (const point of POINTS) {
  test(`a process killed at ${point} loses nothing, and does nothing twice`, async () => {
    const death = dyingAt(point)
    const stage = await desk(death.options)
    death.arm()
    const asked = await stage.ask('800.00').catch(() => null)
    assert.equal(asked === null, point.startsWith('escalate.'))
    if (point === 'escalate.before_commit') {
      // Nothing was answered, so the agent asks again.
      await stage.restart()
      await stage.ask('800.00')
    }
    const decided = await stage.decide().catch(() => null)
    await stage.restart()
    if (decided === null && point === 'decide.before_commit') await stage.decide()
    await stage.engine().runDue()
    assert.deepEqual(stage.sent, ['800.00'])
    assert.deepEqual(await stage.engine().oversight.escalations(), [])
    assert.deepEqual(await stage.engine().oversight.escalations({ state: 'approved' }), [])
    await stage.close()
  })
}

test('an approval ends: after its time nothing runs, and the agent decides again', async () => {
  const { stage, dfid } = await approvedAndKilled()
  await stage.clock.advance(60_000)
  await stage.engine().runDue()
  assert.deepEqual(stage.sent, [])
  const [, refused] = (await stage.entries(dfid)).at(-1) ?? []
  assert.equal(refused?.reason_code, 'APPROVAL_EXPIRED')
  assert.equal((await stage.flow(dfid)).state, 'ACTIVE')
  assert.deepEqual(
    await stage.engine().oversight.escalations({ state: 'approved' }),
    [],
    'it was used up',
  )
  await stage.close()
})

test('a change of the rules voids an approval', async () => {
  const death = dyingAt('release.before_commit')
  const policies: Policy[] = []
  const stage = await desk({ ...death.options, policies, acceptRules: 'any-in-development' })
  const { flow } = await stage.ask('800.00')
  death.arm()
  await assert.rejects(stage.decide(), /killed/)
  policies.push({
    name: 'new rule',
    version: '1',
    source: { kind: 'unpinned' },
    evaluate: () => ({ decision: { kind: 'permit' }, determining: ['all'], erroring: [] }),
  })
  await stage.restart()
  await stage.engine().runDue()
  assert.deepEqual(stage.sent, [])
  const [, refused] = (await stage.entries(flow.dfid)).at(-1) ?? []
  assert.deepEqual([refused?.reason_code, refused?.stage], ['APPROVAL_VOID', 'emission'])
  await stage.close()
})

test('a value that moved since the agent was shown it stops what was approved', async () => {
  let price = '100'
  let isArmed = false
  const shop: DeclaredSource = {
    source_id: 'shop',
    label: 'trusted',
    paths: ['shop.*'],
    read: async (paths) =>
      paths.map((path) => ({
        path,
        value: price,
        observed_at: '2026-06-01T12:00:00.000Z',
        version: price,
      })),
  }
  const stage = await desk({
    sources: [shop],
    failpoints: {
      reach(point) {
        if (!isArmed || point !== 'release.before_commit') return
        isArmed = false
        throw new Error('killed')
      },
    },
    capability: {
      jit_fields: ['price'],
      jit: () => ({ price: { path: 'shop.price', kind: 'balance' } }),
    },
  })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 't', state: ['shop.price'] })
  const params = { order: 'o-1', amount: '800.00' }
  assert.equal((await flow.propose({ policy_kind: 'REFUND', params })).outcome, 'ESCALATED')
  price = '101'
  assert.equal(codeOf(await stage.decide()), 'STATE_DRIFT_DETECTED', 'it is not even given')
  price = '100'
  isArmed = true
  await assert.rejects(stage.decide(), /killed/)
  price = '101'
  await stage.engine().runDue()
  const [, refused] = (await stage.entries(flow.dfid)).at(-1) ?? []
  assert.equal(refused?.reason_code, 'STATE_DRIFT_DETECTED')
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('a suspension or a revocation is not lifted', async () => {
  for (const stop of ['suspend', 'revoke'] as const) {
    const { stage, dfid } = await approvedAndKilled()
    const engine = stage.engine()
    if (stop === 'suspend')
      await engine.moveAgent({
        agent_id: AGENT,
        to: 'SUSPENDED',
        actor: 'operator',
        justification: 'stop',
      })
    else await engine.revoke({ target: 'contract', id: AGENT, reason: 'stop' })
    await engine.runDue()
    const [, refused] = (await stage.entries(dfid)).at(-1) ?? []
    const code = stop === 'suspend' ? 'AGENT_SUSPENDED' : 'CONTRACT_REVOKED'
    assert.equal(refused?.reason_code, code)
    assert.deepEqual(stage.sent, [])
    await stage.close()
  }
})

test('the decision dates the proposal anew: neither its deadline nor its snapshot is too old', async () => {
  const stage = await desk()
  const valid_until = formatInstant(stage.clock.now() + 1_000)
  await stage.ask('800.00', { valid_until })
  await stage.clock.advance(LIMITS.contextAgeMs + 1)
  const decided = await stage.decide()
  assert.ok(decided.ok)
  assert.equal(decided.value.answer?.outcome, 'ACCEPTED')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('while it waits, a flow that is cancelled takes its request along', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('800.00')
  const { request } = await stage.waiting()
  await flow.cancel('not needed any more')
  assert.equal(codeOf(await stage.decide({}, undefined, request.id)), 'ESCALATION_DECIDED')
  await stage.engine().runDue()
  const [closed] = await stage.engine().oversight.escalations({ state: 'closed' })
  assert.equal(closed?.ended, 'moot')
  await stage.close()
})

test('executors of their own dispatch what was approved, with the approval', async () => {
  const stage = await desk({ executors: 'separate' })
  const { flow } = await stage.ask('800.00')
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  const kinds = (await stage.entries(flow.dfid)).map(([kind]) => kind)
  assert.deepEqual(kinds, [
    'writ',
    'pending_approval',
    'approval',
    'accepted',
    'dispatch',
    'commit',
  ])
  await stage.close()
})

test('a bundle of the flow verifies offline, and running the record again gives the same', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('800.00')
  assert.equal(codeOf(await stage.decide()), 'ok')
  await stage.engine().checkpoint()
  const { store, engine } = stage.runtime()
  const bundle = await exportBundle(store, sha256, flow.dfid)
  assert.deepEqual(bundle.ok && verifyAny(bundle.value, nodeCrypto).findings, [])
  const again = await recompileTrajectory(store, 'main', engine.context.book.rules)
  assert.deepEqual([again.decisions, again.differing, again.skipped], [2, [], []])
  await stage.close()
})
