/** Reads of a payload what a story needs; whatever is not there is left out, never made up. */
import {
  describeMcpError,
  isObject,
  type JsonObject,
  type JsonValue,
  type Trace,
} from 'rubicon-kernel'
import type { Attempt, Finding, FlowEntry, Ruling } from './story-parts.ts'

export type DecisionParts = {
  readonly attempt: number
  readonly trace: Trace
  readonly proposal: JsonValue | undefined
  readonly facts: JsonValue | undefined
}

/** Null: the entry holds no decision. A request of a flow that proposed nothing has no trace. */
export function parseDecision(payload: unknown): DecisionParts | null {
  const { attempt, trace, proposal, facts, request } = parseObject(payload)
  if (typeof attempt !== 'number') return null
  if (Array.isArray(trace)) return { attempt, trace: trace as unknown as Trace, proposal, facts }
  return request === undefined ? null : { attempt, trace: [], proposal, facts }
}

export function parseRejection(payload: unknown): Pick<Attempt, 'stage' | 'code' | 'why'> {
  const refusal = parseObject(payload)
  return {
    stage: parseText(refusal.stage),
    code: parseText(refusal.domain_code) ?? parseText(refusal.reason_code),
    why: parseFinding({ ...refusal, code: refusal.reason_code ?? null }),
  }
}

export function parseRequest(payload: unknown): Pick<Attempt, 'code' | 'why'> & {
  readonly channel: string
} {
  const { reason_code, domain_code, triggers, channel } = parseObject(parseObject(payload).request)
  return {
    code: parseText(domain_code) ?? parseText(reason_code),
    why: Array.isArray(triggers) ? triggers.flatMap(parseFinding) : [],
    channel: parseText(channel) ?? '',
  }
}

/** What ran although a limit would have asked; its flow needs a review. */
export function parseFlagged(trace: Trace): readonly Finding[] {
  return trace.flatMap(({ flagged = [] }) => flagged.flatMap(parseFinding))
}

function parseFinding(found: unknown): readonly Finding[] {
  const { code, domain_code, details } = parseObject(found)
  if (typeof code !== 'string') return []
  return [{ code, domain_code: parseText(domain_code), details: parseObject(details) }]
}

/** Null: nobody is named in it. */
export function parseRuling(payload: unknown): Omit<Ruling, 'kind' | 'entry'> | null {
  const { body, releases } = parseObject(payload)
  const { decision, approver, justification } = parseObject(body)
  if (typeof decision !== 'string' || typeof approver !== 'string') return null
  return {
    decision,
    by: approver,
    justification: parseText(justification) ?? '',
    releases: typeof releases === 'string',
  }
}

export function parseLifted(facts: unknown): Attempt['lifted'] {
  const { approver, lifts } = parseObject(parseObject(facts).approval)
  if (typeof approver !== 'string' || !Array.isArray(lifts)) return null
  return { by: approver, triggers: lifts.filter((one) => typeof one === 'string') }
}

/** Whether the intent was decided here. */
export function parseAccepted(payload: unknown): boolean {
  return parseObject(payload).intent !== undefined
}

export function parseSettlement(payload: unknown): string | null {
  return parseText(parseObject(payload).status)
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
    trigger: parseText(trigger),
    agent_id: parseText(agent_id),
    dfid: parseText(dfid),
    snapshot,
  }
}

/** What an agent was shown there: when its flow was opened, looked at again, or refused. Null: nothing was. */
export function parseSnapshot(payload: unknown): Partial<JsonObject> | null {
  const { flow, snapshot } = parseObject(payload)
  const shown = parseObject(flow).snapshot ?? snapshot
  return shown === undefined || shown === null ? null : parseObject(shown)
}

/** What an entry that tells of an effect says: a word for what happened, and values that go with it. */
export function parseHappening({ kind, payload }: Pick<FlowEntry, 'kind' | 'payload'>): {
  readonly word: string
  readonly code: string | null
  readonly values: readonly (readonly [string, JsonValue])[]
} {
  const body = parseObject(payload)
  const { intent, reason_code, observations, settled_by, receipt, finding, status } = body
  const { capability, step_id, params } = parseObject(intent)
  const given: readonly (readonly [string, JsonValue | undefined])[] = [
    ['capability', capability],
    ['step', step_id],
    ['with', kind === 'dispatch' ? params : undefined],
    [
      'result',
      Array.isArray(observations) && observations.length === 1 ? observations[0] : observations,
    ],
    ['known from', settled_by],
    ['receipt', receipt],
    ['source', body.source],
  ]
  return {
    word: [
      WORDS.get(kind) ?? kind,
      describeMcpError(observations),
      parseText(finding),
      parseText(status),
    ]
      .filter((part) => part !== null)
      .join(': '),
    code: parseText(reason_code),
    values: given.flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, value] as const],
    ),
  }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['accepted', 'accepted, for an executor'],
  ['dispatch', 'sent'],
  ['resend', 'sent again'],
  ['settle', 'outcome'],
  ['commit', 'done'],
])

export type Erased = { readonly at: string; readonly by: string | null; readonly reason: string }

/** Who had the flow erased, when and why; null: nobody. */
export function findErasure(entries: readonly FlowEntry[]): Erased | null {
  const entry = entries.find(({ kind }) => kind === 'erasure')
  if (entry === undefined) return null
  const { by, reason } = parseObject(parseObject(entry.payload).body)
  return { at: entry.at, by: parseText(by), reason: parseText(reason) ?? '' }
}

export type Proposed = {
  readonly kind: string | null
  readonly params: JsonObject
  readonly justification: string | null
  readonly confidence: string | null
}

export function parseProposed(proposal: JsonValue | undefined): Proposed {
  const { policy_kind, params = {}, justification, confidence } = parseObject(proposal ?? {})
  return {
    kind: parseText(policy_kind),
    params: isObject(params) ? params : {},
    justification: parseText(justification),
    // A number or a decimal in text.
    confidence: typeof confidence === 'number' ? String(confidence) : parseText(confidence),
  }
}

export function parseObject(value: unknown): Partial<JsonObject> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

function parseText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
