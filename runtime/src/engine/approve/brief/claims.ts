/** What the agent says. Shown apart, as text, and read by nothing that decides. */
import type { EscalationRequest, JsonValue, PolicyProposal } from 'rubicon-kernel'
import type { FlowExplanation } from '../../context/explain.ts'
import type { Recorded } from './recorded.ts'

export type AgentClaims = {
  /** What it says opened the flow. */
  readonly trigger: string
  readonly justification: string | null
  readonly confidence: string | null
  readonly explanation: Required<FlowExplanation> | null
  /** Why it asks for a person, where it does. */
  readonly asks: string | null
}

export function collectClaims(
  { triggers }: EscalationRequest,
  proposal: PolicyProposal | null,
  { trigger, explanations }: Recorded,
): AgentClaims {
  const { justification = null, confidence = null, explain_ref } = proposal ?? {}
  const explained = explanations.find((one) => one.explain_ref === explain_ref)
  const asked = triggers.find(({ code }) => code === 'AGENT_ASKS')
  return {
    trigger,
    justification,
    confidence,
    explanation: explained === undefined ? null : pickExplanation(explained),
    asks: asked === undefined ? null : toTextOrNull(asked.details.reason),
  }
}

function pickExplanation({
  narrative,
  identified_signals,
  risks,
}: Required<FlowExplanation>): Required<FlowExplanation> {
  return { narrative, identified_signals, risks }
}

function toTextOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
