/** What the ledger keeps of an outcome: what was found out about it, and the entry that it ends in. */
import {
  assert,
  type EvidencePayload,
  type ExecutionStatus,
  type JsonValue,
  type SettlePayload,
  type SignedIntent,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ExecutionRow, Write } from '../../ports/store.ts'
import type { Evidence, Settlement } from '../effect/settlement.ts'
import type { Context } from '../engine-context.ts'
import { mintSalt } from '../rows/identity.ts'
import { listObservations } from '../rows/observed-in.ts'

export function buildEvidenceWrites(
  context: Context,
  intent: SignedIntent,
  settlement: Settlement,
): readonly Write[] {
  const evidence = 'evidence' in settlement ? settlement.evidence : undefined
  if (evidence === undefined) return []
  return [buildEvidenceWrite(context, intent, evidence)]
}

export function buildEvidenceWrite(
  context: Context,
  intent: SignedIntent,
  evidence: Evidence,
): Write {
  const payload: EvidencePayload = {
    salt: mintSalt(context),
    intent_id: intent.intent_id,
    ...evidence,
  }
  return append(intent, 'evidence', payload)
}

function append(intent: SignedIntent, entry: 'evidence' | 'settle', payload: unknown): Write {
  const { trajectory, dfid } = intent
  return { kind: 'append', trajectory, entry, dfid, payload: toCanonicalText(payload as JsonValue) }
}

export function buildOutcomeWrite(
  context: Context,
  intent: SignedIntent,
  settlement: Settlement,
  status: ExecutionStatus,
  { reason_code }: ExecutionRow,
): Write {
  if (settlement.kind === 'applied') return commitWrite(context, intent, settlement)
  assert(status !== 'DISPATCHED' && status !== 'ACCEPTED', 'a settlement comes after the dispatch')
  const payload: SettlePayload = {
    salt: mintSalt(context),
    intent_id: intent.intent_id,
    status,
    reason_code: reason_code ?? 'OUTCOME_UNKNOWN',
    details: settlement.details,
  }
  return append(intent, 'settle', payload)
}

function commitWrite(
  context: Context,
  intent: SignedIntent,
  { effect, by }: Extract<Settlement, { kind: 'applied' }>,
): Write {
  const { trajectory, dfid } = intent
  return {
    kind: 'append_commit',
    trajectory,
    dfid,
    delta: effect.delta,
    payload: {
      salt: mintSalt(context),
      intent_id: intent.intent_id,
      proposal_hash: intent.proposal_hash,
      writ_id: intent.writ_id,
      observations: listObservations(effect),
      policy_trace_hash: intent.policy_trace_hash,
      compiler_version: intent.compiler_version,
      rules_hash: intent.rules_hash,
      facts_hash: intent.facts_hash,
      cost: effect.cost ?? intent.cost,
      receipt: effect.receipt ?? null,
      settled_by: by,
      ...(intent.compensation === undefined ? {} : { compensates: intent.compensation.of }),
    },
  }
}
