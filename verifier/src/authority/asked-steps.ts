/**
 * What an agent does through the runtime, it asks for in a step: an instance that it has made, a decision
 * about what another asked. Whoever misuses the kernel's key can write that it was done; that the agent
 * asked for it stands in a dispatched step of its own.
 */
import {
  type ApprovalPayload,
  type JsonObject,
  type JsonValue,
  type Occasion,
  type SignedIntent,
  toCanonicalText,
} from 'rubicon-kernel'
import type { AuthorityState } from './authority-state.ts'

/** What a step asks for, as a text that says it exactly; null: nothing of the kind. */
export function findAskedStep({ policy_kind, agent_id, params }: SignedIntent): string | null {
  if (policy_kind === 'SPAWN_INSTANCE')
    return formatSpawn(agent_id, params.class, params.instance_id, params.until)
  return policy_kind === 'RESOLVE_ESCALATION' ? formatDecision(agent_id, params) : null
}

/** An instance is for the occasion that its step names, and ends with it. */
export function spawnAsked(
  { spawner, until }: Occasion,
  ofClass: string,
  instance: string,
): string {
  return formatSpawn(spawner, ofClass, instance, until)
}

/** All that is written down of an agent's decision is what its step says, but for what the runtime adds. */
export function formatAskedDecision(agent: string, body: ApprovalPayload['body']): string {
  const { dfid: _, approver: __, person: ___, modification: ____, ...said } = body
  return formatDecision(agent, said as JsonObject)
}

type Param = JsonValue | undefined

function formatSpawn(spawner: string, ofClass: Param, instance: Param, until: Param): string {
  return toCanonicalText(['spawn', spawner, ofClass ?? null, instance ?? null, until ?? null])
}

function formatDecision(agent: string, said: JsonObject): string {
  return toCanonicalText(['decide', agent, { lifts: [], ...said }])
}

/** A step that was erased may have asked for one thing. */
export function isAsked(state: AuthorityState, asked: string): boolean {
  if (!state.seesFlows || state.asked.has(asked)) return true
  if (state.erasedDispatches === 0) return false
  state.erasedDispatches -= 1
  return true
}
