/**
 * Stage 10: the kernel's order. This is the only place where a decision becomes an ExecutionIntent;
 * it is frozen, and addresses everything it stands on.
 */
import { assert } from '../assert.ts'
import type { Address } from '../canonical/address.ts'
import { computeAddress, computeAddressOfText } from '../canonical/address.ts'
import { formatInstant, parseInstant } from '../canonical/time.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { computeIdempotencyKey, computeParamsFingerprint } from '../execution/idempotency.ts'
import type { ExecutionIntent, IntentBody } from '../execution/intent.ts'
import { buildIntentText, formatIntentBody, type IntentText } from '../execution/intent-text.ts'
import { LIMITS } from '../limits.ts'
import { chooseOnFailure } from '../saga/on-failure.ts'
import type { CompileInput, Findings } from './input.ts'
import { COMPILER_VERSION } from './input.ts'
import type { Refusal } from './verdict.ts'

export function emitIntent(
  input: CompileInput,
  found: Findings,
  traceText: string,
): { readonly intent: ExecutionIntent; readonly text: IntentText } {
  const { proposal, writs, rules } = input
  const facts = input.facts.value
  const { sha256 } = rules
  const writ = writs[0]
  assert(
    found.law !== undefined && facts.contract !== null && writ !== undefined,
    'authority is known',
  )

  // In canonical order, in which it is written fastest.
  const body: IntentBody = {
    agent_id: proposal.agent_id,
    ...(facts.approval == null ? {} : { approval: facts.approval }),
    ...(found.atom_id === undefined ? {} : { atom_id: found.atom_id }),
    attempt: facts.attempt,
    capability: `${found.law.description.kind}@${found.law.description.version}`,
    capability_hash: found.law.hash,
    compiler_version: COMPILER_VERSION,
    constraints: proposal.execution_constraints,
    contract_hash: facts.contract.hash,
    cost: found.cost,
    dfid: proposal.dfid,
    dispatch_before: dispatchDeadline(input),
    facts_hash: input.facts.address,
    idempotency_key: computeIdempotencyKey(
      proposal.dfid,
      proposal.step_id,
      proposal.params,
      sha256,
    ),
    ...buildOnFailure(input, found.law.description),
    params: proposal.params,
    params_fingerprint: computeParamsFingerprint(proposal.policy_kind, proposal.params, sha256),
    policy_kind: proposal.policy_kind,
    policy_trace_hash: computeAddressOfText('trace', traceText, sha256),
    proposal_hash: input.document.address,
    resources: found.resources,
    rules_hash: rules.hash,
    snapshot_id: facts.flow.snapshot_id,
    staged_at: facts.now,
    step_id: proposal.step_id,
    tenant: facts.tenant,
    trajectory: facts.flow.trajectory,
    writ_id: writ.id,
  }
  const text = buildIntentText(body)
  const intent_id = computeAddressOfText('intent', formatIntentBody(text), sha256)
  return { intent: Object.freeze({ ...body, intent_id }) as ExecutionIntent, text }
}

/** Whoever carries a proof has nothing more to say once it was accepted, whatever becomes of it. */
function buildOnFailure(
  { proposal, contract }: CompileInput,
  description: CapabilityDescription,
): Pick<IntentBody, 'on_failure'> {
  if (proposal.evidence_hash === undefined) return {}
  assert(contract !== null, 'authority is known')
  return { on_failure: chooseOnFailure(description, contract) }
}

/**
 * The earliest of what the engine grants, what the agent asked for, what the writ allows, and how long
 * what was read stands: a word that has ended decides nothing.
 */
export function dispatchDeadline({ facts, proposal, writs }: CompileInput): string {
  const { now, state, approval } = facts.value
  const [leaf] = writs
  assert(leaf !== undefined, 'authority is known')
  const { expires_at } = leaf.body.window
  const words = state.map(({ until }) => until ?? expires_at)
  const wanted = approval?.valid_until ?? proposal.valid_until ?? expires_at
  const ends = [expires_at, wanted, ...words].map(toEpochMs)
  return formatInstant(Math.min(toEpochMs(now) + LIMITS.dispatchWithinMs, ...ends))
}

function toEpochMs(text: string): number {
  const ms = parseInstant(text)
  assert(ms !== undefined, 'every time was read before')
  return ms
}

/** What an approval binds to: everything that will run, nothing that changes while a person thinks. */
export function computeIntentDigest(
  intent: ExecutionIntent,
  sha256: CompileInput['rules']['sha256'],
): Address {
  const { dfid, step_id, policy_kind, params, resources, constraints, proposal_hash } = intent
  const { contract_hash, capability_hash, rules_hash, snapshot_id, on_failure } = intent
  const bound = {
    dfid,
    step_id,
    policy_kind,
    params,
    resources,
    constraints,
    proposal_hash,
    contract_hash,
    capability_hash,
    rules_hash,
    snapshot_id,
    ...(on_failure === undefined ? {} : { on_failure }),
  }
  return computeAddress('intent-digest', bound, sha256)
}

/** Null: nobody had to approve it, or what was approved is what will run. */
export function findApprovalRefusal(
  intent: ExecutionIntent,
  sha256: CompileInput['rules']['sha256'],
): Refusal | null {
  const { approval, rules_hash } = intent
  if (approval === undefined) return null
  const bound = computeApprovedDigest(intent, approval.decision, sha256)
  // Whoever only asks again has approved nothing.
  const isGiven = approval.decisions > 0
  if (isGiven && bound === approval.binds && rules_hash === approval.rules_hash) return null
  const details = { approved: approval.binds, would_run: bound, rules: rules_hash }
  return { code: 'APPROVAL_VOID', details }
}

/** What an approval names: all that runs, or of a MODIFY the proposal that the person wrote. */
export function computeApprovedDigest(
  intent: ExecutionIntent,
  decision: 'OVERRIDE' | 'MODIFY',
  sha256: CompileInput['rules']['sha256'],
): Address {
  return decision === 'MODIFY' ? intent.proposal_hash : computeIntentDigest(intent, sha256)
}
