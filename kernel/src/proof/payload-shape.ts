/**
 * Reads the payload of each kind, as the table of kinds in `docs/spec/ledger.md` has it.
 *
 * Where a document is covered by a hash or a signature of its own (contract, facts, proposal), only
 * the members that a check reads are looked at.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { IntentBody } from '../execution/intent.ts'
import { isAuthorityKind } from '../ledger/chain.ts'
import type { EntryKind } from '../ledger/entry.ts'
import type {
  AcceptedPayload,
  AnchorPayload,
  BranchPayload,
  CarryOutPayload,
  CommitPayload,
  ContractPayload,
  DelegationPayload,
  DispatchPayload,
  EvidencePayload,
  KeyPayload,
  LifecyclePayload,
  PendingApprovalPayload,
  PolicyPayload,
  RedispatchPayload,
  RefreshPayload,
  RejectionPayload,
  RevocationPayload,
  RootPayload,
  SecurityEventPayload,
  SettlePayload,
  UsagePayload,
  WritPayload,
} from '../ledger/payload.ts'
import { err, ok, type Result } from '../result.ts'
import { parseWrit } from '../writ/parse-writ.ts'
import { AUTHORITY_SHAPES, signature } from './authority-shape.ts'
import {
  address,
  anything,
  count,
  having,
  hexHash,
  identifier,
  instant,
  listOf,
  members,
  nullOr,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.ts'

export type PayloadOf = {
  readonly root: RootPayload
  readonly branch: BranchPayload
  readonly key: KeyPayload
  readonly contract: ContractPayload
  readonly lifecycle: LifecyclePayload
  readonly revocation: RevocationPayload
  readonly policy: PolicyPayload
  readonly anchor: AnchorPayload
  readonly writ: WritPayload
  readonly delegation: DelegationPayload
  readonly accepted: AcceptedPayload
  readonly dispatch: DispatchPayload | CarryOutPayload | RedispatchPayload
  readonly rejection: RejectionPayload
  readonly pending_approval: PendingApprovalPayload
  readonly commit: CommitPayload
  readonly settle: SettlePayload
  readonly evidence: EvidencePayload | UsagePayload | SecurityEventPayload | RefreshPayload
}
export type PayloadKind = keyof PayloadOf

/** A payload and what it is a payload of. */
export type ReadPayload = {
  readonly [K in PayloadKind]: { readonly kind: K; readonly payload: PayloadOf[K] }
}[PayloadKind]

const protocol = oneOf(['rubicon/1'])
const list = listOf(anything)

const writ: Shape = (value) => {
  const read = parseWrit(value)
  if (read.ok) return undefined
  return `is no writ: ${read.error[0]?.detail ?? 'unknown problem'}`
}

/** By its type, so that a new member does not compile until it has a shape. */
const intentBody: Readonly<Record<keyof IntentBody, Shape>> = {
  dfid: identifier,
  step_id: text,
  attempt: count,
  tenant: identifier,
  trajectory: identifier,
  agent_id: text,
  capability: text,
  policy_kind: text,
  params: object,
  idempotency_key: text,
  params_fingerprint: text,
  resources: list,
  constraints: object,
  cost: object,
  snapshot_id: text,
  facts_hash: address,
  contract_hash: address,
  capability_hash: address,
  writ_id: address,
  rules_hash: address,
  compiler_version: text,
  proposal_hash: address,
  policy_trace_hash: address,
  staged_at: instant,
  dispatch_before: instant,
}
const intent = members({ ...intentBody, intent_id: address, kernel_signature: signature })

const facts = having({ authority_seq: count })
const decision = {
  salt: text,
  attempt: count,
  proposal: anything,
  received: text,
  facts,
  facts_hash: address,
  trace: list,
}
const accepted = members({ ...decision, intent, jit: object })
const firstSend = members({ ...decision, intent, send: oneOf([1]), jit: object })
const position = members({ trajectory: identifier, seq: count })
const carryOut = members({
  salt: text,
  intent_id: address,
  accepted: position,
  send: oneOf([1]),
  facts,
  facts_hash: address,
  jit: object,
})
const resend = members({
  salt: text,
  intent_id: address,
  first: position,
  send: count,
  why: oneOf(['same_key', 'not_applied']),
})
const refusal = {
  salt: text,
  attempt: count,
  received: text,
  trace: list,
  stage: text,
  gate: nullOr(count),
  reason_code: text,
  details: object,
}
const refusalOptions = {
  proposal: anything,
  domain_code: text,
  ended_flow: text,
  snapshot: object,
  snapshot_id: text,
}
const securityEvent = members({
  salt: text,
  source: oneOf(['sanitiser']),
  finding: oneOf(['injection']),
  details: members(
    { where: text, label: text, patterns: listOf(text), hash: hexHash },
    { path: text },
  ),
})
const refresh = members({
  salt: text,
  source: oneOf(['context']),
  finding: oneOf(['refreshed']),
  snapshot: object,
  snapshot_id: address,
})
const refusalWithFacts = members({ ...refusal, facts, facts_hash: address }, refusalOptions)
const refusalWithoutFacts = members(refusal, refusalOptions)

const SHAPES: Readonly<Record<PayloadKind, readonly Shape[]>> = {
  root: [members({ protocol, created_by: text })],
  branch: [
    members({
      protocol,
      source: members({ trajectory: identifier, seq: count, id: address }),
      world_after: hexHash,
      note: text,
    }),
  ],
  ...AUTHORITY_SHAPES,
  writ: [members({ salt: text, writ }, { flow: having({ dfid: identifier }) })],
  delegation: [
    members(
      {
        salt: text,
        parent_dfid: identifier,
        child_dfid: identifier,
        child_agent: text,
        child_trajectory: identifier,
        writ_id: address,
      },
      { returned: object },
    ),
  ],
  accepted: [accepted],
  dispatch: [firstSend, carryOut, resend],
  rejection: [refusalWithFacts, refusalWithoutFacts],
  pending_approval: [members({ ...decision, request: object })],
  commit: [
    members(
      {
        salt: text,
        intent_id: address,
        proposal_hash: address,
        writ_id: address,
        delta: list,
        inverse: list,
        world_after: hexHash,
        observations: list,
        policy_trace_hash: address,
        compiler_version: text,
        rules_hash: address,
        facts_hash: address,
        cost: object,
        receipt: anything,
        settled_by: oneOf(['answer', 'probe', 'resend', 'person']),
      },
      { compensates: address },
    ),
  ],
  settle: [
    members({ salt: text, intent_id: address, status: text, reason_code: text, details: object }),
  ],
  evidence: [
    members({ salt: text, intent_id: address, source: text, finding: text, details: object }),
    members(
      { salt: text, writ_id: address, source: oneOf(['agent']), used: object },
      { report: identifier },
    ),
    securityEvent,
    refresh,
  ],
}

export function parsePayload(kind: EntryKind, value: JsonObject): Result<ReadPayload, string> {
  if (!isPayloadKind(kind)) return err(`kind \`${kind}\` is reserved`)
  const problem = shapeProblem(SHAPES[kind], value)
  if (problem !== undefined) return err(`payload ${problem}`)
  // The shapes above are these types, written once more as checks.
  return ok({ kind, payload: value } as unknown as ReadPayload)
}

/** Only salted payloads may be erased: without what authority says, nothing could be judged. */
export function isErasable(kind: EntryKind): boolean {
  return kind !== 'root' && kind !== 'branch' && !isAuthorityKind(kind)
}

function isPayloadKind(kind: EntryKind): kind is PayloadKind {
  return Object.hasOwn(SHAPES, kind)
}

function shapeProblem(shapes: readonly Shape[], value: JsonValue): string | undefined {
  let problem: string | undefined
  for (const shape of shapes) {
    problem = shape(value)
    if (problem === undefined) return undefined
  }
  return problem
}
