/** Reads of a payload what a story needs; whatever is not there is left out, never made up. */
import type { JsonObject, JsonValue, Trace } from 'rubicon-kernel'

export type DecisionParts = {
  readonly attempt: number
  readonly trace: Trace
  readonly proposal: JsonValue | undefined
  readonly facts: JsonValue | undefined
}

/** Null: the entry holds no decision. */
export function parseDecision(payload: unknown): DecisionParts | null {
  const { attempt, trace, proposal, facts } = parseObject(payload)
  if (typeof attempt !== 'number' || !Array.isArray(trace)) return null
  return { attempt, trace: trace as unknown as Trace, proposal, facts }
}

export function parseRejection(payload: unknown): {
  readonly stage: string | null
  readonly code: string | null
  readonly details: JsonValue
} {
  const { stage, reason_code, domain_code, details = {} } = parseObject(payload)
  return { stage: textOf(stage), code: textOf(domain_code) ?? textOf(reason_code), details }
}

export function parseRequest(payload: unknown): {
  readonly code: string | null
  readonly details: JsonValue
} {
  const request = parseObject(parseObject(payload).request ?? {})
  const { reason_code, domain_code, triggers = [] } = request
  return { code: textOf(domain_code) ?? textOf(reason_code), details: triggers }
}

/** Whether the intent was decided here. */
export function parseAccepted(payload: unknown): boolean {
  return parseObject(payload).intent !== undefined
}

export function parseSettlement(payload: unknown): string | null {
  return textOf(parseObject(payload).status)
}

export type Opening = {
  readonly trigger: string | null
  readonly agent_id: string | null
  readonly dfid: string | null
  readonly snapshot: JsonValue
}

/** Null: the entry opens no flow. */
export function parseOpening(payload: unknown): Opening | null {
  const { flow } = parseObject(payload)
  if (flow === undefined || flow === null) return null
  const { trigger, agent_id, dfid, snapshot = null } = parseObject(flow)
  return {
    trigger: textOf(trigger),
    agent_id: textOf(agent_id),
    dfid: textOf(dfid),
    snapshot,
  }
}

export type Proposed = {
  readonly kind: string | null
  readonly params: Partial<JsonObject>
  readonly justification: string | null
  readonly confidence: string | null
}

export function parseProposed(proposal: JsonValue | undefined): Proposed {
  const { policy_kind, params = {}, justification, confidence } = parseObject(proposal ?? {})
  return {
    kind: textOf(policy_kind),
    params: parseObject(params),
    justification: textOf(justification),
    // A number or a decimal in text.
    confidence: typeof confidence === 'number' ? String(confidence) : textOf(confidence),
  }
}

export function parseObject(value: unknown): Partial<JsonObject> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
