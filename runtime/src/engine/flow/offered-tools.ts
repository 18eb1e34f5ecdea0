/**
 * What may be proposed in a flow: the kinds that its pinned contract, its writs and the registry all admit, each with
 * the schema of its parameters. It is what a model is offered; what is proposed is judged all the same.
 */
import {
  type Contract,
  err,
  type Failure,
  findPinnedContract,
  hasScopeFor,
  isAllowedIn,
  isListingNeeded,
  type JsonObject,
  ok,
  type Result,
  type Writ,
} from 'rubicon-kernel'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'
import { unknownFlow } from './settled.ts'

export type OfferedTool = {
  readonly kind: string
  readonly version: string
  readonly summary?: string
  /** JSON Schema of `params`. */
  readonly params: JsonObject
  /** False: what it did is not taken back. */
  readonly reversible: boolean
  readonly risk: 'low' | 'medium' | 'high' | 'critical'
}

export async function listOfferedTools(
  context: Context,
  dfid: string,
): Promise<Result<readonly OfferedTool[], Failure>> {
  const flow = await context.store.readFlow(dfid)
  if (flow === null) return err(unknownFlow)
  const authority = await context.authorities.loadLatest()
  const pinned = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const writs = await loadWritChain(context, flow, undefined)
  // A chain with a link that is not there admits nothing.
  if (pinned === undefined || writs.length < flow.writs.length) return ok([])
  return ok(
    context.book.capabilities().flatMap(({ law: { description } }): readonly OfferedTool[] => {
      const { kind, version, summary, params, reversible, risk } = description
      const isAllowed = isAllowedIn(flow.trajectory, description)
      if (!isAllowed || !isAdmitted(pinned.contract, writs, kind)) return []
      const said = summary === undefined ? {} : { summary }
      return [{ kind, version, ...said, params, reversible, risk }]
    }),
  )
}

/** As the scope stage judges it. */
function isAdmitted(
  { authority, permissions }: Contract,
  writs: readonly Writ[],
  kind: string,
): boolean {
  if (authority === 'OBSERVE' || permissions.forbidden_kinds.includes(kind)) return false
  if (!isListingNeeded(kind)) return true
  const isListed = permissions.policy_kinds.includes(kind)
  return isListed && writs.every(({ body }) => hasScopeFor(body.scopes, kind))
}
