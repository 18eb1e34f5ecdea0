/** Other parameters, wherever they stand: what was proposed is what is said to have run. */
import {
  computeIdempotencyKey,
  computeParamsFingerprint,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import type { Decision } from './forgery.ts'

/** The members of an intent that follow from its parameters. */
export function replaceIntentParams(intent: JsonObject, params: JsonObject): JsonObject {
  const { dfid, step_id, policy_kind } = intent
  return {
    ...intent,
    params,
    idempotency_key: computeIdempotencyKey(String(dfid), String(step_id), params, sha256),
    params_fingerprint: computeParamsFingerprint(String(policy_kind), params, sha256),
  }
}

/** The decision as if it had been about these, with what a capability would have said of them. */
export function replaceParams({ payload }: Decision, changed: JsonObject): JsonObject {
  const params = { ...(payload.proposal.params as JsonObject), ...changed }
  const amount = String(params.amount)
  const cost = { calls: '1', usd: trimZeros(amount) }
  return {
    ...payload,
    proposal: { ...payload.proposal, params },
    intent: { ...replaceIntentParams(payload.intent, params), cost },
    trace: getTraceLines(payload).map((line): JsonObject => {
      return line.stage === 'preconditions' ? { ...line, measures: { amount }, cost } : line
    }),
  }
}

export function getTraceLines({ trace }: JsonObject): readonly JsonObject[] {
  return trace as readonly JsonValue[] as readonly JsonObject[]
}

/** Amounts are counted: `20.00` costs `20`. */
function trimZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}
