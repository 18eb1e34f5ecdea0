import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, isObject, type JsonObject, LIMITS } from 'rubicon-kernel'
import { RubiconError, type RuntimeOptions } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { GuardFinding, GuardInput, SoftGuard } from '../../ports/soft-guard.ts'
import { NO_TELEMETRY, type Telemetry } from '../../ports/telemetry.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'

type Check = SoftGuard['check']

const guard = (check: Check, name = 'story'): SoftGuard => ({ name, check })
const says =
  (mismatch: boolean, why = 'the story is another'): Check =>
  async () => ({ mismatch, why })
const hangs: Check = () => new Promise(() => {})
const throws: Check = () => {
  throw new Error('no model')
}
const lies: Check = async () => ({ mismatch: 'no', why: 'trust me' }) as unknown as GuardFinding

const STRICT: RuntimeOptions = { strict_semantic_blocking: true }

async function staged(
  checks: readonly SoftGuard[],
  options: RuntimeOptions = {},
): Promise<FlowStage> {
  const stage = await flowStage({ softGuards: checks, ...options })
  await stage.deploy()
  return stage
}

async function proposed(stage: FlowStage, change: JsonObject = {}): Promise<Answer> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 1' })
  return flow.propose({ ...refund(), justification: 'we reduce our debt', ...change })
}

/** What is recorded of guards. */
async function opinions(stage: FlowStage, dfid: string): Promise<readonly unknown[]> {
  const entries = await stage.entries(dfid)
  return entries.filter(([kind]) => kind === 'evidence').map(([, payload]) => plain(payload))
}

test('a mismatch flags the flow, is recorded and told, and stops nothing', async () => {
  const stage = await staged([guard(says(true)), guard(says(false), 'calm')])
  const answer = await proposed(stage)
  assert.deepEqual([answer.outcome, answer.execution?.status], ['ACCEPTED', 'SUCCESS'])
  const { guards, notices } = stage.engine().context.advisers
  await guards.awaitSettled()
  const { state, tags } = await stage.flow(answer.dfid)
  assert.deepEqual([state, tags], ['CLOSED', ['NEEDS_REVIEW']])
  const [dispatch] = (await stage.entries(answer.dfid)).filter(([kind]) => kind === 'dispatch')
  const { intent = {} } = dispatch?.[1] ?? {}
  assert.deepEqual(await opinions(stage, answer.dfid), [
    {
      source: 'soft_guard',
      finding: 'mismatch',
      by: 'story',
      step_id: 'step-1',
      proposal_hash: isObject(intent) ? intent.proposal_hash : null,
      strict: false,
      details: { why: 'the story is another' },
    },
  ])
  await notices.round()
  await notices.awaitSettled()
  const told = JSON.parse(stage.told.at(-1) ?? '{}') as JsonObject
  assert.deepEqual(told.notice, {
    id: `${answer.dfid}:1:semantic_mismatch`,
    kind: 'needs_review',
    agent_id: AGENT,
    dfid: answer.dfid,
    reason_code: 'SEMANTIC_MISMATCH',
    channel: 'operator',
    at: (await stage.flow(answer.dfid)).updated_at,
    details: { attempt: 1, guards: ['story'] },
  })
  await stage.close()
})

test('a guard that agrees leaves no trace, and a rejected proposal is not shown to it', async () => {
  let asked = 0
  const count: Check = async () => {
    asked += 1
    return { mismatch: false, why: '' }
  }
  const stage = await staged([guard(count)])
  const answer = await proposed(stage)
  const rejected = await proposed(stage, { params: { order: 'o', amount: '501.00' } })
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual([answer.outcome, rejected.outcome, asked], ['ACCEPTED', 'REJECTED', 1])
  assert.deepEqual((await stage.flow(answer.dfid)).tags, [])
  assert.deepEqual(await opinions(stage, answer.dfid), [])
  await stage.close()
})

test('a guard sees the story beside the action, on a copy of its own', async () => {
  const seen: GuardInput[] = []
  const spoils: Check = async (input) => {
    seen.push(structuredClone(input))
    const params = input.proposal.params as Record<string, unknown>
    params.amount = '499.00'
    return { mismatch: false, why: '' }
  }
  const stage = await staged([guard(spoils, 'one'), guard(spoils, 'two')], STRICT)
  const answer = await proposed(stage)
  assert.deepEqual(answer.execution?.result, { refunded: '20.00' })
  const [first, second] = seen
  assert.deepEqual(first, second)
  assert.equal(first?.justification, 'we reduce our debt')
  assert.deepEqual(first?.proposal.params, { order: 'o-step-1', amount: '20.00' })
  assert.deepEqual(first?.context, {
    agent_id: AGENT,
    mission: 'Refund what customers are owed.',
    trigger: 'ticket 1',
    policy_kind: 'REFUND',
    reducing: false,
    reversible: true,
    risk: 'medium',
    measures: { amount: '20.00' },
  })
  await stage.close()
})

for (const [what, check] of [
  ['hangs', hangs],
  ['throws', throws],
  ['lies about its type', lies],
] as const) {
  test(`in audit mode a guard that ${what} delays nothing and flags nothing`, async () => {
    const stage = await staged([guard(check)])
    const answer = await proposed(stage)
    assert.equal(answer.execution?.status, 'SUCCESS')
    await stage.clock.advance(LIMITS.guardMs)
    await stage.engine().context.advisers.guards.awaitSettled()
    assert.deepEqual((await stage.flow(answer.dfid)).tags, [])
    assert.deepEqual(await opinions(stage, answer.dfid), [])
    await stage.close()
  })

  test(`in strict mode a guard that ${what} aborts the flow, and nothing is sent`, async () => {
    let calls = 0
    const capabilities = [exampleCapability(() => void calls++)]
    const asked = Promise.withResolvers<void>()
    const other: Check = (...given) => {
      asked.resolve()
      return check(...given)
    }
    const stage = await staged([guard(says(false)), guard(other, 'other')], {
      ...STRICT,
      capabilities,
    })
    const answering = proposed(stage)
    await asked.promise
    // The one that answers has done so before the time of the other is up.
    await stage.clock.advance(0)
    await stage.clock.advance(LIMITS.guardMs)
    const answer = await answering
    const finding = what === 'hangs' ? 'timeout' : 'failed'
    assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', 'SEMANTIC_MISMATCH'])
    const { guard: by, finding: found, strict } = answer.feedback?.details ?? {}
    assert.deepEqual([by, found, strict, calls], ['other', finding, true, 0])
    assert.equal((await stage.flow(answer.dfid)).state, 'ABORTED')
    await stage.close()
  })
}

test('an answer that comes too late is ignored', async () => {
  let answer: (finding: GuardFinding) => void = () => {}
  let aborted = false
  const slow: Check = (_, signal) => {
    signal.addEventListener('abort', () => (aborted = true))
    return new Promise((resolve) => (answer = resolve))
  }
  const stage = await staged([guard(slow)])
  const { dfid } = await proposed(stage)
  await stage.clock.advance(LIMITS.guardMs)
  assert.equal(aborted, true)
  answer({ mismatch: true, why: 'too late' })
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual((await stage.flow(dfid)).tags, [])
  await stage.close()
})

test('in strict mode a mismatch aborts the flow at the first try; recompile is not confused', async () => {
  const stage = await staged([guard(says(true, 'BUY is not CLOSE\u202e'))], STRICT)
  const answer = await proposed(stage)
  assert.deepEqual(
    [answer.outcome, answer.reason_code, answer.stage, answer.disposition],
    ['REJECTED', 'SEMANTIC_MISMATCH', 'dispatch', 'alert'],
  )
  const { state, tags } = await stage.flow(answer.dfid)
  assert.deepEqual([state, tags], ['ABORTED', []])
  const [kind, payload] = (await stage.entries(answer.dfid)).at(-1) ?? []
  assert.deepEqual([kind, payload?.ended_flow], ['rejection', 'SEMANTIC_MISMATCH'])
  assert.deepEqual(payload?.details, {
    guard: 'story',
    finding: 'mismatch',
    why: 'BUY is not CLOSE',
    strict: true,
  })
  const { rules } = stage.engine().context.book
  const again = await recompileTrajectory(stage.runtime().store, 'main', rules)
  assert.deepEqual([again.ok, again.decisions], [true, 1])
  await stage.close()
})

test('in strict mode the record says who was asked and agreed', async () => {
  const stage = await staged([guard(says(false, 'fine')), guard(says(false), 'calm')], STRICT)
  const answer = await proposed(stage)
  assert.equal(answer.execution?.status, 'SUCCESS')
  const said = await opinions(stage, answer.dfid)
  assert.deepEqual(
    said.map((one) => [(one as JsonObject).by, (one as JsonObject).finding]),
    [
      ['story', 'aligned'],
      ['calm', 'aligned'],
    ],
  )
  assert.ok(said.every((one) => (one as JsonObject).strict === true))
  await stage.close()
})

test('what the runtime does for an agent is no business of a guard', async () => {
  const stage = await staged([guard(hangs)], STRICT)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 1' })
  const answer = await flow.propose({ policy_kind: 'ESCALATE', params: { reason: 'I am lost' } })
  const { state } = await stage.flow(flow.dfid)
  assert.deepEqual([answer.outcome, state], ['ACCEPTED', 'ESCALATED'])
  await stage.close()
})

test('what was cleared is judged again: the world moves while a guard thinks', async () => {
  const asked: string[] = []
  const stage: FlowStage = await staged([], {
    ...STRICT,
    softGuards: [
      guard(async () => {
        asked.push('story')
        const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator' } as const
        await stage.engine().moveAgent({ ...move, justification: 'it looks odd' })
        return { mismatch: false, why: '' }
      }),
    ],
  })
  const answer = await proposed(stage)
  assert.deepEqual([answer.reason_code, asked], ['AGENT_SUSPENDED', ['story']])
  await stage.close()
})

test('strict mode warns at the start, and needs a guard; names tell guards apart', async () => {
  const stage = await staged([guard(says(false))], STRICT)
  assert.match(stage.told[0] ?? '', /strict_semantic_blocking is on.*may end otherwise/)
  await stage.close()
  const calm = await staged([guard(says(false))])
  assert.deepEqual(calm.told, [])
  await calm.close()
  for (const options of [
    STRICT,
    { softGuards: [guard(hangs), guard(throws)] },
    { softGuards: [guard(hangs, 'no name')] },
    { auditors: [{ name: '', review: async () => [] }] },
  ] satisfies RuntimeOptions[])
    await assert.rejects(
      flowStage(options),
      (error) => error instanceof RubiconError && error.code === 'OPTIONS_INVALID',
    )
})

/** A guard that never answers, and whom it was asked about. */
async function stagedSilent(): Promise<{ readonly stage: FlowStage; readonly asked: string[] }> {
  const asked: string[] = []
  const stage = await staged([
    guard((input, signal) => {
      asked.push(input.context.agent_id)
      return hangs(input, signal)
    }),
  ])
  return { stage, asked }
}

async function proposeMany(stage: FlowStage, agent: string, count: number): Promise<void> {
  let flow = await stage.runtime().open({ agent, trigger: 'many', steps: 'many' })
  for (let step = 1; step <= count; step++) {
    // What a flow may spend ends somewhere.
    if (step % 50 === 0)
      flow = await stage.runtime().open({ agent, trigger: 'more', steps: 'many' })
    const { outcome } = await flow.propose(refund('1.00', `${agent}-${step}`))
    assert.equal(outcome, 'ACCEPTED')
  }
}

const SHARE = LIMITS.guardQuestions / LIMITS.agentShare

test('more questions than there is room for are not asked', async () => {
  const { stage, asked } = await stagedSilent()
  for (let one = 0; one <= LIMITS.agentShare; one++) {
    await stage.deploy({ agent_id: `bot-${one}` })
    await proposeMany(stage, `bot-${one}`, SHARE)
  }
  assert.equal(asked.length, LIMITS.guardQuestions)
  await stage.close()
})

test('an agent that proposes much while a guard is slow leaves nobody else looked at', async () => {
  const { stage, asked } = await stagedSilent()
  await proposeMany(stage, AGENT, SHARE + 1)
  await stage.deploy({ agent_id: 'calm_bot' })
  await proposeMany(stage, 'calm_bot', 1)
  assert.deepEqual(asked.slice(SHARE - 1), [AGENT, 'calm_bot'])
  await stage.close()
})

test('a flow of several steps that was flagged can still be cancelled', async () => {
  const stage = await staged([guard(says(true))])
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'several', steps: 'many' })
  await flow.propose(refund())
  await stage.engine().context.advisers.guards.awaitSettled()
  const cancelled = await stage.engine().cancel(flow.dfid, 'enough')
  const { state, tags } = await stage.flow(flow.dfid)
  assert.deepEqual([cancelled.ok, state, tags], [true, 'ABORTED', ['NEEDS_REVIEW']])
  await stage.close()
})

test('what a person approved is shown to strict guards once, and carried out if they agree', async () => {
  for (const [mismatch, state, sent] of [
    [false, 'CLOSED', ['800.00']],
    [true, 'ABORTED', []],
  ] as const) {
    let asked = 0
    const check: Check = async () => {
      asked += 1
      return { mismatch, why: '' }
    }
    const stage = await desk({ softGuards: [guard(check)], ...STRICT })
    const { flow } = await stage.ask('800.00')
    assert.equal(asked, 0, 'nobody is asked about what waits for a person')
    assert.ok((await stage.decide()).ok)
    assert.equal((await stage.flow(flow.dfid)).state, state)
    assert.deepEqual([stage.sent, asked], [sent, 1])
    await stage.close()
  }
})

test('every answer is counted and timed, and so is every silence', async () => {
  const counted: unknown[] = []
  const timed: unknown[] = []
  const telemetry: Telemetry = {
    ...NO_TELEMETRY,
    count(name, labels) {
      if (name === 'rubicon_soft_guard_answers_total') counted.push(labels?.outcome)
    },
    observe(name, _, labels) {
      if (name === 'validation_latency_ms') timed.push(labels?.type)
    },
  }
  const checks = [says(false), says(true), throws, lies, hangs]
  const guards = checks.map((check, i) => guard(check, `guard-${i}`))
  const stage = await staged(guards, { telemetry })
  await proposed(stage)
  await stage.clock.advance(LIMITS.guardMs)
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual(counted.toSorted(), ['aligned', 'failed', 'failed', 'mismatch', 'timeout'])
  assert.deepEqual(timed, ['soft', 'soft', 'soft', 'soft', 'soft'])
  await stage.close()
})
