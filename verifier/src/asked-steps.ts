/**
 * What an agent does through the runtime, it asks for in a step: an instance that it has made, a decision
 * about what another asked. Whoever misuses the kernel's key can write that it was done; that the agent
 * asked for it stands in a dispatched step of its own.
 */
import type { JsonValue, SignedIntent } from 'rubicon-kernel'
import type { AuthorityState } from './authority-state.ts'

/** What a step asks for, as a text that says it exactly; null: nothing of the kind. */
export function findAskedStep({ policy_kind, agent_id, params }: SignedIntent): string | null {
  if (policy_kind === 'SPAWN_INSTANCE')
    return spawnAsked(agent_id, params.class, params.instance_id)
  if (policy_kind === 'RESOLVE_ESCALATION')
    return formatAskedDecision(agent_id, params.request_id, params.decision)
  return null
}

type Param = JsonValue | undefined

export function spawnAsked(spawner: string, ofClass: Param, instance: Param): string {
  return JSON.stringify(['spawn', spawner, ofClass, instance])
}

export function formatAskedDecision(agent: string, request: Param, decision: Param): string {
  return JSON.stringify(['decide', agent, request, decision])
}

/** A step that was erased may have asked for one thing. */
export function isAsked(state: AuthorityState, asked: string): boolean {
  if (!state.seesFlows || state.asked.has(asked)) return true
  if (state.erasedDispatches === 0) return false
  state.erasedDispatches -= 1
  return true
}
