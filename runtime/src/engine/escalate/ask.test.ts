import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { judgeStore } from '../../evidence/law/judge-ledger.ts'
import { NotApplied } from '../../ports/capability.ts'
import type { Failpoint, Failpoints } from '../../ports/failpoint.ts'
import { ANN, codeOf, type Desk, desk } from '../approve/escalation.test-support.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'

const MINUTE = 60_000

async function statusOf(stage: Desk): Promise<string | undefined> {
  return (await stage.engine().context.authorities.loadLatest()).statuses.get(AGENT)
}

test('a limit asks above it, and only above it', async () => {
  const stage = await desk()
  assert.equal((await stage.ask('500.00')).answer.outcome, 'ACCEPTED')
  assert.equal((await stage.ask('500.01')).answer.reason_code, 'AUTHORITY_CEILING')
  assert.equal((await stage.ask('9000.01')).answer.reason_code, 'LIMIT_EXCEEDED')
  await stage.close()
})

test('confidence: above both passes, between the two goes back, below asks', async () => {
  const safety_rules = { min_confidence_threshold: '0.85', escalate_on_uncertainty: '0.7' }
  const stage = await desk({ contract: { safety_rules } })
  const said: (readonly unknown[])[] = []
  for (const confidence of [0.85, 0.84, 0.7, 0.69]) {
    const { answer } = await stage.ask('20.00', { confidence })
    said.push([answer.outcome, answer.reason_code, answer.disposition])
  }
  assert.deepEqual(said, [
    ['ACCEPTED', undefined, undefined],
    ['REJECTED', 'LOW_CONFIDENCE', 'soft_stop'],
    ['REJECTED', 'LOW_CONFIDENCE', 'soft_stop'],
    ['ESCALATED', 'UNCERTAINTY', 'alert'],
  ])
  await stage.close()
})

test('what the rules always ask for has a queue of its own, and spends no exceptions', async () => {
  const safety_rules = { requires_human_approval: ['REFUND'], escalations_per_hour: 1 }
  const stage = await desk({ contract: { safety_rules } })
  for (let n = 0; n < 3; n++) {
    const { answer } = await stage.ask('20.00')
    assert.equal(answer.reason_code, 'HUMAN_APPROVAL_REQUIRED')
  }
  const waiting = await stage.engine().oversight.escalations()
  assert.deepEqual(new Set(waiting.map(({ queue }) => queue)), new Set(['approval']))
  assert.equal(await statusOf(stage), 'ACTIVE')
  await stage.close()
})

test('finding 28a: exceptions of instances are those of their class', async () => {
  const stage = await desk({ contract: { safety_rules: { escalations_per_hour: 2 } } })
  const { engine, runtime } = { engine: stage.engine(), runtime: stage.runtime() }
  const asked: unknown[] = []
  for (const instance of ['bot-1', 'bot-2', 'bot-3']) {
    assert.equal((await engine.instances.spawn({ class: AGENT, instance })).ok, true)
    const flow = await runtime.open({ agent: instance, trigger: 'ticket' })
    const params = { order: instance, amount: '600.00' }
    asked.push((await flow.propose({ policy_kind: 'REFUND', params })).reason_code)
  }
  assert.deepEqual(asked, ['AUTHORITY_CEILING', 'AUTHORITY_CEILING', 'ESCALATION_BUDGET_EXHAUSTED'])
  await stage.close()
})

test('an instance is not suspended for the questions of its siblings; their class is', async () => {
  const stage = await desk({ contract: { safety_rules: { escalations_per_hour: 2 } } })
  const ask = await askingInstances(stage, { evil: {}, good: {} })
  for (const agent of ['evil', 'evil']) assert.equal(await ask(agent), 'AUTHORITY_CEILING')
  assert.equal(await statusOf(stage), 'INITIALIZING', 'the class never acted itself')
  assert.equal(await ask('good'), 'ESCALATION_BUDGET_EXHAUSTED')
  const { statuses } = await stage.engine().context.authorities.loadLatest()
  assert.deepEqual(
    [AGENT, 'evil', 'good'].map((agent) => statuses.get(agent)),
    ['SUSPENDED', 'ACTIVE', 'ACTIVE'],
  )
  for (const agent of ['evil', 'good'])
    await assert.rejects(ask(agent), { code: 'AGENT_SUSPENDED' })
  await stage.close()
})

test('a class is not suspended for the smaller number of an instance', async () => {
  const stage = await desk({ contract: { safety_rules: { escalations_per_hour: 2 } } })
  const narrow = { safety_rules: { escalations_per_hour: 1 } }
  const ask = await askingInstances(stage, { evil: {}, narrow })
  assert.equal(await ask('evil'), 'AUTHORITY_CEILING')
  assert.equal(await ask('narrow'), 'ESCALATION_BUDGET_EXHAUSTED')
  const [last] = await stage.runtime().store.listFlows({ agent_id: 'narrow', limit: 1 })
  assert.equal(last?.state, 'ABORTED')
  const { statuses } = await stage.engine().context.authorities.loadLatest()
  assert.deepEqual([statuses.get(AGENT), statuses.get('narrow')], ['INITIALIZING', 'ACTIVE'])
  assert.equal(await ask('evil'), 'AUTHORITY_CEILING', 'the class may ask once more')
  await stage.close()
})

/** Spawns them; returns what asks a person as one of them, and says the reason code. */
async function askingInstances(
  stage: Desk,
  instances: Readonly<Record<string, JsonObject>>,
): Promise<(agent: string) => Promise<unknown>> {
  for (const [instance, narrowing] of Object.entries(instances)) {
    const spawned = await stage.engine().instances.spawn({ class: AGENT, instance, narrowing })
    assert.equal(spawned.ok, true)
  }
  return async (agent) => {
    const flow = await stage.runtime().open({ agent, trigger: 'ticket' })
    const params = { order: flow.dfid, amount: '600.00' }
    return (await flow.propose({ policy_kind: 'REFUND', params })).reason_code
  }
}

test('an agent that may only propose always asks', async () => {
  const stage = await desk({ contract: { authority: 'PROPOSE' } })
  assert.equal((await stage.ask('20.00')).answer.reason_code, 'AUTHORITY_PROPOSE_ONLY')
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, ['20.00'])
  await stage.close()
})

test('the fourth exception within the hour suspends the agent, and aborts the flow', async () => {
  const stage = await desk()
  for (let n = 0; n < 3; n++) assert.equal((await stage.ask('800.00')).answer.outcome, 'ESCALATED')
  const { flow, answer } = await stage.ask('800.00')
  assert.deepEqual(
    [answer.outcome, answer.reason_code, answer.disposition],
    ['EXHAUSTED', 'ESCALATION_BUDGET_EXHAUSTED', 'hard_stop'],
  )
  assert.equal((await stage.flow(flow.dfid)).state, 'ABORTED')
  assert.equal(await statusOf(stage), 'SUSPENDED')
  assert.equal(
    (await stage.engine().oversight.escalations()).length,
    3,
    'nobody is asked a fourth time',
  )
  await stage.close()
})

test('exceptions of an hour ago do not count any more', async () => {
  const stage = await desk()
  for (let n = 0; n < 3; n++) await stage.ask('800.00')
  await stage.clock.advance(LIMITS.escalationWindowMs)
  assert.equal((await stage.ask('800.00')).answer.outcome, 'ESCALATED')
  await stage.close()
})

test('whoever died before the agent was suspended leaves that to the next engine', async () => {
  let isArmed = false
  const stage = await desk({
    failpoints: {
      reach(point) {
        if (isArmed && point === 'authority.before_commit') throw new Error('killed')
      },
    },
  })
  for (let n = 0; n < 3; n++) await stage.ask('800.00')
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'one more' })
  isArmed = true
  const params = { order: 'o-9', amount: '800.00' }
  await assert.rejects(flow.propose({ policy_kind: 'REFUND', params }), /killed/)
  isArmed = false
  assert.equal(await statusOf(stage), 'ACTIVE')
  await stage.restart()
  await stage.engine().runDue()
  assert.equal(await statusOf(stage), 'SUSPENDED')
  await stage.engine().moveAgent({
    agent_id: AGENT,
    to: 'ACTIVE',
    actor: 'operator',
    justification: 'looked into it',
  })
  await stage.engine().runDue()
  assert.equal(await statusOf(stage), 'ACTIVE', 'it is stopped once')
  await stage.close()
})

test('an agent that pauses does nothing else while one of its flows waits', async () => {
  const stage = await desk({ contract: { safety_rules: { pause_on_escalation: true } } })
  await stage.ask('800.00')
  const { answer } = await stage.ask('20.00')
  assert.deepEqual(
    [answer.outcome, answer.reason_code, answer.feedback?.transient],
    ['REJECTED', 'ESCALATION_PENDING', true],
  )
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.equal((await stage.ask('20.00')).answer.outcome, 'ACCEPTED')
  await stage.close()
})

/** Does something once, when the runtime comes by there. */
function onceAt(point: Failpoint): {
  readonly failpoints: Failpoints
  act(): Promise<unknown>
} {
  let isDone = false
  const once = {
    act: async (): Promise<unknown> => undefined,
    failpoints: {
      async reach(reached: Failpoint) {
        if (reached !== point || isDone) return
        isDone = true
        await once.act()
      },
    },
  }
  return once
}

const PAUSING = { safety_rules: { pause_on_escalation: true } }

for (const [what, point, amount] of [
  ['sent', 'dispatch.before_commit', '20.00'],
  ['asked about', 'escalate.before_commit', '900.00'],
] as const)
  test(`of an agent that pauses nothing is ${what} that was judged before another of its flows waits`, async () => {
    const once = onceAt(point)
    const stage = await desk({ contract: PAUSING, failpoints: once.failpoints })
    once.act = () => stage.ask('800.00')
    const { answer } = await stage.ask(amount)
    assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'ESCALATION_PENDING'])
    assert.deepEqual(stage.sent, [])
    assert.equal((await stage.waiting()).request.kind, 'proposal')
    await stage.close()
  })

test('of an agent that pauses nothing is sent beside an effect that a person has to look into', async () => {
  const once = onceAt('dispatch.before_commit')
  const sent: string[] = []
  const stage = await desk({
    contract: PAUSING,
    failpoints: once.failpoints,
    capability: {
      effect: 'unsafe',
      execute: async ({ params }) => {
        sent.push(String(params.amount))
        throw new Error('no answer')
      },
    },
  })
  once.act = async () => {
    await stage.ask('30.00')
    await stage.clock.advance(10_000)
    await stage.engine().reconcile()
  }
  const { answer } = await stage.ask('20.00')
  assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'ESCALATION_PENDING'])
  assert.deepEqual(sent, ['30.00'])
  await stage.close()
})

test('while it waits, neither budget nor resources are held', async () => {
  const stage = await desk({
    contract: { safety_rules: { budget_per_flow: { calls: 1 } } },
    capability: { resources: () => [{ id: 'till', amount: '1' }] },
  })
  await stage.ask('800.00')
  assert.equal((await stage.ask('20.00')).answer.outcome, 'ACCEPTED', 'the till is free')
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, ['20.00', '800.00'])
  await stage.close()
})

test('an agent with a past that asks for far more than ever is HIGH_IMPACT', async () => {
  const stage = await desk()
  await stage.ask('50.00')
  await stage.ask('500.01')
  const [usual] = await stage.engine().oversight.escalations()
  assert.equal(usual?.impact, 'HIGH_IMPACT', 'more than ten times as much')
  await stage.ask('500.00')
  await stage.ask('600.00')
  const [, again] = await stage.engine().oversight.escalations()
  assert.equal(again?.impact, 'LOW_IMPACT')
  await stage.close()
})

test('a silent flow is let go on, and may fall silent again', async () => {
  const safety_rules = { silence_watchdog: { minutes: 30 } }
  const jit_verification = { max_context_age_seconds: 86_400 }
  const stage = await desk({ contract: { safety_rules, jit_verification } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await stage.clock.advance(30 * MINUTE + 1)
  assert.equal((await stage.engine().runDue()).silent, 1)
  const { request } = await stage.waiting()
  assert.deepEqual([request.kind, request.reason_code], ['silence', 'SILENCE'])
  const modified = { params: {} }
  assert.equal(
    codeOf(await stage.decide({ decision: 'MODIFY', modified })),
    'MODIFICATION_IMPOSSIBLE',
  )
  const decided = await stage.decide()
  assert.equal(decided.ok && decided.value.outcome, 'sent_back')
  assert.equal((await stage.flow(flow.dfid)).state, 'ACTIVE')
  await stage.clock.advance(30 * MINUTE + 1)
  assert.equal((await stage.engine().runDue()).silent, 1)
  await stage.close()
})

test('the third failure of its effects sends a flow to a person, and not the second', async () => {
  const stage = await desk({
    capability: {
      execute() {
        throw new NotApplied('503', { details: { code: 'PROVIDER_DOWN', more: 1 } })
      },
    },
  })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  for (const [step_id, state] of [
    ['a', 'ACTIVE'],
    ['b', 'ACTIVE'],
    ['c', 'ESCALATED'],
  ] as const) {
    const params = { order: step_id, amount: '20.00' }
    const { execution } = await flow.propose({ policy_kind: 'REFUND', step_id, params })
    assert.equal(execution?.status, 'FAILED')
    assert.equal((await stage.flow(flow.dfid)).state, state)
  }
  const { request } = await stage.waiting()
  assert.deepEqual([request.kind, request.reason_code], ['failure', 'REPEATED_FAILURE'])
  const failed = ['a', 'b', 'c'].map((step_id) => `${step_id} REFUND PROVIDER_DOWN 503`)
  assert.deepEqual(request.triggers[0]?.details, { failures: 3, failed })
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  assert.equal((await stage.flow(flow.dfid)).state, 'ACTIVE')
  await stage.close()
})

test('an outcome that only a person can settle stands in the same list', async () => {
  const stage = await desk({
    capability: {
      effect: 'unsafe',
      execute() {
        throw new Error('the line is dead')
      },
    },
  })
  const { flow } = await stage.ask('20.00')
  await stage.clock.advance(MINUTE)
  await stage.engine().reconcile()
  const [one] = await stage.engine().oversight.escalations()
  assert.deepEqual([one?.kind, one?.dfid], ['outcome', flow.dfid])
  await stage.close()
})

test('what an agent cannot forge: a proposal that takes the place of another', async () => {
  const stage = await desk()
  const { answer } = await stage.ask('20.00', { supersedes: 'sha256:1' } as JsonObject)
  assert.equal(answer.reason_code, 'IDENTITY_MISMATCH')
  await stage.close()
})

test('finding 30e: with full authority a limit that asks stops what is little, or flags nothing', async () => {
  const stage = await desk({ contract: { authority: 'EXECUTE_FULL' } })
  const { flow, answer } = await stage.ask('800.00')
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.deepEqual(stage.sent, ['800.00'])
  assert.deepEqual((await stage.flow(flow.dfid)).tags, ['NEEDS_REVIEW'])
  assert.deepEqual((await stage.ask('20.00')).answer.outcome, 'ACCEPTED')
  assert.equal((await stage.ask('5000.00')).answer.outcome, 'ESCALATED', 'HIGH_IMPACT asks')
  assert.equal((await stage.ask('9000.01')).answer.reason_code, 'LIMIT_EXCEEDED')
  const { store, sha256 } = stage.engine().context
  const told = (await store.listRecords('notice', 'due', { limit: 10 })).map(
    ({ body }) => body.notice,
  )
  const reviews = told.filter(({ kind }) => kind === 'needs_review')
  assert.deepEqual(
    reviews.map(({ dfid, reason_code }) => [dfid, reason_code]),
    [[flow.dfid, 'AUTHORITY_CEILING']],
  )
  await stage.engine().checkpoint()
  const lines: string[] = []
  await exportLedger(store, (line) => void lines.push(line))
  assert.deepEqual(await foundByBoth(lines.join('')), [])
  const { findings, decisions } = await judgeStore(store, sha256)
  assert.deepEqual([findings, decisions], [[], 4])
  await stage.close()
})
