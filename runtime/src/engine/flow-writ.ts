/** The writ that a flow gets when it opens: everything its contract allows, inside its parent's. */
import {
  attenuateWrit,
  type DeployedContract,
  err,
  type Failure,
  LIMITS,
  ok,
  type Result,
  type Writ,
  type WritBody,
  writBodyFromContract,
} from 'rubicon-kernel'
import type { FlowRow } from '../ports/store.ts'
import type { Deps } from './deps.ts'

/** The flow that a new one is part of, with the writ that bounds both. */
export type Parent = { readonly flow: FlowRow; readonly writ: Writ }

/** From the contract; under a parent, the largest writ inside both contract and parent. */
export function flowWritBody(
  deps: Deps,
  { contract }: DeployedContract,
  parent: Parent | null,
  nonce: string,
  now: string,
): Result<WritBody, Failure> {
  const issuer = deps.signer.publicKey('issuer')
  if (issuer === null)
    return err({
      code: 'KEY_MISSING',
      summary: 'no issuer key is held here',
      fix: 'see `rubicon keys`',
    })
  const own = writBodyFromContract(contract, {
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
    budget: childBudget(own.budget, parent.writ.body.budget),
    window: own.window,
  })
}

/** A tenth of the parent's calls unless the child's own contract asks for less. */
function childBudget(own: WritBody['budget'], parent: WritBody['budget']): WritBody['budget'] {
  const calls = Math.max(1, Math.floor(Number(parent.calls ?? '0') / 10))
  return { ...own, calls: String(Math.min(calls, Number(own.calls ?? '0'))) }
}
