/** The writ that a flow gets when it opens: everything its contract allows, inside its parent's. */
import {
  attenuateWrit,
  type Budget,
  buildWritBody,
  computeLeastGranted,
  type DeployedContract,
  err,
  type Failure,
  formatBudgetUnits,
  LIMITS,
  ok,
  type Result,
  toBudgetUnits,
  type Writ,
  type WritBody,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'

/** The flow that a new one is part of, with the writ that bounds both. */
export type Parent = { readonly flow: FlowRow; readonly writ: Writ }

/** From the contract; under a parent, the largest writ inside both contract and parent. */
export function buildFlowWritBody(
  deps: Deps,
  { contract }: DeployedContract,
  parent: Parent | null,
  nonce: string,
  now: string,
  asked: Budget = {},
): Result<WritBody, Failure> {
  const issuer = deps.signer.publicKey('issuer')
  if (issuer === null)
    return err({
      code: 'KEY_MISSING',
      summary: 'no issuer key is held here',
      fix: 'see `rubicon keys`',
    })
  const own = buildWritBody(contract, {
    tenant: deps.tenant,
    audience: deps.audience,
    issuer_key: issuer.key_id,
    nonce,
    now,
    ttlMs: LIMITS.flowWritMs,
    // Sessions in process hold no key: the runtime signs for them when they delegate.
    subject_key: issuer.key_id,
  })
  if (parent === null) return ok(own)
  return attenuateWrit(parent.writ, {
    subject: contract.agent_id,
    subject_key: issuer.key_id,
    nonce,
    scopes: own.scopes,
    effect_ceiling: own.effect_ceiling,
    budget: computeChildBudget(own.budget, parent.writ.body.budget, asked),
    window: own.window,
  })
}

/**
 * Of every measure what was asked for, or else a tenth of the parent's, so that the parent can go on
 * and have other children; never more than the child's own contract grants.
 */
function computeChildBudget(own: Budget, parent: Budget, asked: Budget): Budget {
  const measures = Object.keys(own)
  const shares = measures.map((measure) => [
    measure,
    asked[measure] ?? computeTenth(measure, parent),
  ])
  return computeLeastGranted([own, Object.fromEntries(shares)], measures)
}

/** At least one unit: a child that may call nothing could do nothing. */
function computeTenth(measure: string, parent: Budget): string {
  const units = (toBudgetUnits(measure, parent[measure] ?? '0') ?? 0n) / 10n
  return formatBudgetUnits(measure, units > 0n ? units : 1n)
}
