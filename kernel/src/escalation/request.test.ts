import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trigger } from '../compile/verdict.ts'
import { classContract } from '../contract/class-contract.test-support.ts'
import { LIMITS } from '../limits.ts'
import type { ReasonCode } from '../reason.ts'
import {
  admitEscalation,
  buildAskedTrigger,
  findFailureTrigger,
  findPauseRefusal,
} from './admission.ts'
import { REQUEST } from './case.test-support.ts'
import { deriveDisposition, deriveEscalatedDisposition } from './disposition.ts'
import { parseEscalationPath, toEscalationPath } from './escalation-path.ts'
import { deriveEscalationChannel } from './first-channel.ts'
import {
  chooseChannel,
  chooseQueue,
  findChannelAgent,
  forwardRequest,
  getQuorum,
  listAskedChannels,
  listToldChannels,
  requestTimes,
  toChannel,
} from './request.ts'

function trigger(code: ReasonCode, channel: string = 'operator'): Trigger {
  return { id: code, code, channel, details: {} }
}

test('approvals that the rules always ask for are apart; one exception makes an exception', () => {
  assert.equal(chooseQueue([trigger('HUMAN_APPROVAL_REQUIRED')]), 'approval')
  assert.equal(
    chooseQueue([trigger('AUTHORITY_PROPOSE_ONLY'), trigger('APPROVAL_REQUIRED')]),
    'approval',
  )
  assert.equal(chooseQueue([trigger('APPROVAL_REQUIRED'), trigger('UNCERTAINTY')]), 'exception')
})

test('the parent is asked where every trigger goes to it and an agent may decide', () => {
  const parent = trigger('AUTHORITY_CEILING', 'agent:lead')
  const asked = { triggers: [parent], impact_reasons: [], needs: 1, approvers: [] }
  assert.equal(chooseChannel(asked), 'agent:lead')
  assert.equal(chooseChannel({ ...asked, impact_reasons: ['irreversible'] }), 'agent:lead')
  for (const reason of ['exposure', 'risk_high', 'risk_critical', 'unusual'])
    assert.equal(chooseChannel({ ...asked, impact_reasons: ['irreversible', reason] }), 'operator')
  assert.equal(chooseChannel({ ...asked, needs: 2 }), 'operator')
  assert.equal(chooseChannel({ ...asked, approvers: ['ann@example.com'] }), 'operator')
  const person = trigger('APPROVAL_REQUIRED', 'desk')
  assert.equal(chooseChannel({ ...asked, triggers: [parent, person] }), 'desk')
  assert.equal(chooseChannel({ ...asked, triggers: [] }), 'operator')
  const other = trigger('APPROVAL_REQUIRED', 'agent:desk')
  assert.equal(
    chooseChannel({ ...asked, triggers: [parent, other] }),
    'operator',
    'one cannot for two',
  )
  assert.equal(findChannelAgent('agent:lead'), 'lead')
  assert.equal(findChannelAgent('operator'), undefined)
  assert.deepEqual([toChannel('lead'), toChannel(undefined)], ['agent:lead', 'operator'])
})

test('people are told on every channel that a trigger names, and of what an agent is asked on none', () => {
  const parent = trigger('AUTHORITY_CEILING', 'agent:lead')
  const [finance, legal] = [
    trigger('APPROVAL_REQUIRED', 'finance'),
    trigger('UNCERTAINTY', 'legal'),
  ]
  const people = { channel: 'finance', triggers: [parent, finance, legal, finance] }
  assert.deepEqual(listToldChannels(people), ['finance', 'operator', 'legal'])
  assert.deepEqual(listAskedChannels(people), listToldChannels(people))
  const agent = { channel: 'agent:lead', triggers: [parent] }
  assert.deepEqual([listToldChannels(agent), listAskedChannels(agent)], [[], ['agent:lead']])
  assert.deepEqual(listToldChannels(forwardRequest({ ...REQUEST, ...agent }, 0)), ['operator'])
})

test('whoever a request is passed on to begins to read it then', () => {
  const asked = { ...REQUEST, channel: 'agent:lead' }
  const person = forwardRequest(asked, 60_000)
  const not_before = '1970-01-01T00:01:10.000Z'
  assert.deepEqual(person, { ...REQUEST, channel: 'operator', not_before })
  const low = forwardRequest({ ...asked, impact: 'LOW_IMPACT' }, 60_000)
  assert.equal(low.not_before, '1970-01-01T00:01:00.000Z')
})

const { safety_rules } = classContract()

test('only HIGH_IMPACT has a moment in which nobody can approve it', () => {
  const low = requestTimes(0, 'LOW_IMPACT', { safety_rules })
  assert.equal(low.not_before, low.requested_at)
  const { not_before } = requestTimes(0, 'HIGH_IMPACT', { safety_rules })
  assert.equal(not_before, '1970-01-01T00:00:10.000Z')
})

test('a request waits as long as its contract says, and for an hour where that says nothing', () => {
  const endOf = (rules: object): string =>
    requestTimes(0, 'LOW_IMPACT', { safety_rules: { ...safety_rules, ...rules } }).expires_at
  assert.equal(endOf({}), '1970-01-01T01:00:00.000Z')
  assert.equal(endOf({ approval_window_s: 57_600 }), '1970-01-01T16:00:00.000Z')
  assert.equal(endOf({ approval_window_s: 60 }), '1970-01-01T00:01:00.000Z')
})

test('one person approves, unless the contract names more', () => {
  assert.deepEqual(getQuorum({ safety_rules: {} as never }), { needs: 1, approvers: [] })
  const approvers = { needs: 2, of: ['a', 'b', 'c'] }
  assert.deepEqual(getQuorum({ safety_rules: { approvers } as never }), {
    needs: 2,
    approvers: ['a', 'b', 'c'],
  })
  assert.deepEqual(getQuorum({ safety_rules: { self_approval: 'allowed' } as never }), {
    needs: 1,
    approvers: [],
    self_approval: 'allowed',
  })
})

const now = '2026-03-02T10:00:00.000Z'
const ASKED = {
  now,
  queue: 'exception',
  channel: 'operator',
  spent: [],
  perHour: 1,
  waiting: 0,
} as const

test('exceptions have a budget by the rolling hour', () => {
  assert.deepEqual(admitEscalation(ASKED), { refusal: null, spent: [now] })
  const anHourAgo = { ...ASKED, spent: ['2026-03-02T09:00:00.000Z'] }
  assert.deepEqual(admitEscalation(anHourAgo).spent, [now])
  const justInside = { ...ASKED, spent: ['2026-03-02T09:00:00.001Z'] }
  assert.equal(admitEscalation(justInside).refusal?.code, 'ESCALATION_BUDGET_EXHAUSTED')
  assert.equal(
    admitEscalation({ ...ASKED, perHour: 0 }).refusal?.code,
    'ESCALATION_BUDGET_EXHAUSTED',
  )
  const parent = { ...justInside, channel: 'agent:lead' }
  assert.deepEqual(admitEscalation(parent), { refusal: null, spent: null })
})

test('what was asked before stays counted', () => {
  const before = ['2026-03-02T09:10:00.000Z', '2026-03-02T09:20:00.000Z']
  const gone = '2026-03-02T08:00:00.000Z'
  const { spent } = admitEscalation({ ...ASKED, spent: [gone, ...before], perHour: 3 })
  assert.deepEqual(spent, [...before, now])
})

test('a request stands at a path that nothing else has, and goes to the parent before a person', () => {
  assert.equal(parseEscalationPath(toEscalationPath('f:1')), 'f:1')
  for (const path of ['f:1', 'escalations.f:1', 'claims.escalation.f:1'])
    assert.equal(parseEscalationPath(path), undefined, path)
  const contract = classContract({ parent_agent: null })
  assert.equal(deriveEscalationChannel(contract), 'operator')
  assert.equal(deriveEscalationChannel({ ...contract, parent_agent: 'lead' }), 'agent:lead')
})

test('a time that cannot be read counts', () => {
  for (const unreadable of [{ spent: ['?'] }, { now: '?', spent: [now] }]) {
    const { refusal } = admitEscalation({ ...ASKED, ...unreadable })
    assert.equal(refusal?.code, 'ESCALATION_BUDGET_EXHAUSTED')
  }
})

test('approvals have a queue that ends', () => {
  const waiting = LIMITS.approvalsWaiting
  const queued = { ...ASKED, queue: 'approval', perHour: 0 } as const
  assert.equal(admitEscalation({ ...queued, waiting: waiting - 1 }).refusal, null)
  assert.equal(admitEscalation({ ...queued, waiting }).refusal?.code, 'APPROVAL_QUEUE_FULL')
})

test('a pause is for agents whose contract asks for one', () => {
  const pausing = { safety_rules: { pause_on_escalation: true } as never }
  assert.equal(findPauseRefusal(pausing, 0), null)
  assert.equal(findPauseRefusal(pausing, 1)?.code, 'ESCALATION_PENDING')
  assert.equal(findPauseRefusal({ safety_rules: { pause_on_escalation: false } as never }, 1), null)
})

test('the third failure is one too many', () => {
  assert.equal(findFailureTrigger(2, []), null)
  const failed = ['s3 PAY']
  const trigger = findFailureTrigger(3, failed)
  assert.deepEqual([trigger?.code, trigger?.details.failed], ['REPEATED_FAILURE', failed])
  assert.deepEqual(buildAskedTrigger('help').details, { reason: 'help' })
})

test('what an agent should make of a no depends on who could change it', () => {
  assert.equal(deriveDisposition('LOW_CONFIDENCE'), 'soft_stop')
  assert.equal(deriveDisposition('LIMIT_EXCEEDED'), 'soft_stop')
  assert.equal(
    deriveDisposition('STEP_PARAMS_MISMATCH'),
    'soft_stop',
    'another step is another name',
  )
  assert.equal(deriveDisposition('STATE_DRIFT_DETECTED'), 'soft_stop')
  assert.equal(deriveDisposition('AGENT_SUSPENDED'), 'hard_stop')
  assert.equal(deriveDisposition('POLICY_DENIED'), 'hard_stop')
  assert.equal(deriveDisposition('CONTRACT_UNANSWERED'), 'hard_stop')
  assert.equal(deriveDisposition('MEASURE_UNAVAILABLE'), 'soft_stop', 'it may name something else')
  assert.equal(deriveDisposition('POLICY_ERROR'), 'alert')
  assert.equal(deriveEscalatedDisposition('agent:lead'), 'delegation')
  assert.equal(deriveEscalatedDisposition('operator'), 'alert')
})
