/** The documents of the base case: contract, writ, facts and proposal. */

import { createHash } from 'node:crypto'
import type { JsonObject } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { Contract } from '../contract/contract.ts'
import { hashContract } from '../contract/contract-hash.ts'
import { hashMission } from '../contract/mission.ts'
import type { CapabilityLaw } from '../execution/capability.ts'
import type { Writ } from '../writ/writ.ts'
import { DESCRIPTION } from './case-law.test-support.ts'

export const sha256: Sha256 = (data) => createHash('sha256').update(data).digest()

export const NOW = '2026-03-02T10:00:00.000Z'
/** When the agent was shown its snapshot. */
const SHOWN = '2026-03-02T09:59:50.000Z'
export const DFID = '0195555c-0000-7000-8000-000000000001'
export const AGENT = 'crypto_position_manager_01'
const TENANT = 'acme'
const AUDIENCE = 'rubicon'

/** The normalised contract, as a document: a patch that still parses is normalised again. */
export const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: AGENT,
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01T00:00:00.000Z',
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
  reason_codes: {},
}

/** The writ of the flow, signed by a registered issuer. `parent` is set in chains. */
export const WRIT: JsonObject = {
  tenant: TENANT,
  issuer_key: 'key-issuer',
  subject: AGENT,
  subject_key: 'key-agent',
  audience: AUDIENCE,
  nonce: DFID,
  scopes: [{ kind: 'BUY', resources: { instruments: ['ETH-USD', 'BTC-*'] } }],
  effect_ceiling: { read: true, write: true, external: true, irreversible: true },
  budget: { calls: '100', usd: '10', volume: '50' },
  window: { not_before: '2026-03-02T09:00:00.000Z', expires_at: '2026-03-02T11:00:00.000Z' },
  delegation: { max_depth: 2, may_delegate: true },
}

export function factsOf(
  contract: Contract | null,
  writs: readonly Writ[],
  law: CapabilityLaw | null,
  rules_hash: string,
): JsonObject {
  const at = { label: 'trusted', observed_at: NOW, version: '1' }
  const leaf = writs[0]
  return {
    now: NOW,
    tenant: TENANT,
    audience: AUDIENCE,
    authority_seq: 7,
    attempt: 1,
    auth: { kind: 'session', agent_id: AGENT, key: null },
    flow: {
      dfid: DFID,
      agent_id: AGENT,
      state: 'ACTIVE',
      trajectory: 'main',
      rejections: 0,
      transient_rejections: 0,
      snapshot_id: `sha256:${'5'.repeat(64)}`,
      revoked_writ: null,
      snapshot_at: SHOWN,
    },
    agent: { status: 'ACTIVE', maintenance: false },
    contract:
      contract === null
        ? null
        : {
            hash: hashContract(contract, sha256),
            seq: 3,
            mission_hash: hashMission(contract, sha256),
            revoked: false,
          },
    writs: writs.map((writ, index) => writFact(writ, writs[index + 1])),
    capability: law === null ? null : { kind: DESCRIPTION.kind, hash: law.hash },
    claim: null,
    approval: null,
    agent_window: null,
    budgets: Object.entries(leaf?.body.budget ?? {}).map(([measure, granted]) => ({
      writ: leaf?.id ?? '',
      measure,
      granted,
      used: '0',
    })),
    state: [
      { path: 'accounts.settlement', value: 'ACC-1', source: 'bank', ...at },
      { path: `agent.${AGENT}.drawdown_pct`, value: '1.5', source: 'risk', ...at },
      { path: 'market.price.ETH-USD', value: '2000', source: 'exchange', ...at },
    ],
    seen: [{ path: 'market.price.ETH-USD', value: '2000', label: 'trusted', observed_at: SHOWN }],
    world: [
      { kind: 'position', id: 'ETH-USD', version: 1, value: { held: '3' }, retracted: false },
    ],
    rules_hash,
    in_force: { rules: [rules_hash], capability: law === null ? [] : [law.hash] },
  }
}

function writFact({ id, body }: Writ, parent: Writ | undefined): JsonObject {
  const [purpose, subject] =
    parent === undefined ? ['issuer', 'operations'] : ['agent', parent.body.subject]
  const signature = { key_id: body.issuer_key, purpose, subject, valid: true }
  return { id, nonce: body.nonce, signature, revoked: false }
}

export function proposalOf({ flow, contract }: JsonObject): JsonObject {
  const mission = isObject(contract) ? contract.mission_hash : undefined
  return {
    dfid: DFID,
    agent_id: AGENT,
    step_id: 'step-1',
    policy_kind: 'BUY',
    params: { instrument: 'ETH-USD', quantity: '2', account: 'ACC-1' },
    context_ref: (isObject(flow) ? flow.snapshot_id : undefined) ?? null,
    ...(mission === undefined ? {} : { mission_context_hash: mission }),
    execution_constraints: {},
    valid_until: '2026-03-02T10:05:00.000Z',
    confidence: '0.95',
    justification: 'the position is below its target',
    grounds: { '/account': 'accounts.settlement' },
  }
}
