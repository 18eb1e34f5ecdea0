/**
 * Is the intent what was proposed, and made from the facts beside it? The kernel's signature covers
 * the intent alone: under a key that is misused it could order anything.
 */
import {
  type AcceptedPayload,
  isObject,
  type JsonObject,
  type JsonValue,
  type SignedIntent,
  toCanonicalText,
} from 'rubicon-kernel'
import { isSameJson } from './same-json.ts'

/** What takes back carries the proposal and the facts of its choice (`verify-compensations.ts`). */
export function findIntentProblems({ intent, proposal, facts }: AcceptedPayload): string[] {
  if (intent.compensation !== undefined) return []
  const found = isObject(proposal) ? findProposalProblems(intent, proposal) : ['it has no proposal']
  return [...found, ...findFactsProblems(intent, facts)]
}

type Pairs = readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[]

function findProposalProblems(intent: SignedIntent, proposal: JsonObject): string[] {
  const { context_ref = intent.snapshot_id, writ_id = intent.writ_id } = proposal
  const pairs: Pairs = [
    ['dfid', intent.dfid, proposal.dfid],
    ['agent_id', intent.agent_id, proposal.agent_id],
    ['policy_kind', intent.policy_kind, proposal.policy_kind],
    ['step_id', intent.step_id, proposal.step_id ?? FIRST_STEP],
    ['params', intent.params, proposal.params ?? {}],
    ['constraints', intent.constraints, proposal.execution_constraints ?? {}],
    ['snapshot_id', intent.snapshot_id, context_ref],
    ['writ_id', intent.writ_id, writ_id],
  ]
  const found = listDifferences(pairs).map((name) => `\`${name}\` is not what was proposed`)
  return hasMissingResources(intent, proposal)
    ? [...found, 'it needs resources that were not named']
    : found
}

const FIRST_STEP = 'step-1'

function hasMissingResources(
  { resources }: SignedIntent,
  { resources: claimed }: JsonObject,
): boolean {
  if (!Array.isArray(claimed)) return false
  const formatResourceId = (one: JsonValue): string => toCanonicalText(toObject(one).id ?? null)
  const claims: readonly JsonValue[] = claimed
  const named = new Set(claims.map(formatResourceId))
  const needs: readonly JsonValue[] = resources
  return !needs.every((need) => isObject(need) && named.has(formatResourceId(need)))
}

function findFactsProblems(intent: SignedIntent, given: JsonValue | undefined): string[] {
  const facts = toObject(given)
  const flow = toObject(facts.flow)
  const capability = toObject(facts.capability)
  const [leaf] = listIn(facts.writs)
  const pairs: Pairs = [
    ['staged_at', intent.staged_at, facts.now],
    ['tenant', intent.tenant, facts.tenant],
    ['attempt', intent.attempt, facts.attempt],
    ['dfid', intent.dfid, flow.dfid],
    ['agent_id', intent.agent_id, flow.agent_id],
    ['trajectory', intent.trajectory, flow.trajectory],
    ['snapshot_id', intent.snapshot_id, flow.snapshot_id],
    ['contract_hash', intent.contract_hash, toObject(facts.contract).hash],
    ['capability_hash', intent.capability_hash, capability.hash],
    ['policy_kind', intent.policy_kind, capability.kind],
    ['writ_id', intent.writ_id, toObject(leaf).id],
    ['rules_hash', intent.rules_hash, facts.rules_hash],
    ['approval', (intent.approval ?? null) as JsonValue, facts.approval ?? null],
  ]
  return listDifferences(pairs).map((name) => `\`${name}\` is not what the facts say`)
}

function listDifferences(pairs: Pairs): string[] {
  const found: string[] = []
  for (const [name, a, b] of pairs) if (!isSameJson(a, b)) found.push(name)
  return found
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : NOTHING
}

const NOTHING: JsonObject = {}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
