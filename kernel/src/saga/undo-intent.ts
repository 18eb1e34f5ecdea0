/**
 * The kernel's order to take an effect back. It stands on two intents: the one whose effect it
 * undoes, and the COMPENSATE that chose so, whose authority, facts and rules it carries. It costs
 * nothing: a budget that has run out must not keep a mess as it is.
 */
import type { Address } from '../canonical/address.ts'
import { computeAddressOfText } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { computeIdempotencyKey, computeParamsFingerprint } from '../execution/idempotency.ts'
import type { ExecutionIntent, IntentBody, SignedIntent } from '../execution/intent.ts'
import { buildIntentText, formatIntentBody, type IntentText } from '../execution/intent-text.ts'
import { toUndoStep } from './undo-step.ts'

export type UndoInput = {
  /** The intent whose effect is taken back. */
  readonly of: SignedIntent
  /** The COMPENSATE. */
  readonly chosen: SignedIntent
  readonly action: string
  readonly staged_at: string
  readonly dispatch_before: string
}

export function buildUndoIntent(
  { of, chosen, action, staged_at, dispatch_before }: UndoInput,
  sha256: Sha256,
): { readonly intent: ExecutionIntent; readonly text: IntentText } {
  const { tenant, trajectory, dfid, params } = of
  const step_id = toUndoStep(of.step_id)
  const policy_kind = 'COMPENSATE'
  const body: IntentBody = {
    dfid,
    step_id,
    attempt: chosen.attempt,
    tenant,
    trajectory,
    agent_id: chosen.agent_id,
    capability: of.capability,
    policy_kind,
    params,
    idempotency_key: computeIdempotencyKey(dfid, step_id, params, sha256),
    params_fingerprint: computeParamsFingerprint(policy_kind, params, sha256),
    resources: of.resources,
    constraints: {},
    compensation: {
      action,
      chosen: chosen.intent_id,
      dfid: chosen.dfid,
      of: of.intent_id,
    },
    cost: {},
    snapshot_id: chosen.snapshot_id,
    facts_hash: chosen.facts_hash,
    contract_hash: chosen.contract_hash,
    capability_hash: of.capability_hash,
    writ_id: chosen.writ_id,
    rules_hash: chosen.rules_hash,
    compiler_version: chosen.compiler_version,
    proposal_hash: chosen.proposal_hash,
    policy_trace_hash: chosen.policy_trace_hash,
    staged_at,
    dispatch_before,
  }
  const text = buildIntentText(body)
  const intent_id: Address = computeAddressOfText('intent', formatIntentBody(text), sha256)
  return { intent: Object.freeze({ ...body, intent_id }) as ExecutionIntent, text }
}
