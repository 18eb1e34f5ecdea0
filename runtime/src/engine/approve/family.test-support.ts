/** Agents above the refunds bot, and what they say when they are asked. */
import assert from 'node:assert/strict'
import type { EscalationDecision, JsonObject } from 'rubicon-kernel'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { type Desk, decisionFor } from './escalation.test-support.ts'
import type { EscalationView } from './list.ts'

export const LEAD = 'lead_bot'

/** Of an agent that decides, and may do as much itself. */
export function leadContract(agent: string, most: string, more: JsonObject = {}): JsonObject {
  return {
    ...CONTRACT,
    agent_id: agent,
    owner: 'lou@example.com',
    mission: 'Decide what the refunds bot asks.',
    permissions: {
      policy_kinds: ['REFUND', 'RESOLVE_ESCALATION'],
      limits: [{ id: 'own', kind: 'range', measure: 'amount', max: most }],
    },
    ...more,
  }
}

/** Answers the first request that the agent is shown. */
export function answering(
  stage: Desk,
  agent: string,
  change: Partial<EscalationDecision> = {},
): { decided(): Promise<unknown> } {
  const said = Promise.withResolvers<unknown>()
  stage.runtime().on(agent, async (flow) => {
    const { value } = flow.context.state[0] ?? assert.fail('the agent is shown the request')
    const { request } = value as unknown as Pick<EscalationView, 'request'>
    // Nobody types words for an agent.
    const { acknowledgement: _, ...decision } = decisionFor(stage, request, change)
    said.resolve(await flow.resolveEscalation(request.id, decision))
  })
  return { decided: () => said.promise }
}
