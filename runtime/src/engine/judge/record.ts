/** What is written when a proposal ends without an effect. */
import {
  type Addressed,
  type AssembledContext,
  type CompileInput,
  type DeployedContract,
  type FlowMember,
  type FlowState,
  govern,
  isAuthorityLost,
  type JsonObject,
  type JsonValue,
  type PolicyProposal,
  REASONS,
  type ReasonCode,
  type RejectionPayload,
  type Trace,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Unit, Write } from '../../ports/store.ts'
import { compileFreshContext } from '../context/fresh-context.ts'
import {
  buildMemory,
  type DecisionToRemember,
  parsePolicyKind,
  parseWanted,
} from '../context/memory.ts'
import type { Context } from '../engine-context.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import type { Received, Release, Stake } from './receive.ts'

/** The members that every decision record shares, as canonical text. */
export function recordMembers(
  context: Context,
  { received, filled }: Pick<Received, 'received' | 'filled'>,
  attempt: number,
  trace: string,
  input?: { readonly facts?: CompileInput['facts']; readonly document?: Addressed<JsonValue> },
): Record<string, string | undefined> {
  return {
    salt: toCanonicalText(mintSalt(context)),
    attempt: String(attempt),
    received: `"${received}"`,
    filled: filled === undefined ? undefined : toCanonicalText(filled),
    proposal: input?.document?.text,
    facts: input?.facts?.text,
    facts_hash: input?.facts === undefined ? undefined : `"${input.facts.address}"`,
    trace,
  }
}

export function traceText(trace: Trace): string {
  return toCanonicalText(trace)
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
export async function buildRejectionUnit(
  context: Context,
  flow: FlowRow,
  now: string,
  rejection: Rejection,
  source: {
    readonly received: string
    readonly filled?: readonly FlowMember[]
    readonly facts?: CompileInput['facts']
    readonly document?: Addressed<JsonValue>
    readonly proposal?: PolicyProposal
    /** It is refused at its release: whoever waited goes back to its agent. */
    readonly release?: Release
    readonly stake?: Pick<Stake, 'leave' | 'waited'>
    /** What else is written with it. */
    readonly also?: readonly Write[]
    /** Only the narrowing of an instance refuses it: it counts for that one alone. */
    readonly alone?: boolean
  },
  deployed?: DeployedContract,
): Promise<RejectionRecord> {
  const { code, domain_code, stage, details, trace } = rejection
  const attempts = flow.attempts + 1
  const lost = source.facts === undefined ? undefined : isAuthorityLost(source.facts.value)
  const retries = deployed?.contract.safety_rules.max_intent_retries
  const waited = source.stake?.waited === true
  const judged = flow.state === 'ACTIVE' || source.release !== undefined || waited
  const counted = judged ? govern(flow, code, retries, lost) : null
  const ended = counted?.ended ?? null
  const to: FlowState = ended === null ? 'ACTIVE' : 'ABORTED'
  const path: readonly FlowState[] =
    counted === null ? [] : [...(waited ? [] : ['VALIDATING' as const]), to]
  const memory = await buildMemory(context, {
    ...toDecision(flow, now, source.document?.value),
    outcome: ended === null ? 'REJECTED' : 'EXHAUSTED',
    code,
    ...(domain_code === undefined ? {} : { domain_code }),
    details,
  })
  const goesOn = counted !== null && ended === null && deployed !== undefined
  const again = { code, proposal: source.proposal, decided: memory.record }
  const fresh = goesOn
    ? await compileFreshContext(context, flow, now, { ...again, deployed })
    : null
  const shown = fresh?.snapshot
  const after = moveFlow(flow, path, now, {
    attempts,
    ...(counted === null
      ? {}
      : { rejections: counted.rejections, transient_rejections: counted.transient_rejections }),
    ...(shown === undefined ? {} : { snapshot_id: shown.address, snapshot_at: now }),
  })
  const payload = composeCanonicalObject({
    ...recordMembers(context, source, attempts, traceText(trace), source),
    stage: `"${stage}"`,
    gate: String(REASONS[code].gate),
    reason_code: `"${code}"`,
    domain_code: domain_code === undefined ? undefined : toCanonicalText(domain_code),
    details: toCanonicalText(details),
    snapshot: shown?.text,
    snapshot_id: shown === undefined ? undefined : `"${shown.address}"`,
    ended_flow: ended === null ? undefined : `"${ended}"`,
  })
  const unit = buildFlowUnit(flow, after, 'rejection', payload, memory.write)
  const { guards = [], writes = [] } = source.release?.unit ?? {}
  const { also = [], stake } = source
  const whole: Unit = {
    guards: [...unit.guards, ...guards, ...(stake?.leave.guards ?? [])],
    writes: [...unit.writes, ...writes, ...(stake?.leave.writes ?? []), ...also],
  }
  return { unit: whole, flow: after, ended, fresh }
}

/** What memory keeps of every decision. */
export function toDecision(
  { agent_id, dfid, attempts }: FlowRow,
  at: string,
  document: JsonValue | undefined,
): Pick<DecisionToRemember, 'agent_id' | 'at' | 'dfid' | 'attempt' | 'policy_kind' | 'wanted'> {
  const policy_kind = parsePolicyKind(document)
  return { agent_id, at, dfid, attempt: attempts + 1, policy_kind, wanted: parseWanted(document) }
}

export function buildFlowUnit(
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
