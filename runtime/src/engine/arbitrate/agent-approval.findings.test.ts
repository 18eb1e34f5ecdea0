/** An agent above is no person: what it lets pass does not come before the others of an event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { Capability } from '../../ports/capability.ts'
import { decisionFor } from '../approve/escalation.test-support.ts'
import type { EscalationView } from '../approve/list.ts'
import { type EventStage, eventStage, RISK, SENTIMENT } from './event-stage.test-support.ts'

const LEAD = 'agent_lead'

const limit = (max: string, more: JsonObject = {}): JsonObject[] => [
  { id: `most_${LEAD}`, kind: 'range', measure: 'amount', max, ...more },
]

/** Sentiment asks its lead about everything, and the lead lets it pass at once. */
async function stageWithLead(): Promise<EventStage> {
  const sent: string[] = []
  const createTrade = (kind: string): Capability => ({
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { what: { type: 'string' }, amount: { type: 'string' } },
      required: ['amount'],
      additionalProperties: false,
    },
    measures: { amount: ({ amount }) => amount },
    execute() {
      sent.push(kind)
      return { result: kind }
    },
  })
  const capabilities = ['BUY', 'SELL', 'ALERT'].map(createTrade)
  const stage = await eventStage({ capabilities })
  await stage.deploy({
    agent_id: LEAD,
    owner: 'lou@example.com',
    permissions: { policy_kinds: ['BUY', 'RESOLVE_ESCALATION'], limits: limit('1000') },
  })
  await stage.deploy({
    agent_id: SENTIMENT,
    version: '2.0.0',
    parent_agent: LEAD,
    permissions: {
      policy_kinds: ['BUY'],
      limits: limit('1', { on_breach: 'escalate' }),
      subscriptions: [{ topic: 'market.price' }],
      reads: ['market.*'],
    },
  })
  const decided = Promise.withResolvers<unknown>()
  stage.runtime().on(LEAD, async (flow) => {
    const { value } = flow.context.state[0] ?? assert.fail('the lead is shown the request')
    const { request } = value as unknown as Pick<EscalationView, 'request'>
    const { acknowledgement: _, ...decision } = decisionFor(stage, request, {})
    decided.resolve(await flow.resolveEscalation(request.id, decision))
  })
  await stage.wake()
  const { dfid } = await stage.flowOf(SENTIMENT)
  const proposal = { policy_kind: 'BUY', params: { amount: '800' } }
  const asked = await stage.engine().propose(dfid, proposal, { waitMs: 0 })
  assert.deepEqual([asked.outcome, asked.disposition], ['ESCALATED', 'delegation'])
  const { outcome } = (await decided.promise) as { readonly outcome: string }
  assert.equal(outcome, 'ACCEPTED')
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
  return { ...stage, sent }
}

test('what an agent above lets pass does not win before the others have spoken', async () => {
  const stage = await stageWithLead()
  assert.deepEqual(stage.sent, [])
  await stage.bid(RISK, 'ALERT', { amount: '1' })
  await stage.closeWindow()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, ['ALERT'])
  assert.equal(await stage.lastWord(SENTIMENT), 'rejection PREEMPTED')
  await stage.close()
})

test('what an agent above let pass is carried out after a window in which nobody won', async () => {
  const stage = await stageWithLead()
  await stage.closeWindow()
  await stage.engine().runDue()
  await stage.engine().context.inFlight.awaitDrained()
  assert.deepEqual(stage.sent, ['BUY'])
  const late = await stage.bid(RISK, 'ALERT', { amount: '1' })
  assert.equal(late.reason_code, 'PREEMPTED')
  await stage.close()
})
