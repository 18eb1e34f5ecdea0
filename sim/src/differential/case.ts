import {
  type AtomFact,
  type CapabilityDescription,
  type CapabilityLaw,
  type CompileInput,
  type Contract,
  computeParamsFingerprint,
  type Facts,
  hashContract,
  hashMission,
  type JsonValue,
  type Policy,
  type PolicyProposal,
  type Rules,
  toAddressed,
  type Writ,
  type WritBody,
} from 'rubicon-kernel'
import { hashSha256, type Open } from './case-parts.ts'
import { createLaw, DESCRIPTION } from './law.ts'
import { buildWritFact, sealChain } from './seal-chain.ts'
import { type SentProposal, sendProposal } from './sent-proposal.ts'

export type Loose = { [name: string]: JsonValue }

/** The facts that do not follow from a document. */
type FreeFacts = Omit<
  Facts,
  'contract' | 'writs' | 'capability' | 'budgets' | 'rules_hash' | 'in_force' | 'claim'
>

export type Derived = {
  facts: Open<Facts>
  proposal: Open<PolicyProposal>
  writs: Open<Writ>[]
}

export type Draft = {
  facts: Open<FreeFacts>
  contract: Open<Contract> | null
  /** Leaf first. */
  chain: Open<WritBody>[]
  proposal: Loose
  params: Loose
  description: Open<CapabilityDescription>
  law: Partial<CapabilityLaw> | null
  policies: Policy[]
  regex: NonNullable<Rules['regex']> | null
  /** Members that the agent leaves out. */
  absent: string[]
  late: ((derived: Derived) => void)[]
  /** Changes of the atom that the proposal names, once all else is known; none: it names none. */
  atoms: ((fact: Open<AtomFact>) => void)[]
}

/** An input, and the document that it came from. */
export type Sealed = CompileInput & SentProposal

export const NOW_MS: number = Date.UTC(2026, 2, 2, 10)
export const AGENT = 'crypto_position_manager_01'
export const DFID = '0195555c-0000-7000-8000-000000000001'
export const DRAWDOWN: string = `agent.${AGENT}.drawdown_pct`
const SNAPSHOT = `sha256:${'5'.repeat(64)}`

/** A moment so many milliseconds from now. */
export function formatTimeFromNow(ms: number): string {
  return new Date(NOW_MS + ms).toISOString()
}

const CONTRACT: Contract = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: AGENT,
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: formatTimeFromNow(-86_400_000),
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  priority: 50,
  mission: 'Manage crypto positions.',
  permissions: {
    policy_kinds: ['BUY', 'SELL'],
    forbidden_kinds: ['WITHDRAW'],
    resources: { instruments: ['ETH-USD', 'BTC-*'] },
    limits: [
      {
        id: 'order_value',
        kind: 'range',
        measure: 'order_value_usd',
        max: '50000',
        on_breach: 'reject',
        reason_code: 'ORDER_VALUE_EXCEEDED',
      },
    ],
    subscriptions: [],
    reads: [],
  },
  safety_rules: {
    min_confidence_threshold: '0.85',
    escalate_on_uncertainty: '0.7',
    requires_human_approval: [],
    max_drawdown_limit_pct: '4',
    max_intent_retries: 3,
    escalations_per_hour: 3,
    rejections_per_hour: 100,
    budget_per_flow: { usd: '10' },
    pause_on_escalation: false,
    requires_signature: false,
  },
  jit_verification: { drift_envelope: {}, max_context_age_seconds: 30 },
  aggregate_thresholds: {},
  compensation: [],
  reason_codes: { TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: 'too big' } },
}

const WRIT: WritBody = {
  tenant: 'acme',
  issuer_key: 'key-issuer',
  subject: AGENT,
  subject_key: 'key-agent',
  audience: 'rubicon',
  nonce: DFID,
  scopes: [{ kind: 'BUY', resources: { instruments: ['ETH-USD', 'BTC-*'] } }],
  effect_ceiling: { read: true, write: true, external: true, irreversible: true },
  budget: { calls: '100', usd: '10', volume: '50' },
  window: { not_before: formatTimeFromNow(-3_600_000), expires_at: formatTimeFromNow(3_600_000) },
  delegation: { max_depth: 4, may_delegate: true },
}

const fact = { label: 'trusted', observed_at: formatTimeFromNow(0), version: '1' } as const

const FACTS: FreeFacts = {
  now: formatTimeFromNow(0),
  tenant: 'acme',
  audience: 'rubicon',
  authority_seq: 7,
  attempt: 1,
  agent_window: null,
  auth: { kind: 'session', agent_id: AGENT, key: null },
  flow: {
    dfid: DFID,
    agent_id: AGENT,
    state: 'ACTIVE',
    trajectory: 'main',
    rejections: 0,
    transient_rejections: 0,
    snapshot_id: SNAPSHOT,
    revoked_writ: null,
    snapshot_at: formatTimeFromNow(-10_000),
  },
  agent: { status: 'ACTIVE', maintenance: false },
  approval: null,
  state: [
    { path: 'accounts.settlement', value: 'ACC-1', source: 'bank', ...fact },
    { path: DRAWDOWN, value: '1.5', source: 'risk', ...fact },
    { path: 'market.price.ETH-USD', value: '2000', source: 'exchange', ...fact },
    { path: 'market.price.BTC-USD', value: '10000', source: 'exchange', ...fact },
    { path: 'market.state', value: 'OPEN', source: 'exchange', ...fact },
  ],
  seen: [],
  world: [{ kind: 'position', id: 'ETH-USD', version: 1, value: { held: '3' }, retracted: false }],
}

const PARAMS = { instrument: 'ETH-USD', quantity: '2', account: 'ACC-1' } as const

export function createBaseDraft(): Draft {
  return {
    facts: copy(FACTS),
    contract: copy(CONTRACT),
    chain: [copy(WRIT)],
    proposal: {
      dfid: DFID,
      agent_id: AGENT,
      policy_kind: 'BUY',
      context_ref: SNAPSHOT,
      valid_until: formatTimeFromNow(300_000),
      confidence: '0.95',
      grounds: { '/account': 'accounts.settlement' },
    },
    params: { ...PARAMS },
    description: copy(DESCRIPTION),
    law: {},
    policies: [],
    regex: null,
    absent: [],
    late: [],
    atoms: [],
  }
}

/** A link below the leaf, as wide as the law allows. */
export function deriveChildWrit(parent: Open<WritBody>): Open<WritBody> {
  const child = copy(parent as WritBody)
  child.delegation.max_depth = Math.max(0, parent.delegation.max_depth - 1)
  child.issuer_key = parent.subject_key ?? 'key-nobody'
  return child
}

export function copy<T>(value: T): Open<T> {
  if (Array.isArray(value)) return value.map(copy) as Open<T>
  if (typeof value !== 'object' || value === null) return value as Open<T>
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) members[name] = copy(member)
  return members as Open<T>
}

export function seal(draft: Draft): Sealed {
  const writs = sealChain(draft.chain)
  const contract = draft.contract as Contract | null
  const law = draft.law === null ? undefined : createLaw(draft.description, draft.law, hashSha256)
  const hash: Rules['hash'] = 'sha256:rules'
  const mission = contract === null ? undefined : hashMission(contract, hashSha256)
  const document: Loose = {
    ...(mission === undefined ? {} : { mission_context_hash: mission }),
    ...draft.proposal,
    params: draft.params,
  }
  const { agent_id, dfid, snapshot_id: context_ref } = draft.facts.flow
  const said = { agent_id, dfid, context_ref, mission_context_hash: mission ?? 'sha256:gone' }
  const { proposal, judged, ...sent } = sendProposal(document, draft.absent, said)
  const leaf = writs[0]
  const facts: Open<Facts> = {
    ...draft.facts,
    contract:
      contract === null || mission === undefined
        ? null
        : {
            hash: hashContract(contract, hashSha256),
            seq: 3,
            mission_hash: mission,
            revoked: false,
          },
    writs: writs.map(({ id, body }, index) => buildWritFact(id, body, writs[index + 1]?.body)),
    capability: law === undefined ? null : { kind: 'BUY', hash: law.hash },
    claim: null,
    budgets: Object.entries(leaf?.body.budget ?? {}).map(([measure, granted]) => ({
      writ: leaf?.id ?? 'sha256:none',
      measure,
      granted,
      used: '0',
    })),
    rules_hash: hash,
    in_force: { rules: [hash], capability: law === undefined ? [] : [law.hash] },
  }
  const derived: Derived = {
    facts,
    proposal: copy(proposal),
    writs,
  }
  for (const change of draft.late) change(derived)
  const { policies, regex } = draft
  const findCapability = (kind: string): CapabilityLaw | undefined =>
    kind === law?.description.kind ? law : undefined
  return {
    facts: toAddressed('facts', derived.facts as Facts, hashSha256),
    proposal: derived.proposal as PolicyProposal,
    ...sent,
    document: toAddressed('proposal', judged, hashSha256),
    contract,
    writs: derived.writs as Writ[],
    rules: {
      hash,
      policies,
      capability: findCapability,
      sha256: hashSha256,
      ...(regex === null ? {} : { regex }),
    },
  }
}

/** The fingerprint that a claim of this very proposal has. */
export function computeFingerprint({ proposal }: Derived): string {
  return computeParamsFingerprint(
    proposal.policy_kind,
    proposal.params as PolicyProposal['params'],
    hashSha256,
  )
}
