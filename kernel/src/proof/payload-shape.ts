/**
 * Reads the payload of each kind, as §4 of `docs/spec/ledger.md` has it.
 *
 * Where a document is covered by a hash or a signature of its own (contract, facts, proposal), only
 * the members that a check reads are looked at.
 */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import type { ApprovalPayload } from '../escalation/approval.ts'
import { EXECUTION_STATUSES } from '../execution/outcome.ts'
import { isAuthorityKind } from '../ledger/chain.ts'
import { type EntryKind, PROTOCOL } from '../ledger/entry.ts'
import type {
  AcceptedPayload,
  AnchorPayload,
  AskedPayload,
  BranchPayload,
  CarryOutPayload,
  CommitPayload,
  ContractPayload,
  DelegationPayload,
  DispatchPayload,
  ErasurePayload,
  KeyPayload,
  LifecyclePayload,
  PendingApprovalPayload,
  PolicyPayload,
  RejectionPayload,
  RevocationPayload,
  RootPayload,
  SettlePayload,
  SourcePayload,
  WritPayload,
} from '../ledger/payload.ts'
import type { ResendPayload } from '../ledger/resend-payload.ts'
import type { PersonPayload } from '../person/person.ts'
import { err, ok, type Result } from '../result.ts'
import type { EventPayload } from '../topology/event.ts'
import { parseWrit } from '../writ/parse-writ.ts'
import { AUTHORITY_SHAPES, signature } from './authority-shape.ts'
import { DECISION_SHAPES } from './decision-shape.ts'
import { approval } from './escalation-shape.ts'
import { event } from './event-shape.ts'
import { type AnyEvidence, EVIDENCE_SHAPES } from './evidence-shape.ts'
import {
  acceptAnything,
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  createOpenShape,
  hexHash,
  identifier,
  listOf,
  object,
  type Shape,
  type Shapes,
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
  readonly source: SourcePayload
  readonly person: PersonPayload
  readonly writ: WritPayload
  readonly delegation: DelegationPayload
  readonly accepted: AcceptedPayload
  readonly dispatch: DispatchPayload | CarryOutPayload
  readonly resend: ResendPayload
  readonly rejection: RejectionPayload
  readonly pending_approval: PendingApprovalPayload | AskedPayload
  readonly approval: ApprovalPayload
  readonly commit: CommitPayload
  readonly settle: SettlePayload
  readonly evidence: AnyEvidence
  readonly erasure: ErasurePayload
  readonly event: EventPayload
}
export type PayloadKind = keyof PayloadOf

/** A payload and what it is a payload of. */
export type ReadPayload = {
  readonly [K in PayloadKind]: { readonly kind: K; readonly payload: PayloadOf[K] }
}[PayloadKind]

const protocol = createEnumShape([PROTOCOL])
const list = listOf(acceptAnything)

const checkWritShape: Shape = (value) => {
  const read = parseWrit(value)
  if (read.ok) return undefined
  return `is no writ: ${read.error[0]?.detail ?? 'unknown problem'}`
}

/** What is read of it by whoever asks where flows were opened, and below which. */
const opened = {
  dfid: identifier,
  agent_id: identifier,
  contract: createOpenShape({ hash: address }),
}
const checkOpeningShape: Shape = (value) => {
  return createOpenShape(opened, { parent_dfid: identifier, event_id: address })(value)
}
const DELEGATION: Shapes = {
  salt: text,
  parent_dfid: identifier,
  child_dfid: identifier,
  child_agent: text,
  child_trajectory: identifier,
  writ_id: address,
}

const checkOpenedByShape: Shape = (value) => {
  const isStep = isObject(value) && value.kind === 'intent'
  const kind = createEnumShape(['session', 'intent', 'runtime'])
  return createExactShape(isStep ? { kind, intent_id: address } : { kind })(value)
}

const worldLeaf = createExactShape({ key: hexHash, leaf: createNullableShape(hexHash) })
const erasedPayload = createExactShape(
  { trajectory: identifier, seq: count, leaf: count },
  { world: listOf(worldLeaf) },
)
const erasureBody = createExactShape(
  { dfid: identifier, reason: text, payloads: listOf(erasedPayload) },
  { by: text },
)

const SHAPES: Readonly<Record<PayloadKind, readonly Shape[]>> = {
  root: [createExactShape({ protocol, created_by: text })],
  branch: [
    createExactShape({
      protocol,
      source: createExactShape({ trajectory: identifier, seq: count, id: address }),
      world_after: hexHash,
      note: text,
    }),
  ],
  ...AUTHORITY_SHAPES,
  writ: [createExactShape({ salt: text, writ: checkWritShape }, { flow: checkOpeningShape })],
  delegation: [
    createExactShape({ ...DELEGATION, opened_by: checkOpenedByShape }),
    createExactShape({ ...DELEGATION, returned: object }),
  ],
  ...DECISION_SHAPES,
  approval: [approval],
  commit: [
    createExactShape(
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
        receipt: acceptAnything,
        settled_by: createEnumShape(['answer', 'probe', 'resend', 'person']),
      },
      { compensates: address },
    ),
  ],
  settle: [
    createExactShape({
      salt: text,
      intent_id: address,
      status: createEnumShape(EXECUTION_STATUSES),
      reason_code: text,
      details: object,
    }),
  ],
  evidence: EVIDENCE_SHAPES,
  erasure: [createExactShape({ body: erasureBody, signature })],
  event: [event],
}

/** Kinds that can be read. */
export const PAYLOAD_KINDS: readonly string[] = Object.keys(SHAPES)

export function parsePayload(kind: EntryKind, value: JsonObject): Result<ReadPayload, string> {
  const problem = findShapeProblem(SHAPES[kind], value)
  if (problem !== undefined) return err(`payload ${problem}`)
  // The shapes above are these types, written once more as checks.
  return ok({ kind, payload: value } as unknown as ReadPayload)
}

const UNSALTED: ReadonlySet<EntryKind> = new Set<EntryKind>(['root', 'branch', 'erasure', 'event'])

/** Only salted payloads may be erased: without what authority and events say, nothing could be judged. */
export function isErasable(kind: EntryKind): boolean {
  return !UNSALTED.has(kind) && !isAuthorityKind(kind)
}

function findShapeProblem(shapes: readonly Shape[], value: JsonValue): string | undefined {
  let problem: string | undefined
  for (const shape of shapes) {
    problem = shape(value)
    if (problem === undefined) return undefined
  }
  return problem
}
