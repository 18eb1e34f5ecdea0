/** What is written when a proposal ends without an effect: a rejection, or a request for approval. */
import {
  type Addressed,
  type AssembledContext,
  assert,
  authorityLost,
  type CompileInput,
  canonicalText,
  type DeployedContract,
  type FlowState,
  formatInstant,
  govern,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type PendingApprovalPayload,
  type PolicyProposal,
  parseInstant,
  REASONS,
  type ReasonCode,
  type RejectionPayload,
  type Trace,
  type Verdict,
} from 'rubicon-kernel'
import type { FlowRow, Unit, Write } from '../ports/store.ts'
import { canonicalObject } from './canonical-object.ts'
import type { Context } from './context.ts'
import { moveFlow } from './flow-row.ts'
import { mintSalt } from './identity.ts'
import { freshContext } from './layers/fresh-context.ts'
import { type Decided, policyKindOf, remembered } from './layers/memory.ts'

/** The members that every decision record shares, as canonical text. */
export function recordMembers(
  context: Context,
  received: string,
  attempt: number,
  trace: string,
  input?: { readonly facts?: CompileInput['facts']; readonly document?: Addressed<JsonValue> },
): Record<string, string | undefined> {
  return {
    salt: canonicalText(mintSalt(context)),
    attempt: String(attempt),
    received: `"${received}"`,
    proposal: input?.document?.text,
    facts: input?.facts?.text,
    facts_hash: input?.facts === undefined ? undefined : `"${input.facts.address}"`,
    trace,
  }
}

function traceText(trace: Trace): string {
  return canonicalText(trace as unknown as JsonValue)
}

export type Rejection = {
  readonly code: ReasonCode
  readonly domain_code?: string
  readonly stage: RejectionPayload['stage']
  readonly details: JsonObject
  readonly trace: Trace
}

export type RejectionRecord = {
  readonly unit: Unit
  readonly flow: FlowRow
  readonly ended: RejectionPayload['ended_flow'] | null
  /** What the agent may decide on instead. */
  readonly fresh: AssembledContext | null
}

/** A rejection counts against an active flow; on any other it is only recorded. */
export async function rejectionUnit(
  context: Context,
  flow: FlowRow,
  now: string,
  rejection: Rejection,
  source: {
    readonly received: string
    readonly facts?: CompileInput['facts']
    readonly document?: Addressed<JsonValue>
    readonly proposal?: PolicyProposal
  },
  deployed?: DeployedContract,
): Promise<RejectionRecord> {
  const { code, domain_code, stage, details, trace } = rejection
  const attempts = flow.attempts + 1
  const own = flow.writs.map(({ id }) => id)
  const lost = source.facts === undefined ? undefined : authorityLost(source.facts.value, own)
  const retries = deployed?.contract.safety_rules.max_intent_retries
  const counted = flow.state === 'ACTIVE' ? govern(flow, code, retries, lost) : null
  const ended = counted?.ended ?? null
  const path: FlowState[] =
    counted === null ? [] : ['VALIDATING', ended === null ? 'ACTIVE' : 'ABORTED']
  const memory = await remembered(context, {
    ...decisionOf(flow, now, source.document?.value),
    outcome: ended === null ? 'REJECTED' : 'EXHAUSTED',
    code,
    ...(domain_code === undefined ? {} : { domain_code }),
    details,
  })
  const goesOn = counted !== null && ended === null && deployed !== undefined
  const again = { code, proposal: source.proposal, decided: memory.record }
  const fresh = goesOn ? await freshContext(context, flow, now, { ...again, deployed }) : null
  const shown = fresh?.snapshot
  const after = moveFlow(flow, path, now, {
    attempts,
    ...(counted === null
      ? {}
      : { rejections: counted.rejections, transient_rejections: counted.transient_rejections }),
    ...(shown === undefined ? {} : { snapshot_id: shown.address, snapshot_at: now }),
  })
  const payload = canonicalObject({
    ...recordMembers(context, source.received, attempts, traceText(trace), source),
    stage: `"${stage}"`,
    gate: String(REASONS[code].gate),
    reason_code: `"${code}"`,
    domain_code: domain_code === undefined ? undefined : canonicalText(domain_code),
    details: canonicalText(details),
    snapshot: shown?.text,
    snapshot_id: shown === undefined ? undefined : `"${shown.address}"`,
    ended_flow: ended === null ? undefined : `"${ended}"`,
  })
  const unit = flowUnit(flow, after, 'rejection', payload, memory.write)
  return { unit, flow: after, ended, fresh }
}

/** What memory keeps of every decision. */
function decisionOf(
  { agent_id, dfid, attempts }: FlowRow,
  at: string,
  document: JsonValue | undefined,
): Pick<Decided, 'agent_id' | 'at' | 'dfid' | 'attempt' | 'policy_kind'> {
  return { agent_id, at, dfid, attempt: attempts + 1, policy_kind: policyKindOf(document) }
}

type Suspended = Extract<Verdict, { kind: 'suspended' }>

export async function approvalUnit(
  context: Context,
  flow: FlowRow,
  now: string,
  verdict: Suspended,
  source: { readonly received: string; readonly input: CompileInput },
): Promise<{
  readonly unit: Unit
  readonly flow: FlowRow
  readonly request: PendingApprovalPayload['request']
}> {
  const attempts = flow.attempts + 1
  const after = moveFlow(flow, ['VALIDATING', 'ESCALATED'], now, { attempts })
  const request = approvalRequest(flow, now, verdict, source.input)
  const payload = canonicalObject({
    ...recordMembers(context, source.received, attempts, traceText(verdict.trace), source.input),
    request: canonicalText(request as unknown as JsonValue),
  })
  const { code, domain_code, triggers } = verdict
  const memory = await remembered(context, {
    ...decisionOf(flow, now, source.input.document.value),
    outcome: 'ESCALATED',
    code,
    ...(domain_code === undefined ? {} : { domain_code }),
    details: triggers.find((trigger) => trigger.code === code)?.details ?? {},
  })
  const unit = flowUnit(flow, after, 'pending_approval', payload, memory.write)
  return { unit, flow: after, request }
}

/** Impact comes from the capability, never from the agent. */
function approvalRequest(
  flow: FlowRow,
  now: string,
  verdict: Suspended,
  input: CompileInput,
): PendingApprovalPayload['request'] {
  const law = input.rules.capability(input.proposal.policy_kind)
  assert(law !== undefined, 'a suspended proposal has a capability')
  const { reversible, risk } = law.description
  const high = !reversible || risk === 'high' || risk === 'critical'
  const first = verdict.triggers[0]
  return {
    id: `${flow.dfid}:${flow.attempts + 1}`,
    dfid: flow.dfid,
    intent_digest: verdict.intent_digest,
    triggers: verdict.triggers,
    reason_code: verdict.code,
    ...(verdict.domain_code === undefined ? {} : { domain_code: verdict.domain_code }),
    impact: high ? 'HIGH_IMPACT' : 'LOW_IMPACT',
    reversible,
    facts_digest: input.facts.address,
    shown_snapshot: flow.snapshot_id,
    expires_at: formatInstant((parseInstant(now) ?? 0) + LIMITS.escalationMs),
    channel: first?.channel ?? 'operator',
  }
}

function flowUnit(
  before: FlowRow,
  after: FlowRow,
  entry: 'rejection' | 'pending_approval',
  payload: string,
  memory: Write,
): Unit {
  const append: Write = {
    kind: 'append',
    trajectory: before.trajectory,
    entry,
    dfid: before.dfid,
    payload,
  }
  return {
    guards: [{ kind: 'flow_version', dfid: before.dfid, version: before.version }],
    writes: [append, { kind: 'put_flow', flow: after }, memory],
  }
}
