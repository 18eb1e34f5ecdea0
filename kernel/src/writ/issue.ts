import { assert } from '../assert.ts'
import { formatInstant, parseInstant } from '../canonical/time.ts'
import { selectResources } from '../contract/applies.ts'
import type { AuthorityLevel, Contract } from '../contract/contract.ts'
import type { Budget, EffectCeiling, WritBody, WritScope } from './writ.ts'

export type IssueOptions = {
  readonly tenant: string
  readonly audience: string
  readonly issuer_key: string
  readonly nonce: string
  readonly now: string
  readonly ttlMs: number
  readonly subject_key?: string
}

const DEFAULT_CALLS = '100'
const DELEGATION_DEPTH = 2

const CEILINGS: Readonly<Record<AuthorityLevel, EffectCeiling>> = {
  OBSERVE: { external: false, irreversible: false, read: true, write: false },
  // The contract's limits narrow the rest; a ceiling below them would only say it twice.
  PROPOSE: { external: true, irreversible: true, read: true, write: true },
  EXECUTE_LIMITED: { external: true, irreversible: true, read: true, write: true },
  EXECUTE_FULL: { external: true, irreversible: true, read: true, write: true },
}

/**
 * The writ that a flow gets when nobody hands it one: everything its contract allows, for a while.
 * It never outlives the contract. A contract that is not in force gives an empty window.
 */
export function buildWritBody(contract: Contract, options: IssueOptions): WritBody {
  const { subject_key } = options
  // In canonical order, in which it is written fastest.
  return {
    audience: options.audience,
    budget: getFlowBudget(contract.safety_rules),
    delegation: { max_depth: DELEGATION_DEPTH, may_delegate: true },
    effect_ceiling: CEILINGS[contract.authority],
    issuer_key: options.issuer_key,
    nonce: options.nonce,
    scopes: contract.permissions.policy_kinds.map((kind) => buildScope(kind, contract)),
    subject: contract.agent_id,
    ...(subject_key === undefined ? {} : { subject_key }),
    tenant: options.tenant,
    window: computeWindow(contract, options),
  }
}

function buildScope(kind: string, contract: Contract): WritScope {
  const resources = selectResources(contract, kind)
  return Object.keys(resources).length === 0 ? { kind } : { kind, resources }
}

/** What a flow may spend under these rules. */
export function getFlowBudget({ budget_per_flow }: Contract['safety_rules']): Budget {
  return { calls: DEFAULT_CALLS, ...budget_per_flow }
}

function computeWindow(contract: Contract, { now, ttlMs }: IssueOptions): WritBody['window'] {
  assert(Number.isSafeInteger(ttlMs) && ttlMs > 0, 'a writ lives for a positive time')
  const start = Math.max(toEpochMs(now), toEpochMs(contract.effective_from))
  const until = contract.effective_until
  const end = until === undefined ? start + ttlMs : Math.min(start + ttlMs, toEpochMs(until))
  return { expires_at: formatInstant(Math.max(start, end)), not_before: formatInstant(start) }
}

function toEpochMs(text: string): number {
  const ms = parseInstant(text)
  assert(ms !== undefined, 'a time that the kernel wrote can be read')
  return ms
}
