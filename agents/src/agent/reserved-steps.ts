/** The reserved kinds, which are proposals like any other. Their names and steps are those of the library. */
import type { AgentAnswer } from './agent-answer.ts'
import type { AgentFlow, StepWait } from './agent-flow.ts'

/** How they are called on a flow. */
export type ReservedStep =
  | 'spawn'
  | 'spawnInstance'
  | 'resolveEscalation'
  | 'compensate'
  | 'escalate'
  | 'requestRetire'

/** Each as a step of the flow that proposes it. */
export function createReservedSteps(propose: AgentFlow['propose']): Pick<AgentFlow, ReservedStep> {
  const step = (
    policy_kind: string,
    named: string,
    params: object,
    { step_id = named, ...options }: StepWait = {},
  ): Promise<AgentAnswer> => propose({ policy_kind, step_id, params }, options)
  return {
    spawn: (request, options) => step('SPAWN_CHILD', 'spawn', request, options),
    spawnInstance: (request, options) =>
      step('SPAWN_INSTANCE', `spawn:${request.instance_id}`, request, options),
    resolveEscalation: (request_id, decision, options) =>
      step('RESOLVE_ESCALATION', 'resolve', { request_id, ...decision }, options),
    compensate: (dfid, action, options) =>
      step('COMPENSATE', `compensate:${dfid}`, { dfid, action }, options),
    escalate: (reason, options) => step('ESCALATE', 'escalate', { reason }, options),
    requestRetire: (reason, options) => step('RETIRE', 'retire', { reason }, options),
  }
}
