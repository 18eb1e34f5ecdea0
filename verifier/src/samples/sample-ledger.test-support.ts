/** A small life of one agent, every document real and minimal, from which tests take and spoil. */
import {
  type Address,
  type BundleEvidence,
  type Contract,
  computeAddress,
  computeIdempotencyKey,
  computeParamsFingerprint,
  createWorld,
  type Delta,
  type Entry,
  encodeHex,
  type Facts,
  formatInstant,
  hashEvidence,
  type IntentBody,
  isObject,
  type JsonObject,
  type JsonValue,
  mintDfid,
  parseInstant,
  type RuleSet,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { LedgerBuilder } from './ledger-builder.test-support.ts'
import type { SampleKey } from './sample-keys.test-support.ts'

const { sha256 } = nodeCrypto
export const AGENT = 'agent-1'
const HASH: Address = `sha256:${'00'.repeat(32)}`

export const DFID: string = mintDfid(1_769_936_400_000, new Uint8Array(10))

export const contract: Contract = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: AGENT,
  parent_agent: 'lead',
  version: '1.0.0',
  owner: 'jane@example.com',
  effective_from: '2026-01-01T00:00:00.000Z',
  role: 'EXECUTOR',
  authority: 'EXECUTE_FULL',
  priority: 50,
  mission: 'buy',
  permissions: {
    policy_kinds: ['BUY', 'COMPENSATE', 'SPAWN_CHILD', 'SPAWN_INSTANCE'],
    forbidden_kinds: [],
    resources: {},
    limits: [],
    subscriptions: [],
    reads: [],
  },
  safety_rules: {
    requires_human_approval: [],
    max_intent_retries: 3,
    escalations_per_hour: 3,
    rejections_per_hour: 100,
    budget_per_flow: { tokens: '1000' },
    pause_on_escalation: false,
    requires_signature: false,
  },
  jit_verification: { drift_envelope: {} },
  aggregate_thresholds: {},
  compensation: [],
  reason_codes: {},
}

const rules: RuleSet = {
  compiler_version: '1.0.0',
  reason_table: HASH,
  evaluators: {},
  policies: [],
}
export const rulesHash: Address = computeAddress('rules', rules, sha256)
/** A capability as it is recorded, as far as an auditor reads it. */
export const capability = {
  kind: 'BUY',
  version: '1',
  effect: 'keyed',
  reversible: true,
  world_only: false,
  risk: 'low',
  scopes: {},
  cost: {},
} as const
export const capabilityHash: Address = computeAddress('capability', capability, sha256)

function hashOfKind(kind: string = capability.kind): Address {
  return computeAddress('capability', { ...capability, kind }, sha256)
}

export function rulesBody(change: JsonObject = {}): JsonObject {
  const capabilities = [capability.kind, 'COMPENSATE', 'SPAWN_CHILD', 'SPAWN_INSTANCE'].map(
    (kind) => ({
      capability: { ...capability, kind },
      capability_hash: hashOfKind(kind),
    }),
  )
  return { rules_hash: rulesHash, rules: { ...rules }, capabilities, texts: {}, ...change }
}

export const contractHash: Address = computeAddress('contract', contract, sha256)

export function writBody(builder: LedgerBuilder, change: Partial<WritBody> = {}): WritBody {
  return {
    tenant: builder.tenant,
    issuer_key: builder.issuer.id,
    subject: AGENT,
    audience: 'rubicon',
    nonce: DFID,
    scopes: [{ kind: 'BUY' }, { kind: 'COMPENSATE' }, { kind: 'SPAWN_INSTANCE' }],
    effect_ceiling: { read: true, write: true, external: true, irreversible: false },
    budget: { calls: '10' },
    window: { not_before: '2026-02-01T00:00:00.000Z', expires_at: '2026-02-02T00:00:00.000Z' },
    delegation: { max_depth: 1, may_delegate: true },
    ...change,
  }
}

/** Who answers for the agent. */
export const OWNER = 'p_jane'

/** A deployment, but for what is deployed. */
export const DEPLOY: JsonObject = {
  action: 'deploy',
  persons: { owner: OWNER, approvers: [] },
  revoke_previous: false,
}

/** Keys, policy, contract, and an agent that is ACTIVE. */
export function bootstrap(builder: LedgerBuilder, rules: JsonObject = rulesBody()): void {
  const { operator, issuer, kernel, checkpoint } = builder
  builder.append('authority', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  for (const key of [operator, issuer, kernel, checkpoint]) builder.addKey(key)
  builder.decree('policy', rules)
  builder.decree('contract', { ...DEPLOY, contract, contract_hash: contractHash })
  move(builder, null, 'INITIALIZING', 'operator')
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry')
}

export function move(
  builder: LedgerBuilder,
  from: string | null,
  to: string,
  actor: string,
  agent_id: string = AGENT,
): Entry {
  // Only whoever lifts a suspension has to say why.
  const justification = from === 'SUSPENDED' ? 'a sample' : ''
  const body = { agent_id, from, to, actor, by: 'sample', justification }
  return builder.decree('lifecycle', body, actor === 'operator' ? builder.operator : builder.kernel)
}

/** Of a flow that is not open it is the opening, else a writ by itself. `flow`: what is else about the flow. */
export function grant(
  builder: LedgerBuilder,
  body: WritBody,
  flow: JsonObject = {},
  trajectory = 'main',
): Address {
  const id = computeAddress('writ', body, sha256)
  const signature = builder.issuer.sign('writ', body)
  const dfid = typeof flow.dfid === 'string' ? flow.dfid : DFID
  const isOpen = builder.entries.some(({ envelope, payload }) => {
    return envelope.kind === 'writ' && envelope.dfid === dfid && payload?.includes('"flow":')
  })
  const opening = {
    dfid,
    agent_id: AGENT,
    trigger: 'test',
    steps: 'many',
    contract: { hash: contractHash, seq: 6 },
    snapshot: {},
    snapshot_id: 'snapshot-1',
    ...flow,
  }
  const writ = { id, body, signature: { ...signature } }
  const payload = { salt: 'c2FsdA==', writ, ...(isOpen ? {} : { flow: opening }) }
  builder.append(trajectory, 'writ', payload, { dfid })
  if (!isOpen && typeof flow.parent_dfid === 'string')
    tellParent(builder, flow.parent_dfid, { dfid, agent: opening.agent_id, writ_id: id })
  return id
}

/** What the flow above says of a child. */
function tellParent(
  builder: LedgerBuilder,
  parent_dfid: string,
  { dfid, agent, writ_id }: { readonly dfid: string; readonly agent: string; writ_id: Address },
): void {
  const names = { child_dfid: dfid, child_agent: agent, child_trajectory: 'main' }
  const payload = { salt: 'c2FsdA==', parent_dfid, ...names, writ_id, opened_by: RUNTIME }
  builder.append('main', 'delegation', payload, { dfid: parent_dfid })
}

const RUNTIME = { kind: 'runtime' }

export type Dispatched = { readonly intent: JsonObject; readonly entry: Entry }

/** `change` is put into the intent before it is addressed and signed; the entry stands in `main`, whatever the intent says. */
export function dispatch(
  builder: LedgerBuilder,
  writId: Address,
  change: Partial<IntentBody> = {},
  cites: number = builder.authoritySeq(),
): Dispatched {
  return append(builder, 'main', decide(builder, writId, change), {
    dfid: change.dfid ?? DFID,
    authority_seq: cites,
  })
}

/** In a branch, as its intent says. */
export function dispatchIn(
  trajectory: string,
  builder: LedgerBuilder,
  writId: Address,
  change: Partial<IntentBody> = {},
): Dispatched {
  return append(builder, trajectory, decide(builder, writId, { ...change, trajectory }), {
    dfid: change.dfid ?? DFID,
    authority_seq: builder.authoritySeq(),
  })
}

function append(
  builder: LedgerBuilder,
  trajectory: string,
  { intent, record }: Decided,
  place: { readonly dfid: string; readonly authority_seq: number },
): Dispatched {
  return { intent, entry: builder.append(trajectory, 'dispatch', { ...record, send: 1 }, place) }
}

export type Decided = { readonly intent: JsonObject; readonly record: JsonObject }

/** A signed intent, and the record of how it was decided. */
export function decide(
  builder: LedgerBuilder,
  writId: Address,
  change: Partial<IntentBody> = {},
  more: {
    readonly trace?: JsonValue
    readonly proposal?: JsonObject
    readonly auth?: Facts['auth']
    /** Signs the proposal. */
    readonly signer?: SampleKey
  } = {},
): Decided {
  const { step_id = 'step-1', policy_kind = 'BUY', dfid = DFID } = change
  const { params = paramsOf(more.proposal), agent_id = AGENT } = change
  const said = { dfid, agent_id, step_id, policy_kind, params, context_ref: 'snapshot-1' }
  const document: JsonObject = { ...said, ...more.proposal }
  const signature = more.signer?.sign('proposal', document)
  const proposal = signature === undefined ? document : { ...document, signature: { ...signature } }
  const { trace = [] } = more
  const staged_at = builder.now()
  const body: Omit<IntentBody, 'facts_hash'> = {
    dfid,
    step_id,
    attempt: 1,
    tenant: builder.tenant,
    trajectory: 'main',
    agent_id,
    capability: `${policy_kind}@${capability.version}`,
    policy_kind,
    params,
    idempotency_key: computeIdempotencyKey(dfid, step_id, params, sha256),
    params_fingerprint: computeParamsFingerprint(policy_kind, params, sha256),
    resources: [],
    constraints: {},
    cost: { calls: '1' },
    snapshot_id: 'snapshot-1',
    contract_hash: contractHash,
    capability_hash: hashOfKind(policy_kind),
    writ_id: writId,
    rules_hash: rulesHash,
    compiler_version: '1.0.0',
    proposal_hash: computeAddress('proposal', proposal, sha256),
    policy_trace_hash: computeAddress('trace', trace, sha256),
    staged_at,
    dispatch_before: secondsAfter(staged_at, 30),
    ...change,
  }
  const facts = factsOf(builder, body, more.auth)
  const facts_hash = computeAddress('facts', facts, sha256)
  const whole: IntentBody = { facts_hash, ...body }
  const unsigned = { ...whole, intent_id: computeAddress('intent', whole, sha256) }
  const intent = { ...unsigned, kernel_signature: { ...builder.kernel.sign('intent', unsigned) } }
  const decision = { salt: 'c2FsdA==', attempt: 1, proposal, received: 'ab', trace }
  return { intent, record: { ...decision, facts, facts_hash, intent, jit: {} } }
}

function paramsOf(proposal: JsonObject = {}): JsonObject {
  return isObject(proposal.params) ? proposal.params : { quantity: '1.5' }
}

export function secondsAfter(at: string, seconds: number): string {
  return formatInstant((parseInstant(at) ?? 0) + seconds * 1000)
}

/** The facts that an intent was decided on. */
function factsOf(
  builder: LedgerBuilder,
  intent: Omit<IntentBody, 'facts_hash'>,
  auth?: Facts['auth'],
): Facts {
  const facts = sampleFacts(builder, intent.writ_id, auth)
  const { dfid, agent_id, snapshot_id, trajectory, approval = null, rules_hash } = intent
  const { policy_kind: kind, capability_hash: hash, attempt, tenant } = intent
  return {
    ...facts,
    now: intent.staged_at,
    tenant,
    attempt,
    auth: auth === undefined ? { kind: 'session', agent_id, key: null } : auth,
    flow: { ...facts.flow, dfid, agent_id, snapshot_id, trajectory },
    contract: facts.contract && { ...facts.contract, hash: intent.contract_hash },
    capability: { kind, hash },
    approval,
    rules_hash,
  }
}

export function sampleFacts(
  builder: LedgerBuilder,
  writId: Address,
  auth: Facts['auth'] = { kind: 'session', agent_id: AGENT, key: null },
): Facts {
  const signature = {
    key_id: builder.issuer.id,
    purpose: 'issuer',
    subject: 'x',
    valid: true,
  } as const
  return {
    now: builder.now(),
    tenant: builder.tenant,
    audience: 'rubicon',
    authority_seq: 0,
    attempt: 1,
    auth,
    flow: {
      dfid: DFID,
      agent_id: AGENT,
      state: 'ACTIVE',
      trajectory: 'main',
      rejections: 0,
      transient_rejections: 0,
      snapshot_id: 'snapshot-1',
      revoked_writ: null,
      snapshot_at: builder.now(),
    },
    agent: { status: 'ACTIVE', maintenance: false },
    contract: { hash: contractHash, seq: 6, mission_hash: HASH, revoked: false },
    writs: [{ id: writId, nonce: DFID, signature, revoked: false }],
    capability: { kind: 'BUY', hash: capabilityHash },
    claim: null,
    approval: null,
    budgets: [],
    agent_window: null,
    state: [],
    seen: [],
    world: [],
    rules_hash: rulesHash,
    in_force: { rules: [rulesHash], capability: [capabilityHash] },
  }
}

export const sampleDelta: Delta = [
  { op: 'create', kind: 'position', id: 'BTC/USD', value: { size: '1.5', price: 0.1 } },
  { op: 'create', kind: 'position', id: 'ETH é', value: '7' },
  { op: 'increment', kind: 'position', id: 'ETH é', by: '-0.25' },
  { op: 'patch', kind: 'position', id: 'BTC/USD', expected_version: 1, patch: { price: null } },
]

export function commit(
  builder: LedgerBuilder,
  intent: JsonObject,
  delta: Delta = sampleDelta,
  change: JsonObject = {},
): Entry {
  const { intent_id, proposal_hash, writ_id, policy_trace_hash } = intent
  const { compiler_version, rules_hash, facts_hash } = intent
  const named = { intent_id, proposal_hash, writ_id, policy_trace_hash, compiler_version }
  return builder.append(
    'main',
    'commit',
    {
      ...Object.fromEntries(Object.entries({ ...named, rules_hash, facts_hash }).map(known)),
      salt: 'c2FsdA==',
      delta: delta.map((op) => ({ ...op })),
      inverse: [],
      world_after: worldAfter([delta]),
      observations: [],
      cost: {},
      receipt: null,
      settled_by: 'answer',
      ...change,
    },
    { dfid: typeof intent.dfid === 'string' ? intent.dfid : DFID },
  )
}

function known([name, value]: [string, JsonValue | undefined]): [string, JsonValue] {
  return [name, value ?? null]
}

export function worldAfter(deltas: readonly Delta[]): string {
  const world = createWorld(sha256)
  for (const delta of deltas) world.apply(delta, HASH)
  return encodeHex(world.root())
}

export function reject(builder: LedgerBuilder, change: JsonObject = {}): Entry {
  return builder.append(
    'main',
    'rejection',
    {
      salt: 'c2FsdA==',
      attempt: 2,
      received: 'cd',
      trace: [],
      stage: 'parser',
      gate: null,
      reason_code: 'JSON_SYNTAX',
      details: {},
      ...change,
    },
    { dfid: DFID },
  )
}

export function revoke(builder: LedgerBuilder, target: 'writ' | 'contract', id: string): Entry {
  return builder.decree('revocation', { target, id, reason: 'done' })
}

export type Sample = {
  readonly builder: LedgerBuilder
  readonly writId: Address
  readonly intent: JsonObject
}

/** Bootstrap, writ, dispatch, commit, rejection, and a revocation afterwards. */
export function sampleLedger(word?: string): Sample {
  const builder = new LedgerBuilder(word)
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder))
  const { intent } = dispatch(builder, writId)
  commit(builder, intent)
  reject(builder)
  revoke(builder, 'writ', writId)
  return { builder, writId, intent }
}

export function sampleEvidence(): BundleEvidence {
  const context_ref = 'snapshot-1'
  const input = { dfid: DFID, contextRef: context_ref, contract, rulesHash }
  const evidence_hash = hashEvidence(input, sha256)
  return { context_ref, contract_hash: contractHash, rules_hash: rulesHash, evidence_hash }
}
