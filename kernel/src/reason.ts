/**
 * Every reason code, in order of precedence: when several refusals stand, the first here is named.
 *
 * The list is closed and append-only. Each code has one producer, the seed's gate and gate code
 * where one exists, a class, an HTTP status and a page in `docs/reasons/`. `rubicon explain` and the
 * feedback to agents speak these texts.
 */
export type ReasonProducer =
  | 'queue'
  | 'parser'
  | 'proof'
  | 'repeat'
  | 'atom'
  | 'kind'
  | 'signature'
  | 'window'
  | 'scope'
  | 'capability'
  | 'budget'
  | 'arguments'
  | 'preconditions'
  | 'policy'
  | 'emission'
  | 'dispatch'
  | 'arbitration'
  | 'governor'
  | 'escalation'
  | 'outcome'
  | 'registry'
  | 'ledger'

export type Gate = 1 | 2 | 3 | 4 | 5

export type GateCode =
  | 'SCHEMA_INVALID'
  | 'RBAC_DENIED'
  | 'STALE_CONTEXT'
  | 'RESOURCE_CONTENTION'
  | 'MISSION_DISSONANCE'

export type Reason = {
  readonly producer: ReasonProducer
  readonly gate: Gate | null
  readonly gate_code: GateCode | null
  /** A transient refusal costs the agent no retry. */
  readonly transient: boolean
  readonly http: number
  readonly means: string
  readonly why: string
  readonly fix: string
}

function buildReason(
  producer: ReasonProducer,
  gated: readonly [Gate, GateCode] | null,
  lasting: 'final' | 'transient',
  http: number,
  text: { readonly means: string; readonly why: string; readonly fix: string },
): Reason {
  const [gate, gate_code] = gated ?? [null, null]
  return { producer, gate, gate_code, transient: lasting === 'transient', http, ...text }
}

/** Every reason to refuse, in order of precedence; `rubicon explain CODE` has its page. */
export type ReasonCode =
  | 'OVERLOADED'
  | 'CLOCK_SKEW'
  | 'BODY_TOO_LARGE'
  | 'BODY_NOT_UTF8'
  | 'JSON_SYNTAX'
  | 'JSON_DEPTH'
  | 'JSON_TOO_MANY_KEYS'
  | 'JSON_DUPLICATE_KEY'
  | 'JSON_FORBIDDEN_KEY'
  | 'JSON_LONE_SURROGATE'
  | 'JSON_NEGATIVE_ZERO'
  | 'JSON_NUMBER_RANGE'
  | 'JSON_NUMBER_PRECISION'
  | 'VALUE_NOT_JSON'
  | 'ID_CHARSET'
  | 'SCHEMA_INVALID'
  | 'TOPOLOGY_MISMATCH'
  | 'REJECT_AUTH'
  | 'REJECT_CONTEXT'
  | 'REJECT_DRIFT'
  | 'REJECT_HASH'
  | 'FLOW_UNKNOWN'
  | 'FLOW_NOT_OPEN'
  | 'FLOW_FULL'
  | 'FLOW_CANCELLED'
  | 'IDENTITY_MISMATCH'
  | 'STEP_IN_FLIGHT'
  | 'STEP_PARAMS_MISMATCH'
  | 'ATOM_INVALID'
  | 'ATOM_USED'
  | 'ATOM_EXPIRED'
  | 'RULES_NOT_IN_FORCE'
  | 'KIND_UNSUPPORTED'
  | 'SCHEMA_VERSION_UNSUPPORTED'
  | 'SIGNATURE_REQUIRED'
  | 'PROPOSAL_SIGNATURE_INVALID'
  | 'KEY_PURPOSE'
  | 'WRIT_MISSING'
  | 'WRIT_ID_MISMATCH'
  | 'WRIT_SIGNATURE_INVALID'
  | 'WRIT_UNTRUSTED_ISSUER'
  | 'WRIT_NOT_YET_VALID'
  | 'WRIT_EXPIRED'
  | 'CONTRACT_NOT_EFFECTIVE'
  | 'TTL_EXPIRED'
  | 'TTL_TOO_FAR'
  | 'APPROVAL_EXPIRED'
  | 'AGENT_UNKNOWN'
  | 'AGENT_NOT_ACTIVE'
  | 'AGENT_SUSPENDED'
  | 'AGENT_RETIRED'
  | 'AGENT_MAINTENANCE'
  | 'CONTRACT_REVOKED'
  | 'WRIT_REVOKED'
  | 'TENANT_MISMATCH'
  | 'WRIT_AUDIENCE'
  | 'WRIT_SUBJECT'
  | 'DELEGATION_WIDENS'
  | 'DELEGATION_DEPTH'
  | 'AUTHORITY_OBSERVE_ONLY'
  | 'RBAC_DENIED'
  | 'KIND_FORBIDDEN'
  | 'WRIT_SCOPE'
  | 'CAPABILITY_UNKNOWN'
  | 'EFFECT_CEILING'
  | 'BRANCH_EFFECT'
  | 'BUDGET_EXCEEDED'
  | 'ARGUMENTS_INVALID'
  | 'SINK_UNGROUNDED'
  | 'SINK_LABEL'
  | 'CONTRACT_UNANSWERED'
  | 'EXPRESSION_OVERFLOW'
  | 'MEASURE_UNAVAILABLE'
  | 'RESOURCE_SCOPE'
  | 'ORDER_VALUE_EXCEEDED'
  | 'LIMIT_EXCEEDED'
  | 'STATE_MISMATCH'
  | 'DRAWDOWN_LIMIT'
  | 'BUDGET_EXCEEDED_BY_PARAMS'
  | 'STALE_CONTEXT'
  | 'RESOURCES_MISMATCH'
  | 'MISSION_DISSONANCE'
  | 'PRECONDITION_FAILED'
  | 'COMPENSATION_FOREIGN'
  | 'FLOW_NOT_DIRTY'
  | 'COMPENSATION_MENU'
  | 'COMPENSATION_WAITS'
  | 'IMPACT_RAISED'
  | 'POLICY_ERROR'
  | 'POLICY_DENIED'
  | 'LOW_CONFIDENCE'
  | 'AUTHORITY_PROPOSE_ONLY'
  | 'HUMAN_APPROVAL_REQUIRED'
  | 'AUTHORITY_CEILING'
  | 'UNCERTAINTY'
  | 'APPROVAL_REQUIRED'
  | 'APPROVAL_VOID'
  | 'STATE_UNAVAILABLE'
  | 'STATE_DRIFT_DETECTED'
  | 'EXECUTION_CONSTRAINT_VIOLATED'
  | 'RESOURCE_QUARANTINED'
  | 'RESOURCE_CONTENTION'
  | 'RESOURCE_CONTENTION_TIMEOUT'
  | 'INSUFFICIENT_LIQUIDITY'
  | 'LOCK_EXPIRED'
  | 'DISPATCH_EXPIRED'
  | 'SEMANTIC_MISMATCH'
  | 'EVENT_HALTED'
  | 'PREEMPTED'
  | 'REASONING_EXHAUSTION'
  | 'CONTENTION_EXHAUSTION'
  | 'AUTHORITY_REVOKED'
  | 'COMPUTE_BUDGET_EXHAUSTED'
  | 'FLOW_EXPIRED'
  | 'WAKE_EXPIRED'
  | 'FLOW_ENDED'
  | 'AGENT_RATE'
  | 'USAGE_INVALID'
  | 'SILENCE'
  | 'MONITOR_TRIPPED'
  | 'ESCALATION_UNKNOWN'
  | 'ESCALATION_DECIDED'
  | 'ESCALATION_EXPIRED'
  | 'ESCALATION_BUDGET_EXHAUSTED'
  | 'ESCALATION_PENDING'
  | 'APPROVAL_QUEUE_FULL'
  | 'REPEATED_FAILURE'
  | 'AGENT_ASKS'
  | 'DECISION_INVALID'
  | 'DECISION_UNKNOWN'
  | 'DECISION_UNJUSTIFIED'
  | 'PERSON_UNKNOWN'
  | 'APPROVER_UNKNOWN'
  | 'APPROVER_REPEATED'
  | 'APPROVAL_DIVERGES'
  | 'PARENT_NOT_ASKED'
  | 'PARENT_NOT_ADMITTED'
  | 'APPROVAL_DIGEST_MISMATCH'
  | 'APPROVAL_SNAPSHOT_MISMATCH'
  | 'APPROVAL_WINDOW'
  | 'LIFT_UNKNOWN'
  | 'LIFTS_INCOMPLETE'
  | 'MODIFICATION_IMPOSSIBLE'
  | 'MODIFICATION_UNJUDGED'
  | 'SELF_APPROVAL'
  | 'DECISION_TOO_FAST'
  | 'IMPACT_UNACKNOWLEDGED'
  | 'INTENT_SIGNATURE_INVALID'
  | 'EFFECT_FAILED'
  | 'OUTCOME_UNKNOWN'
  | 'OBSERVATION_INVALID'
  | 'POSTCONDITION_FAILED'
  | 'DELTA_CONFLICT'
  | 'MANUAL_REVIEW_REQUIRED'
  | 'PARTIAL_SUCCESS_DIRTY'
  | 'KEY_ENCODING'
  | 'KEY_WEAK'
  | 'KEY_POSSESSION'
  | 'CONTRACT_INVALID'
  | 'CONTRACT_VERSION_IMMUTABLE'
  | 'CONTRACT_UNSIGNED'
  | 'MONITOR_INVALID'
  | 'MANIFEST_INVALID'
  | 'POLICY_REGEX_UNSAFE'
  | 'LIFECYCLE_REFUSED'
  | 'CONTEXT_SCHEMA_UNSUPPORTED'
  | 'CONTEXT_OVER_BUDGET'
  | 'CONTEXT_INCOMPLETE'
  | 'CONTEXT_REQUIRED'
  | 'JUSTIFICATION_REQUIRED'
  | 'INSTANCE_WIDENS'
  | 'PARENT_CYCLE'
  | 'VERSION_UNSUPPORTED'
  | 'SESSION_INVALID'
  | 'SESSION_EXPIRED'
  | 'DFID_SUPPLIED'
  | 'FLOW_FOREIGN'
  | 'REGISTRY_UNAVAILABLE'
  | 'FACT_NOT_OWNED'
  | 'OBSERVATION_SOURCE'
  | 'OBSERVATION_LABEL'
  | 'OBSERVATION_FUTURE'
  | 'OBSERVATION_STALE'
  | 'NOTE_TOO_LONG'
  | 'AGENT_STATE_CONFLICT'
  | 'ENTRY_UNREADABLE'
  | 'ENTRY_NOT_CANONICAL'
  | 'ENTRY_ID'
  | 'ENTRY_SEQUENCE'
  | 'ENTRY_PARENT'
  | 'PAYLOAD_HASH'
  | 'ENTRY_SIGNATURE'
  | 'KEYS_MISMATCH'
  | 'CHECKPOINT_UNREADABLE'
  | 'CHECKPOINT_SIGNATURE'
  | 'CHECKPOINT_ROOT'
  | 'CHECKPOINT_SIZE'
  | 'TRUST_MISMATCH'
  | 'INCLUSION_PROOF'
  | 'AUTHORITY_ORDER'
  | 'WORLD_MISMATCH'
  | 'LAW_MISMATCH'
  | 'COMPILER_DRIFT'
  | 'LEDGER_ROLLBACK'
  | 'ERASURE_UNSIGNED'
  | 'HEAD_MISMATCH'
  | 'STORE_DIVERGED'
  | 'ARCHIVE_MISSING'

export const REASONS: Readonly<Record<ReasonCode, Reason>> = {
  OVERLOADED: buildReason('queue', null, 'transient', 503, {
    means: 'the runtime has no room for another proposal',
    why: 'the queue of proposals in flight is full; nothing was stored',
    fix: 'wait and send the same proposal again',
  }),
  CLOCK_SKEW: buildReason('queue', null, 'transient', 503, {
    means: 'the clock of the runtime is not trusted',
    why: 'it was set back, or more than seven days forward: whatever expires would expire too early, or never',
    fix: 'send the same proposal again once the clock is right, or an operator has confirmed it: rubicon clock confirm',
  }),
  BODY_TOO_LARGE: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 413, {
    means: 'the document is larger than allowed',
    why: 'an unbounded body is a way to exhaust the runtime',
    fix: 'send less than the limit; refer to large documents instead of including them',
  }),
  BODY_NOT_UTF8: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'the bytes are not UTF-8, or start with a byte order mark',
    why: 'two readers could read two different texts',
    fix: 'encode the document as UTF-8 without a byte order mark',
  }),
  JSON_SYNTAX: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'the text is not JSON',
    why: 'a document that different readers interpret differently cannot be evidence',
    fix: 'send one JSON value, with nothing before or after it',
  }),
  JSON_DEPTH: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'the document is nested too deeply',
    why: 'deep nesting can exhaust the stack of a later reader',
    fix: 'flatten the document',
  }),
  JSON_TOO_MANY_KEYS: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'the document has too many members',
    why: 'an unbounded document is a way to exhaust the runtime',
    fix: 'send fewer members',
  }),
  JSON_DUPLICATE_KEY: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'an object names the same member twice',
    why: 'one reader keeps the first value and another the last, so a checked amount need not be the amount paid',
    fix: 'name each member once',
  }),
  JSON_FORBIDDEN_KEY: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'an object uses `__proto__`, `constructor` or `prototype` as a member',
    why: 'such members can change objects that the document does not contain',
    fix: 'rename the member',
  }),
  JSON_LONE_SURROGATE: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'a string contains half of a surrogate pair',
    why: 'different broken strings hash to the same bytes',
    fix: 'send well-formed Unicode',
  }),
  JSON_NEGATIVE_ZERO: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'a number is negative zero',
    why: 'canonical JSON cannot tell it from zero',
    fix: 'send 0',
  }),
  JSON_NUMBER_RANGE: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'a number is too large for a double',
    why: 'it would be read as infinity',
    fix: 'send the amount as a decimal string',
  }),
  JSON_NUMBER_PRECISION: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'a number loses digits when it is read',
    why: 'the value that is checked would not be the value that was written',
    fix: 'send the amount as a decimal string',
  }),
  VALUE_NOT_JSON: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'a value passed in code is not JSON',
    why: 'undefined, NaN, BigInt, dates, functions, cycles and objects with toJSON mean different things to different readers',
    fix: 'pass plain objects, arrays, strings, finite numbers, booleans and null',
  }),
  ID_CHARSET: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 400, {
    means: 'an identifier has a character outside `[A-Za-z0-9._:@-]`, or is empty or too long',
    why: 'look-alike characters let one name pass for another',
    fix: 'use plain ASCII identifiers of 1 to 128 characters',
  }),
  SCHEMA_INVALID: buildReason('parser', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: 'the proposal, or what was sent in its place, does not match its schema',
    why: 'a member is missing, unknown, or of the wrong type',
    fix: 'correct the members named in the details',
  }),
  TOPOLOGY_MISMATCH: buildReason('proof', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the rules require another topology for this decision; `wanted` names it',
    why: 'the rules choose the topology by agent, kind and topic; an agent cannot choose it',
    fix: 'for DL_PCI send a proof-carrying intent (the SDK proves what an agent with a key proposes); for SDS name an atom in `atom_id` (`flow.atom()`, or POST /v1/flows/DFID/atoms); for EOAM propose in the flow that an event opened, and not in one of your own',
  }),
  REJECT_AUTH: buildReason('proof', [2, 'RBAC_DENIED'], 'final', 401, {
    means: 'the proof is not signed by a key of the agent, or was changed after it was signed',
    why: 'a proof is worth what its signature is worth; every member of it is covered',
    fix: 'sign it with the key registered for the agent, in a new flow',
  }),
  REJECT_CONTEXT: buildReason('proof', [3, 'STALE_CONTEXT'], 'final', 409, {
    means: 'the proof names another flow, or another snapshot than the current one of its flow',
    why: 'a proof is valid only for the flow and the snapshot that it names',
    fix: 'decide again on the context of a new flow',
  }),
  REJECT_DRIFT: buildReason('proof', [3, 'STALE_CONTEXT'], 'final', 409, {
    means: 'a value has changed by more than the drift envelope allows since the proof was made',
    why: 'the proof is about values that do not hold any more',
    fix: 'decide again on the context of a new flow',
  }),
  REJECT_HASH: buildReason('proof', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the evidence hash is not that of this flow, snapshot, contract and rules',
    why: 'the proof was computed otherwise, or the contract or the rules are not those it was made under',
    fix: 'compute SHA-256 over dfid, H_s, H_c and H_r as the context gives them, in a new flow',
  }),
  FLOW_UNKNOWN: buildReason('repeat', [1, 'SCHEMA_INVALID'], 'final', 404, {
    means: 'this flow does not exist',
    why: 'this runtime did not create the dfid for this tenant',
    fix: 'open a flow and use the dfid that it returns',
  }),
  FLOW_NOT_OPEN: buildReason('repeat', [1, 'SCHEMA_INVALID'], 'final', 409, {
    means: 'the flow takes no proposals now',
    why: 'it has ended, waits for a person, or has not become active',
    fix: 'open a new flow, or wait for the pending decision',
  }),
  FLOW_FULL: buildReason('repeat', [1, 'SCHEMA_INVALID'], 'final', 409, {
    means: 'the flow has reached its limit of proposals',
    why: 'when a step fails, all steps of its flow are read; their number is bounded',
    fix: 'open a new flow, or a child flow, for the rest',
  }),
  FLOW_CANCELLED: buildReason('repeat', [1, 'SCHEMA_INVALID'], 'final', 409, {
    means: 'the flow was cancelled before dispatch',
    why: 'its agent or an operator ended it; nothing was sent',
    fix: 'open a new flow if the action is still wanted',
  }),
  IDENTITY_MISMATCH: buildReason('repeat', [1, 'SCHEMA_INVALID'], 'final', 403, {
    means: 'the proposal names an agent or flow other than that of its session',
    why: 'identity comes from authentication, never from the body',
    fix: 'send the agent_id and dfid of your own session, or leave them out',
  }),
  STEP_IN_FLIGHT: buildReason('repeat', null, 'transient', 409, {
    means: 'this step has been dispatched and its outcome is not known yet',
    why: 'sending it again could make a second effect',
    fix: 'wait for the outcome, then propose again with the same parameters',
  }),
  STEP_PARAMS_MISMATCH: buildReason('repeat', null, 'final', 422, {
    means: 'this step was already used with other parameters or another kind',
    why: 'one step has one effect; changed parameters are a different step',
    fix: 'use a new step_id for a different action',
  }),
  ATOM_INVALID: buildReason('atom', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the kernel issued no such atom for this decision',
    why: 'an atom counts for the flow, agent, contract, writ and kinds that it names, and only with the signature of the kernel',
    fix: 'ask for an atom in this flow, for the kind that is proposed: `flow.atom()`, or POST /v1/flows/DFID/atoms',
  }),
  ATOM_USED: buildReason('atom', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the atom was used already, for another step',
    why: 'an atom is good for one dispatch; what it held was spent with that',
    fix: 'ask for another atom: `flow.atom()`, or POST /v1/flows/DFID/atoms',
  }),
  ATOM_EXPIRED: buildReason('atom', [3, 'STALE_CONTEXT'], 'transient', 409, {
    means: 'the atom has expired',
    why: 'the checks that an atom records are valid for a minute; the call that it reserved was released',
    fix: 'ask for another atom, and propose within the minute that it lasts',
  }),
  RULES_NOT_IN_FORCE: buildReason('kind', null, 'transient', 503, {
    means: 'the rules or capabilities of this process are not those in force',
    why: 'the rules in force are those that an operator signed into the ledger; a process with different rules decides nothing, and nothing was stored',
    fix: 'send it to a process with the rules in force; or, as an operator, see the difference with `rubicon rules` and accept it: `rubicon up --accept-rules`',
  }),
  KIND_UNSUPPORTED: buildReason('kind', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: 'the kind is reserved, and this runtime cannot execute it',
    why: 'its meaning is fixed by the protocol, so no capability may define it',
    fix: 'propose a registered kind, or use a runtime that supports the reserved ones',
  }),
  SCHEMA_VERSION_UNSUPPORTED: buildReason('kind', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: 'the proposal uses a schema version that this runtime does not support',
    why: 'its members could mean something else in that version',
    fix: 'send schema version 1.x',
  }),
  SIGNATURE_REQUIRED: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 401, {
    means: 'the contract requires a signed proposal, and this one is not signed',
    why: 'a session token can be stolen; a signature proves possession of the key',
    fix: 'sign the proposal with the key registered for the agent; an act names no flow that could be signed: open a flow, then propose',
  }),
  PROPOSAL_SIGNATURE_INVALID: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 401, {
    means: 'the signature on the proposal is invalid',
    why: 'the bytes were changed, or another key signed them',
    fix: 'sign the exact bytes with the registered key of the agent',
  }),
  KEY_PURPOSE: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a key was used for a purpose it was not registered for',
    why: 'a key signs only for its purpose and its subject, and a retired or compromised key is no longer valid',
    fix: 'sign with a key of the matching purpose and subject; in a session, repeat the handshake with a valid key',
  }),
  WRIT_MISSING: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'there is no writ for this proposal',
    why: 'without a writ there is no authority to act',
    fix: 'open the flow again, or name a writ that was issued to the agent',
  }),
  WRIT_ID_MISMATCH: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the id of a writ is not the hash of its body',
    why: 'the writ was altered after it was issued',
    fix: 'present the writ as it was issued',
  }),
  WRIT_SIGNATURE_INVALID: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the signature on a writ is invalid',
    why: 'the writ was altered, or signed by a key other than the one it names',
    fix: 'present the writ as it was issued',
  }),
  WRIT_UNTRUSTED_ISSUER: buildReason('signature', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the chain of writs does not end at a registered issuer',
    why: 'only a registered issuer can grant authority',
    fix: 'have the writ issued by a registered issuer key',
  }),
  WRIT_NOT_YET_VALID: buildReason('window', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ is not valid yet',
    why: 'it authorises nothing before `not_before`',
    fix: 'wait until `not_before`',
  }),
  WRIT_EXPIRED: buildReason('window', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ has expired',
    why: 'it authorises nothing at or after `expires_at`',
    fix: 'open a new flow, or have a new writ issued',
  }),
  CONTRACT_NOT_EFFECTIVE: buildReason('window', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the contract is not in force now',
    why: 'it is before `effective_from` or at or after `effective_until`',
    fix: 'deploy a version that is in force',
  }),
  TTL_EXPIRED: buildReason('window', [2, 'RBAC_DENIED'], 'final', 422, {
    means: "the proposal's own deadline has passed",
    why: 'a decision must not take effect after the time it was made for',
    fix: 'decide again on fresh context',
  }),
  TTL_TOO_FAR: buildReason('window', [2, 'RBAC_DENIED'], 'final', 422, {
    means: "the proposal's deadline is too far in the future",
    why: 'a deadline of any length would be no deadline',
    fix: 'set `valid_until` to a time within the horizon',
  }),
  APPROVAL_EXPIRED: buildReason('window', [2, 'RBAC_DENIED'], 'final', 422, {
    means: 'the approval has expired',
    why: 'a person approved this until a given time, and that time has passed',
    fix: 'ask for approval again',
  }),
  AGENT_UNKNOWN: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'no contract is registered for this agent',
    why: 'agents do not register themselves',
    fix: 'have an operator deploy a contract',
  }),
  AGENT_NOT_ACTIVE: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the agent has not completed its handshake',
    why: 'only an active agent may propose',
    fix: 'complete the handshake',
  }),
  AGENT_SUSPENDED: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the agent is suspended',
    why: 'the runtime or an operator suspended it; a handshake does not end a suspension',
    fix: 'an operator reactivates it, with a reason',
  }),
  AGENT_RETIRED: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the agent is retired',
    why: 'its responsibility has ended',
    fix: 'deploy a contract for its successor',
  }),
  AGENT_MAINTENANCE: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the agent is in maintenance mode',
    why: 'one of its flows is dirty and must be compensated first',
    fix: 'compensate the dirty flow',
  }),
  CONTRACT_REVOKED: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the contract that this flow was opened under is revoked',
    why: 'a revocation takes effect at once, also for open flows',
    fix: 'have an operator deploy a new version',
  }),
  WRIT_REVOKED: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ or one of its ancestors is revoked',
    why: 'revoking a writ revokes all writs derived from it',
    fix: 'have a new writ issued',
  }),
  TENANT_MISMATCH: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a writ belongs to another tenant',
    why: 'authority does not cross tenants',
    fix: 'use a writ of this tenant',
  }),
  WRIT_AUDIENCE: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ was issued for another service',
    why: 'a writ for one service must not work at another',
    fix: 'use a writ whose audience is this service',
  }),
  WRIT_SUBJECT: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ was issued to another agent',
    why: 'a writ is valid only for the agent it names',
    fix: 'use a writ issued to this agent',
  }),
  DELEGATION_WIDENS: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a writ grants more than its parent',
    why: 'a delegated writ may only narrow authority',
    fix: "narrow scopes, ceiling, budget and window to the parent's",
  }),
  DELEGATION_DEPTH: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the chain of writs is longer than allowed',
    why: 'the parent did not allow another level',
    fix: 'delegate from a writ that allows it',
  }),
  AUTHORITY_OBSERVE_ONLY: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the agent may observe, not propose',
    why: 'its contract gives authority OBSERVE',
    fix: 'raise the authority in a new contract version',
  }),
  RBAC_DENIED: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the contract does not allow this kind of action',
    why: 'what a contract does not list is not allowed',
    fix: 'propose a listed kind, or have the contract changed',
  }),
  KIND_FORBIDDEN: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the contract forbids this kind of action',
    why: 'a forbidden kind is refused, even if something else allows it',
    fix: 'propose another kind',
  }),
  WRIT_SCOPE: buildReason('scope', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the writ does not cover this kind of action',
    why: 'a writ narrows what the contract allows',
    fix: 'use a writ whose scopes cover the kind',
  }),
  CAPABILITY_UNKNOWN: buildReason('capability', [2, 'RBAC_DENIED'], 'final', 422, {
    means: 'no capability is registered for this kind',
    why: 'there is no code that could execute it',
    fix: 'register the capability, or propose another kind',
  }),
  EFFECT_CEILING: buildReason('capability', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the effect is above the ceiling of the writ',
    why: 'the writ does not allow writes, external effects, or irreversible effects',
    fix: 'use a writ with a higher ceiling, or a capability with a smaller effect',
  }),
  BRANCH_EFFECT: buildReason('capability', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a proposal on a branch may not have effects on other systems',
    why: 'a branch is a trial: an effect that is sent from it could not be discarded with the branch',
    fix: 'propose it in a flow in `main`; on a branch, propose a kind that reads, that changes World only, or whose capability says `branches: world`',
  }),
  BUDGET_EXCEEDED: buildReason('budget', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the budget of the writ, or the window of the agent, does not cover this call',
    why: 'reserved and spent together would exceed what was granted; the window of an agent (`budget_per_agent`) counts all its flows',
    fix: 'see `amounts` for what was asked and what is left; where the details name a `window`, wait until it ends or have the contract raised; otherwise propose something cheaper, or have a larger budget granted',
  }),
  ARGUMENTS_INVALID: buildReason('arguments', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: "the parameters do not match the capability's schema",
    why: 'a capability is called only with parameters that it declared',
    fix: 'correct the parameters named in the details',
  }),
  SINK_UNGROUNDED: buildReason('arguments', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: 'a parameter must be backed by a fact, and is not, or the fact has another value',
    why: 'a value that determines an effect must come from a fact, not from the agent',
    fix: 'name in `grounds`, under the pointer of the parameter, the fact that holds exactly this value',
  }),
  SINK_LABEL: buildReason('arguments', [1, 'SCHEMA_INVALID'], 'final', 422, {
    means: 'the fact behind a parameter is not trusted enough',
    why: 'a value that anyone can write must not determine an effect',
    fix: 'ground the parameter in a fact with a label that the capability accepts',
  }),
  CONTRACT_UNANSWERED: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the contract or the writ has a rule that the capability does not support',
    why: 'a resource set without a scope, a bound on a value that is not read, a limit that is not measured, or a budget that is not drawn on would have no effect',
    fix: 'have the capability support it (`scopes`, `jit_fields`, `measures`, `cost` or `costOf` for a budget, or `touches: none`), or restrict the rule in the contract to other kinds (`applies_to`)',
  }),
  EXPRESSION_OVERFLOW: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 422, {
    means: 'an expression of the tool’s manifest became too large for these parameters',
    why: 'numbers have at most 34 digits and sums at most 1,024 elements, so that a decision takes bounded time and nothing is rounded',
    fix: 'propose smaller amounts or fewer elements; bound them in the `params` schema of the manifest',
  }),
  MEASURE_UNAVAILABLE: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 422, {
    means: 'a value that a limit needs cannot be computed',
    why: 'a fact is missing or is not a decimal; an unknown value may be above the limit',
    fix: 'have the owner of the facts under `absent` report them, with an accepted label; have the capability list those under `unread` in its `reads`',
  }),
  RESOURCE_SCOPE: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a resource is outside what contract and writ allow',
    why: 'an agent may touch only the resources it was given',
    fix: 'use an allowed resource, or have the contract changed',
  }),
  ORDER_VALUE_EXCEEDED: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the value of the order is above the limit',
    why: 'the kernel computes the value itself from quantity and price',
    fix: 'propose a smaller order',
  }),
  LIMIT_EXCEEDED: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'a limit of the contract is exceeded',
    why: 'the value computed by the capability is outside the bounds',
    fix: 'propose a value inside the bounds',
  }),
  STATE_MISMATCH: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the outside state is not the one that the contract requires',
    why: 'the contract allows the action only in that state',
    fix: 'wait for the state, or propose another action',
  }),
  DRAWDOWN_LIMIT: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'the drawdown limit is reached',
    why: 'beyond it, only actions that reduce exposure are allowed',
    fix: 'propose an action that reduces exposure',
  }),
  BUDGET_EXCEEDED_BY_PARAMS: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means:
      'with these parameters the call costs more than is left in the budget of the writ, or in the window of the agent',
    why: 'the cost depends on the parameters and was computed from them',
    fix: 'lower the parameters that determine the cost until it fits what is left (`amounts`); where the details name a `window`, wait until it ends; otherwise have a larger budget granted',
  }),
  STALE_CONTEXT: buildReason('preconditions', [3, 'STALE_CONTEXT'], 'final', 409, {
    means: "the proposal was not made on this flow's snapshot, or the snapshot is too old",
    why: 'a decision made on other facts may be wrong on these',
    fix: 'decide again on fresh context',
  }),
  RESOURCES_MISMATCH: buildReason('preconditions', [4, 'RESOURCE_CONTENTION'], 'final', 422, {
    means: 'the proposal leaves out a resource that the action needs',
    why: 'the capability computes what it needs; a shorter list would hide a conflict',
    fix: 'name all the resources in the details, or leave the list out',
  }),
  MISSION_DISSONANCE: buildReason('preconditions', [5, 'MISSION_DISSONANCE'], 'final', 409, {
    means: 'the mission of the proposal is not that of the contract in force',
    why: 'an agent with another mission decides for another purpose',
    fix: 'leave mission_context_hash out, or use that of your context',
  }),
  PRECONDITION_FAILED: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the capability says it cannot act now',
    why: 'one of its preconditions is not met',
    fix: 'see the details; propose again when the precondition is met',
  }),
  COMPENSATION_FOREIGN: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 403, {
    means: 'this agent is not responsible for the flow to be compensated',
    why: 'a compensation is chosen by the agent of the flow, by its parent agent, or by a person',
    fix: 'name a dirty flow of your own, or one of an agent whose parent you are',
  }),
  FLOW_NOT_DIRTY: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'the flow does not wait for a choice of compensation',
    why: 'it is not dirty, or its compensation was chosen already; each choice is made once',
    fix: 'see its state with `rubicon flows show`',
  }),
  COMPENSATION_MENU: buildReason('preconditions', [2, 'RBAC_DENIED'], 'final', 422, {
    means: 'the chosen compensation is not one of those allowed',
    why: 'the contract of the flow does not list it, or the capability of an effect cannot do it; an agent may not invent a compensation',
    fix: 'choose what contract and capabilities both list, or `ALERT_HUMAN`',
  }),
  COMPENSATION_WAITS: buildReason('preconditions', null, 'transient', 409, {
    means: 'an effect of the flow, or a compensation, has no outcome yet',
    why: 'an effect whose outcome is unknown cannot be undone, nor closed by a person together with its flow',
    fix: 'choose again once the steps in the details are settled, or choose `ALERT_HUMAN`; a person settles these steps first',
  }),
  IMPACT_RAISED: buildReason('preconditions', null, 'final', 202, {
    means: 'it has a higher impact now than when it was approved',
    why: 'an approval is for what was shown, and the facts have changed since',
    fix: 'decide on the new request',
  }),
  POLICY_ERROR: buildReason('policy', null, 'final', 500, {
    means: 'a policy could not be evaluated, or not within the time limit of a decision',
    why: 'a rule that fails must not let the action through',
    fix: 'correct the policy named in the details; where the parameters are too long for it, send shorter ones',
  }),
  POLICY_DENIED: buildReason('policy', null, 'final', 403, {
    means: 'a policy denies the action',
    why: 'the rule and its reason are in the details',
    fix: 'propose something that the policy allows',
  }),
  LOW_CONFIDENCE: buildReason('policy', null, 'final', 422, {
    means: 'the confidence of the agent is below what the contract requires',
    why: 'between the two thresholds a proposal is returned for revision',
    fix: 'gather more facts and propose again',
  }),
  AUTHORITY_PROPOSE_ONLY: buildReason('policy', null, 'final', 202, {
    means: 'the agent may propose, a person decides',
    why: 'its contract gives authority PROPOSE',
    fix: 'wait for the decision',
  }),
  HUMAN_APPROVAL_REQUIRED: buildReason('policy', null, 'final', 202, {
    means: 'the contract asks a person for every action of this kind',
    why: 'the kind is listed in `requires_human_approval`',
    fix: 'wait for the decision',
  }),
  AUTHORITY_CEILING: buildReason('policy', null, 'final', 202, {
    means: 'a limit is exceeded, and the contract lets a person approve that',
    why: 'the limit says `on_breach: escalate`',
    fix: 'wait for the decision, or propose a value within the limit',
  }),
  UNCERTAINTY: buildReason('policy', null, 'final', 202, {
    means: 'the confidence of the agent is too low to act without approval',
    why: 'its confidence is below `escalate_on_uncertainty`',
    fix: 'wait for the decision',
  }),
  APPROVAL_REQUIRED: buildReason('policy', null, 'final', 202, {
    means: 'a policy asks for approval',
    why: 'the rule, its channel and its reason are in the details',
    fix: 'wait for the decision',
  }),
  APPROVAL_VOID: buildReason('emission', [2, 'RBAC_DENIED'], 'final', 409, {
    means: 'what would run is not what was approved',
    why: 'the proposal, the contract, the capability or the rules have changed since the request was shown',
    fix: 'propose again, under the current rules',
  }),
  STATE_UNAVAILABLE: buildReason('dispatch', [3, 'STALE_CONTEXT'], 'transient', 503, {
    means: 'a fact that the action depends on could not be read, or is too old',
    why: 'a value that cannot be read may have changed',
    fix: 'try again when the source answers; if the details name a problem with its `answer`, fix the source',
  }),
  STATE_DRIFT_DETECTED: buildReason('dispatch', null, 'transient', 409, {
    means: 'a value has changed by more than the drift envelope allows since the agent saw it',
    why: 'values change while an agent works; a decision made on old values does not count',
    fix: 'decide again on fresh context',
  }),
  EXECUTION_CONSTRAINT_VIOLATED: buildReason('dispatch', [3, 'STALE_CONTEXT'], 'final', 409, {
    means: 'a constraint that the proposal set for itself is not met at dispatch',
    why: 'the agent said under which conditions it wants the action',
    fix: 'decide again on fresh context',
  }),
  RESOURCE_QUARANTINED: buildReason('dispatch', [4, 'RESOURCE_CONTENTION'], 'transient', 409, {
    means: 'a resource is held by an effect whose outcome is unknown',
    why: 'a second effect on it could undo or repeat the first one',
    fix: 'wait until the first one is settled; see `rubicon executions list`',
  }),
  RESOURCE_CONTENTION: buildReason('dispatch', [4, 'RESOURCE_CONTENTION'], 'transient', 409, {
    means: 'another flow holds a resource that the action needs',
    why: 'two effects on one resource must not overlap',
    fix: 'propose again later, or work on another resource',
  }),
  RESOURCE_CONTENTION_TIMEOUT: buildReason(
    'dispatch',
    [4, 'RESOURCE_CONTENTION'],
    'transient',
    409,
    {
      means: 'a resource was still held when the wait for it timed out',
      why: 'a flow that waits without end blocks the flows behind it',
      fix: 'propose again later, or work on another resource',
    },
  ),
  INSUFFICIENT_LIQUIDITY: buildReason('dispatch', [4, 'RESOURCE_CONTENTION'], 'transient', 409, {
    means: 'less of a resource is free than the action needs',
    why: 'amounts are reserved before the effect, so that their sum never exceeds what is available',
    fix: 'ask for less, or wait until others have finished',
  }),
  LOCK_EXPIRED: buildReason('dispatch', [4, 'RESOURCE_CONTENTION'], 'transient', 409, {
    means: 'the lock on a resource expired before the intent was dispatched',
    why: 'a holder that fails must not block a resource for ever',
    fix: 'propose again',
  }),
  DISPATCH_EXPIRED: buildReason('dispatch', [3, 'STALE_CONTEXT'], 'transient', 409, {
    means: 'the intent was not dispatched in time',
    why: 'its preconditions kept changing until `dispatch_before`',
    fix: 'propose again',
  }),
  SEMANTIC_MISMATCH: buildReason('dispatch', null, 'final', 409, {
    means: 'the justification does not match the proposal, or no soft guard could check it in time',
    why: 'an agent whose reasons do not match its actions may be misled or compromised; where guards block, no answer counts as a refusal',
    fix: 'have a person compare the justification with the proposal; the flow has ended, so decide again in a new one',
  }),
  EVENT_HALTED: buildReason('arbitration', null, 'final', 409, {
    means: 'an agent stopped everything that was not dispatched yet for this event',
    why: 'its HALT was granted by contract and writ, and counts whenever it arrives; the details name its flow',
    fix: 'do nothing more about this event; the next one opens new flows',
  }),
  PREEMPTED: buildReason('arbitration', null, 'transient', 409, {
    means: 'another proposal about the same event was carried out instead',
    why: 'the two exclude each other, and that one came first in the order of preempting kinds and priorities, or before this one was made; the details name its flow',
    fix: 'end the flow and wait for the next event; where only resources exclude, propose something that needs others',
  }),
  REASONING_EXHAUSTION: buildReason('governor', null, 'final', 409, {
    means: 'the flow is aborted: its proposals were rejected too often',
    why: 'an agent that keeps trying costs money and may find a gap in the rules',
    fix: 'open a new flow with a new decision; look at why the earlier ones were rejected',
  }),
  CONTENTION_EXHAUSTION: buildReason('governor', null, 'final', 409, {
    means: 'the flow is aborted: it was refused for transient reasons too often',
    why: 'something that it needs stays busy',
    fix: 'open a new flow later',
  }),
  AUTHORITY_REVOKED: buildReason('governor', null, 'final', 409, {
    means: 'the flow is aborted: its authority was revoked',
    why: 'its contract or writ is revoked, or its agent retired, so no proposal in it can be accepted',
    fix: 'open a new flow once the agent has authority again',
  }),
  COMPUTE_BUDGET_EXHAUSTED: buildReason('governor', null, 'final', 409, {
    means: 'the flow is aborted: the reasoning reported by its agent exceeds the budget',
    why: 'reasoning has a budget too; whatever the agent reports is counted, also estimates',
    fix: 'open a new flow, or raise `budget_per_flow` of the contract',
  }),
  FLOW_EXPIRED: buildReason('governor', null, 'final', 409, {
    means: 'the flow is aborted: its writ has expired, and no effect of it was pending',
    why: 'a flow that cannot continue would keep its reserved budget for ever',
    fix: 'open a new flow if the decision is still wanted',
  }),
  WAKE_EXPIRED: buildReason('governor', null, 'final', 409, {
    means:
      'the flow is aborted: an event woke its agent, but no process of the agent worked on the flow',
    why: 'a decision about an event is useful only soon after the event',
    fix: 'find out why no process of the agent is there; the next event wakes it again',
  }),
  FLOW_ENDED: buildReason('governor', null, 'final', 409, {
    means: 'the flow has ended, and too many proposals were sent to it since',
    why: 'the first proposals after the end are recorded; beyond those they are only counted',
    fix: 'open a new flow, and stop sending to this one',
  }),
  AGENT_RATE: buildReason('governor', null, 'transient', 429, {
    means: 'too many proposals of the agent were refused in this hour',
    why: 'an agent that is refused so often is guessing, and every refusal takes a ledger entry; a new flow does not reset the count',
    fix: 'wait until the time in the details, and find out why the proposals are refused',
  }),
  USAGE_INVALID: buildReason('governor', null, 'final', 422, {
    means: 'a report of usage cannot be counted',
    why: 'an amount is missing, negative, not a decimal, has too many decimals, or is implausibly large',
    fix: 'report what was used since the last report, such as `tokens` and `usd`',
  }),
  SILENCE: buildReason('governor', null, 'final', 202, {
    means: 'the flow waits for a person: its agent has been silent for too long',
    why: 'an agent that stops in its active hours has failed, and nobody would notice',
    fix: 'find out what happened to the agent; then let the flow continue, or cancel it',
  }),
  MONITOR_TRIPPED: buildReason('governor', null, 'final', 409, {
    means: 'the agent is suspended: its actions taken together exceed a bound of its monitor',
    why: 'each decision can be within its limits while their sum does harm; only a monitor sees the sum',
    fix: 'look at the flows that the entry names; then correct the agent, and reactivate it with a reason',
  }),
  ESCALATION_UNKNOWN: buildReason('escalation', null, 'final', 404, {
    means: 'this request does not exist',
    why: 'nothing was asked under this id',
    fix: 'see `rubicon escalations list`',
  }),
  ESCALATION_DECIDED: buildReason('escalation', null, 'final', 409, {
    means: 'the request is no longer waiting',
    why: 'a request is decided once, and an approval is used once',
    fix: 'see its outcome: rubicon escalations show ID',
  }),
  ESCALATION_EXPIRED: buildReason('escalation', null, 'final', 409, {
    means: 'nobody decided in time, and the flow is aborted',
    why: 'the facts that a request shows become outdated while it waits',
    fix: 'open a new flow if the action is still wanted; `approval_window_s` of the contract says how long requests wait',
  }),
  ESCALATION_BUDGET_EXHAUSTED: buildReason('escalation', null, 'final', 409, {
    means:
      'the agent has asked people too often; the flow is aborted, and the agent (of an instance: its class) is suspended',
    why: 'people who are asked too often stop reading',
    fix: 'find out why it keeps asking; then reactivate the agent, with a reason',
  }),
  ESCALATION_PENDING: buildReason('escalation', null, 'transient', 409, {
    means: 'another flow of the agent waits for a decision',
    why: 'its contract says `pause_on_escalation`',
    fix: 'wait for the decision',
  }),
  APPROVAL_QUEUE_FULL: buildReason('escalation', null, 'transient', 429, {
    means: 'too many proposals of the agent already wait for approval',
    why: 'a queue that is too long for people to read does not control anything',
    fix: 'wait until some of them are decided',
  }),
  REPEATED_FAILURE: buildReason('escalation', null, 'final', 202, {
    means: 'the effects of the flow keep failing, and a person is asked',
    why: 'an agent cannot repair a provider that keeps failing',
    fix: 'find out what is wrong with the provider; then let the flow continue, or abort it',
  }),
  AGENT_ASKS: buildReason('escalation', null, 'final', 202, {
    means: 'the agent asks for a person',
    why: 'it proposed ESCALATE: an agent that is unsure should ask',
    fix: 'read its reason, then let the flow continue or abort it: rubicon escalations show ID',
  }),
  DECISION_INVALID: buildReason('escalation', null, 'final', 422, {
    means: 'the decision does not match its schema',
    why: 'a member that is not read must not be mistaken for one that counts',
    fix: 'see the members in docs/spec/escalation.md',
  }),
  DECISION_UNKNOWN: buildReason('escalation', null, 'final', 422, {
    means: 'the decision is not OVERRIDE, MODIFY or ABORT',
    why: 'no other decision has a defined meaning',
    fix: 'decide with one of the three',
  }),
  DECISION_UNJUSTIFIED: buildReason('escalation', null, 'final', 422, {
    means: 'the decision has no reason',
    why: 'the record must show why it was taken',
    fix: 'give a reason',
  }),
  PERSON_UNKNOWN: buildReason('escalation', null, 'final', 403, {
    means: 'this login or name is not linked to a person',
    why: 'the same human could decide twice, or for an agent of their own, under another name',
    fix: 'have an operator link it: `rubicon person link` for a login, `rubicon person register` for a name',
  }),
  APPROVER_UNKNOWN: buildReason('escalation', null, 'final', 403, {
    means: 'this person may not approve requests of this agent',
    why: 'the contract lists other people, no key is registered for the name, or its signature is invalid',
    fix: 'have one of the listed people decide, or register a key of purpose approver',
  }),
  APPROVER_REPEATED: buildReason('escalation', null, 'final', 409, {
    means: 'this person has already approved the request',
    why: 'two approvals must come from two people',
    fix: 'let another person decide',
  }),
  APPROVAL_DIVERGES: buildReason('escalation', null, 'final', 409, {
    means: 'others have approved a different version of the request',
    why: 'approvals count together only if they approve the same thing',
    fix: 'approve what was approved before, or abort',
  }),
  PARENT_NOT_ASKED: buildReason('escalation', null, 'final', 403, {
    means: 'the agent was not asked about this request',
    why: 'an escalation goes to one parent agent at a time, and only that one may decide it',
    fix: 'leave the decision to the agent that was asked',
  }),
  PARENT_NOT_ADMITTED: buildReason('escalation', null, 'final', 403, {
    means: 'the parent agent may not itself do what it would approve',
    why: 'nobody can grant more authority than they have',
    fix: 'a person is asked instead; wait for the decision',
  }),
  APPROVAL_DIGEST_MISMATCH: buildReason('escalation', null, 'final', 409, {
    means: 'the decision is not about the bytes of this request',
    why: 'an approval is bound to exactly what was shown',
    fix: 'look at the request again and decide on its `intent_digest`',
  }),
  APPROVAL_SNAPSHOT_MISMATCH: buildReason('escalation', null, 'final', 409, {
    means:
      'the decision was made on facts that differ from those of the request, or from the current ones',
    why: 'the person who decides must have seen what the agent saw, and what has changed since',
    fix: 'look at the request again, and decide on its `shown_snapshot` and on the current facts',
  }),
  APPROVAL_WINDOW: buildReason('escalation', null, 'final', 422, {
    means: 'the approval would expire in the past, or too far in the future',
    why: 'an approval is for a limited time',
    fix: 'set `valid_until` to a time within a day',
  }),
  LIFT_UNKNOWN: buildReason('escalation', null, 'final', 422, {
    means: 'the decision lifts a trigger that the request does not have',
    why: 'an approval can lift only the triggers of its request',
    fix: 'lift triggers that the request names',
  }),
  LIFTS_INCOMPLETE: buildReason('escalation', null, 'final', 422, {
    means: 'an OVERRIDE that does not lift every trigger would be escalated again',
    why: 'each trigger that is not lifted still requires a person',
    fix: 'lift every trigger of the request, or decide MODIFY or ABORT',
  }),
  MODIFICATION_IMPOSSIBLE: buildReason('escalation', null, 'final', 422, {
    means: 'the request has no proposal to modify',
    why: 'it was made because an agent was silent or effects kept failing',
    fix: 'let the flow continue with OVERRIDE, or end it with ABORT',
  }),
  MODIFICATION_UNJUDGED: buildReason('escalation', null, 'final', 409, {
    means: 'the modification was not checked before the decision',
    why: 'the modified proposal has its own impact, and the person who decides must have seen it',
    fix: 'have it checked (POST /v1/escalations/ID/modification), read the result, and send its digest',
  }),
  SELF_APPROVAL: buildReason('escalation', null, 'final', 403, {
    means: 'the owner of an agent may not approve its HIGH_IMPACT actions',
    why: 'nobody can be a control on their own agent',
    fix: 'let another person decide, or have a contract deployed that says `self_approval: allowed`',
  }),
  DECISION_TOO_FAST: buildReason('escalation', null, 'transient', 409, {
    means: 'the approval came too soon after the request was shown',
    why: 'a HIGH_IMPACT request must be on screen long enough to be read',
    fix: 'read the request, and decide after `not_before`',
  }),
  IMPACT_UNACKNOWLEDGED: buildReason('escalation', null, 'final', 422, {
    means: 'the decision does not acknowledge its impact',
    why: 'a HIGH_IMPACT request requires a typed acknowledgement',
    fix: 'set `acknowledged_impact` to HIGH_IMPACT, and type what the request asks for as `acknowledgement`',
  }),
  INTENT_SIGNATURE_INVALID: buildReason('outcome', null, 'final', 500, {
    means: 'the executor refused an intent whose kernel signature is invalid',
    why: 'it was changed after the kernel decided; nothing was sent',
    fix: 'treat it as an attack: verify the ledger, rotate the kernel key',
  }),
  EFFECT_FAILED: buildReason('outcome', null, 'final', 502, {
    means: 'the effect failed and was not applied',
    why: 'the provider refused it, or could not be reached before anything was sent',
    fix: 'see the details of the provider',
  }),
  OUTCOME_UNKNOWN: buildReason('outcome', null, 'transient', 504, {
    means: 'it is not known whether the effect was applied',
    why: 'the answer was lost; the effect is neither treated as failed nor sent again',
    fix: 'wait for reconciliation',
  }),
  OBSERVATION_INVALID: buildReason('outcome', null, 'final', 502, {
    means: 'the result of the effect does not match its declared schema',
    why: 'the effect may have been applied; its answer cannot be trusted',
    fix: 'correct the capability; a person settles the outcome',
  }),
  POSTCONDITION_FAILED: buildReason('outcome', null, 'final', 502, {
    means: 'a postcondition is not met after the effect',
    why: 'no delta is committed and the flow is dirty',
    fix: 'look at the effect and compensate',
  }),
  DELTA_CONFLICT: buildReason('outcome', null, 'final', 409, {
    means: 'the effect happened, but its delta no longer applies to the World',
    why: 'another commit changed the same resource in between',
    fix: 'look at the effect and compensate',
  }),
  MANUAL_REVIEW_REQUIRED: buildReason('outcome', null, 'final', 202, {
    means: 'a person has to settle the outcome',
    why: 'neither a probe nor a resend can settle it safely',
    fix: 'look at the provider and settle it with evidence',
  }),
  PARTIAL_SUCCESS_DIRTY: buildReason('outcome', null, 'final', 409, {
    means:
      'the job is half done: an effect succeeded, and a later one failed or missed its postcondition',
    why: 'a half-done job can be worse than none, so its agent does nothing else until it is compensated',
    fix: 'have the responsible agent choose a compensation, or settle it as a person: `rubicon executions resolve`',
  }),
  KEY_ENCODING: buildReason('registry', null, 'final', 422, {
    means: 'the public key is not a canonical Ed25519 point',
    why: 'two encodings of one key would count as two identities',
    fix: 'register the 32 bytes that your key tool prints',
  }),
  KEY_WEAK: buildReason('registry', null, 'final', 422, {
    means: 'the public key has small order',
    why: 'one signature is valid for many messages, so it proves nothing',
    fix: 'generate a new key',
  }),
  KEY_POSSESSION: buildReason('registry', null, 'final', 422, {
    means: 'possession of the private key was not proven',
    why: "otherwise anyone could register anyone's key",
    fix: 'sign the registration with the key itself',
  }),
  CONTRACT_INVALID: buildReason('registry', null, 'final', 422, {
    means: 'the contract cannot be accepted',
    why: 'a member is missing, unknown or unparsable; the details name file and line',
    fix: 'correct the contract',
  }),
  CONTRACT_VERSION_IMMUTABLE: buildReason('registry', null, 'final', 409, {
    means: 'this version of the contract exists with other content',
    why: 'a version never changes, so that audits stay valid',
    fix: 'raise the version',
  }),
  CONTRACT_UNSIGNED: buildReason('registry', null, 'final', 403, {
    means: 'the contract is not signed by an operator',
    why: 'agents do not register themselves',
    fix: 'deploy it with an operator key',
  }),
  MONITOR_INVALID: buildReason('registry', null, 'final', 422, {
    means: 'the monitor cannot be deployed',
    why: 'a member is missing, unknown or unparsable, or it would watch what does not exist',
    fix: 'correct the monitor; `rubicon monitors dry-run` shows what it would have done',
  }),
  MANIFEST_INVALID: buildReason('registry', null, 'final', 422, {
    means: 'a tool manifest is not valid',
    why: 'a tool that is not understood in every part could do what nobody declared',
    fix: 'correct the manifest at the place that the message names',
  }),
  POLICY_REGEX_UNSAFE: buildReason('registry', null, 'final', 422, {
    means: 'a regular expression cannot run in linear time',
    why: 'one short input could stop the runtime for minutes',
    fix: 'write it without back-references and look-around',
  }),
  LIFECYCLE_REFUSED: buildReason('registry', null, 'final', 409, {
    means: 'the agent cannot change from its current state to that one',
    why: 'the lifecycle allows certain transitions only, each for a certain actor',
    fix: 'see the lifecycle in the glossary',
  }),
  CONTEXT_SCHEMA_UNSUPPORTED: buildReason('registry', null, 'final', 406, {
    means: 'the agent was written for another version of the working context',
    why: 'it could misread the context, so it is not invoked',
    fix: 'deploy a contract whose `context_schema` is a version that this runtime offers',
  }),
  CONTEXT_OVER_BUDGET: buildReason('registry', null, 'final', 409, {
    means: 'what must be in the context exceeds its token budget',
    why: 'mission, constraints, facts and the newest event are never left out; without them an agent would guess',
    fix: 'open the flow with fewer State paths, or give the context a larger budget',
  }),
  CONTEXT_INCOMPLETE: buildReason('registry', null, 'transient', 409, {
    means: 'facts that the contract requires in the context are missing',
    why: 'without them the agent would guess, so it is not invoked',
    fix: 'have the sources report the paths in the details, then open the flow again',
  }),
  CONTEXT_REQUIRED: buildReason('registry', null, 'transient', 409, {
    means: 'an act does not say on which facts its agent relied, or those facts have changed',
    why: 'an act is not given a context, so only `seen` can show that it was decided on current facts',
    fix: 'read the paths in the details, and act again with them in `seen`; or open a flow and propose in it',
  }),
  JUSTIFICATION_REQUIRED: buildReason('registry', null, 'final', 422, {
    means:
      'this action requires a reason: ending a suspension, settling an outcome, erasing a flow, withdrawing a monitor, confirming a clock or accepting a restore',
    why: 'the record must show why it was done; blanks and invisible characters do not count as a reason',
    fix: 'give a reason: what was checked, and what was found',
  }),
  INSTANCE_WIDENS: buildReason('registry', null, 'final', 403, {
    means: 'the contract of an instance grants more than that of its class',
    why: 'the runtime signs the contracts of instances, and may not grant more than an operator did',
    fix: 'narrow the dimensions named in the details, or have the class deployed with them',
  }),
  PARENT_CYCLE: buildReason('registry', null, 'final', 422, {
    means: 'the chain of parent agents is circular or too long',
    why: 'an escalation along it would never reach anybody',
    fix: 'name another parent, or none: then a person is asked',
  }),
  VERSION_UNSUPPORTED: buildReason('registry', null, 'final', 406, {
    means: 'the agent uses a version of the policy schema that this runtime does not support',
    why: 'its proposals could mean something else here; the handshake changed nothing',
    fix: 'use the version in the details, or an older one of the same major version',
  }),
  SESSION_INVALID: buildReason('registry', null, 'final', 401, {
    means: 'invalid session token',
    why: 'it was not issued here, belongs to another agent, or ended with its agent or its key',
    fix: 'repeat the handshake',
  }),
  SESSION_EXPIRED: buildReason('registry', null, 'final', 401, {
    means: 'the session has expired',
    why: 'sessions have a limited lifetime, so that a leaked token becomes useless',
    fix: 'repeat the handshake',
  }),
  DFID_SUPPLIED: buildReason('registry', null, 'final', 422, {
    means: 'the request to open a flow contains a dfid',
    why: 'the runtime creates dfids; a chosen one could collide with another flow',
    fix: 'leave the dfid out and use the one that is returned',
  }),
  FLOW_FOREIGN: buildReason('registry', null, 'final', 403, {
    means: 'the parent flow or the trajectory does not belong to the agent',
    why: 'a child flow spends the budget of its parent, and an entry in the wrong trajectory would fail verification',
    fix: 'name a flow of your own and leave the trajectory out, or have the agent of that flow propose SPAWN_CHILD',
  }),
  REGISTRY_UNAVAILABLE: buildReason('registry', null, 'transient', 503, {
    means: 'the registry cannot be reached, and the cached data is not enough',
    why: 'known agents are served from the cache for a while; a new agent or an old cache could be wrong',
    fix: 'try again when the registry answers',
  }),
  FACT_NOT_OWNED: buildReason('registry', null, 'final', 403, {
    means: 'the path belongs to another source',
    why: 'limits are checked on facts, so a source that could write any fact could avoid the limits',
    fix: 'see who owns the path with `rubicon source list`; have its source or an operator report it',
  }),
  OBSERVATION_SOURCE: buildReason('registry', null, 'final', 422, {
    means: 'the source of an observation is not a valid name',
    why: 'every fact must have a source',
    fix: 'name a registered source, such as `exchange`, or leave it out',
  }),
  OBSERVATION_LABEL: buildReason('registry', null, 'final', 403, {
    means: 'the sender of a note or document may not give it this label',
    why: 'a label says how far a text is trusted, so senders may give only their own',
    fix: 'leave the label out, or have an operator send it',
  }),
  OBSERVATION_FUTURE: buildReason('registry', null, 'final', 422, {
    means: 'the time of an observation is in the future',
    why: 'until that time it would hide all newer observations',
    fix: 'correct the clock of the source, or leave the time out',
  }),
  OBSERVATION_STALE: buildReason('registry', null, 'final', 409, {
    means: 'an observation is older than the last one of its path, or more than a day old',
    why: 'a late observation must not overwrite a newer one, and an old one must not count as current',
    fix: 'drop it, or observe again',
  }),
  NOTE_TOO_LONG: buildReason('registry', null, 'final', 413, {
    means: 'the note is too long',
    why: 'the context of an agent has a token budget, and one note must not use all of it',
    fix: 'write a shorter note, or put the text among the reference documents',
  }),
  AGENT_STATE_CONFLICT: buildReason('registry', null, 'transient', 409, {
    means: 'the stored state of the agent was changed by another writer',
    why: 'the second of two writers would overwrite the first without knowing it',
    fix: 'read it again, and write with the version that you read',
  }),
  ENTRY_UNREADABLE: buildReason('ledger', null, 'final', 422, {
    means: 'an entry cannot be read',
    why: 'the line is not JSON, or members are missing or unknown',
    fix: 'compare with another copy of the ledger',
  }),
  ENTRY_NOT_CANONICAL: buildReason('ledger', null, 'final', 422, {
    means: 'an entry is not stored in canonical form',
    why: 'entries are stored as their canonical JSON; other bytes were put there later',
    fix: 'compare with another copy of the ledger',
  }),
  ENTRY_ID: buildReason('ledger', null, 'final', 422, {
    means: 'the id of an entry is not the hash of its envelope',
    why: 'the envelope or the id was changed after it was recorded',
    fix: 'compare with another copy of the ledger',
  }),
  ENTRY_SEQUENCE: buildReason('ledger', null, 'final', 422, {
    means: 'the sequence of a trajectory has a gap, a repeat or a wrong start',
    why: 'an entry was removed, inserted or moved',
    fix: 'compare with another copy of the ledger',
  }),
  ENTRY_PARENT: buildReason('ledger', null, 'final', 422, {
    means: 'an entry does not follow the one before it',
    why: 'an entry was changed, removed, inserted or moved',
    fix: 'compare with another copy of the ledger',
  }),
  PAYLOAD_HASH: buildReason('ledger', null, 'final', 422, {
    means: 'a payload does not match the hash in its envelope',
    why: 'the payload was changed after it was recorded',
    fix: 'compare with another copy of the ledger',
  }),
  ENTRY_SIGNATURE: buildReason('ledger', null, 'final', 422, {
    means: 'a signature in an entry is invalid, or its key was not valid there',
    why: 'the entry was forged, or signed by a key that was not registered for it',
    fix: 'compare with another copy of the ledger',
  }),
  KEYS_MISMATCH: buildReason('ledger', null, 'final', 422, {
    means: 'the keys in the header are not those that the ledger registered',
    why: 'a file must not choose the keys it is verified with',
    fix: 'export the ledger again; verify with --trust',
  }),
  CHECKPOINT_UNREADABLE: buildReason('ledger', null, 'final', 422, {
    means: 'the checkpoint cannot be read',
    why: 'it is not a signed note of this log',
    fix: 'export the ledger again',
  }),
  CHECKPOINT_SIGNATURE: buildReason('ledger', null, 'final', 422, {
    means: "the checkpoint is not signed by the log's checkpoint key",
    why: 'anyone can compute a root; only the log can sign it',
    fix: 'compare with a checkpoint kept elsewhere',
  }),
  CHECKPOINT_ROOT: buildReason('ledger', null, 'final', 422, {
    means: 'the root computed from the entries is not that of the checkpoint',
    why: 'entries were changed after the checkpoint was signed',
    fix: 'compare with another copy of the ledger',
  }),
  CHECKPOINT_SIZE: buildReason('ledger', null, 'final', 422, {
    means: 'there are fewer entries than the checkpoint covers',
    why: 'entries at the end were removed',
    fix: 'get the missing entries, or treat them as destroyed',
  }),
  TRUST_MISMATCH: buildReason('ledger', null, 'final', 422, {
    means: 'the file does not agree with the key or checkpoint that you trust',
    why: 'it was re-signed with other keys, or it is another ledger',
    fix: 'ask where the file came from',
  }),
  INCLUSION_PROOF: buildReason('ledger', null, 'final', 422, {
    means: 'an inclusion proof does not lead to the root',
    why: 'the entry is not the one that the log recorded there',
    fix: 'export the bundle again',
  }),
  AUTHORITY_ORDER: buildReason('ledger', null, 'final', 422, {
    means: 'something was dispatched after its authority had ended',
    why: 'a revocation, suspension or expiry comes before it in the ledger',
    fix: 'treat it as an incident',
  }),
  WORLD_MISMATCH: buildReason('ledger', null, 'final', 422, {
    means: 'the World computed from the deltas is not the one that the ledger recorded',
    why: 'a delta or its result was changed, or computed differently',
    fix: 'compare with another copy of the ledger',
  }),
  LAW_MISMATCH: buildReason('ledger', null, 'final', 422, {
    means: 'a recorded decision is not what the rules give for its facts',
    why: 'the kernel that signed it applied other rules, or its key was stolen',
    fix: 'treat it as an incident',
  }),
  COMPILER_DRIFT: buildReason('ledger', null, 'final', 422, {
    means: 'the ledger was written by a compiler version other than the required one',
    why: 'another compiler version may decide differently',
    fix: 'replay without requiring a version, or recompile',
  }),
  LEDGER_ROLLBACK: buildReason('ledger', null, 'final', 503, {
    means: 'the ledger is shorter than, or different from, its last checkpoint',
    why: 'an old copy was restored, or the last entries were lost',
    fix: 'restore the newest copy, or accept the loss with `rubicon ledger accept-restore --reason`',
  }),
  ERASURE_UNSIGNED: buildReason('ledger', null, 'final', 422, {
    means: 'a payload is missing, and no erasure is recorded for it',
    why: 'no `erasure` entry signed by an operator names it: it was removed from the ledger',
    fix: 'restore it from another copy of the ledger, and treat it as an incident',
  }),
  HEAD_MISMATCH: buildReason('ledger', null, 'final', 503, {
    means: 'the ledger does not match its signed head',
    why: 'entries were changed, added or removed without the keys of the log, or the disk lost them',
    fix: 'keep the store as evidence and restore a copy that was not changed, or accept it as it is with `rubicon ledger accept-restore --reason`',
  }),
  STORE_DIVERGED: buildReason('ledger', null, 'final', 503, {
    means: 'a row of the store contradicts the ledger, or was not written by this runtime',
    why: 'rows (claims, counters, approvals, facts) were changed, restored or deleted in the database by somebody without the keys, or the disk lost them',
    fix: 'keep the store as evidence and restore a copy that was not changed; the message names the row',
  }),
  ARCHIVE_MISSING: buildReason('ledger', null, 'final', 422, {
    means: 'payloads lie in an archive that was not given',
    why: 'an operator moved them out of the store; without the file only their hashes can be checked',
    fix: 'give every file that `rubicon archive list` names: `rubicon verify --archive FILE`',
  }),
}

/** The codes in order of precedence. */
export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[]

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  REASON_CODES.map((code, index) => [code, index]),
)

export function isReasonCode(text: string): text is ReasonCode {
  return PRECEDENCE.has(text)
}

/** Lower comes first. */
export function getPrecedence(code: ReasonCode): number {
  return PRECEDENCE.get(code) ?? REASON_CODES.length
}
