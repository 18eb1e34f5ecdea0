/**
 * What an agent may decide on instead, when it was refused because the outside had moved on. It is
 * recorded with the refusal, and is the flow's snapshot from then on.
 */
import {
  type AssembledContext,
  type DeployedContract,
  type LayerRecord,
  type PolicyProposal,
  type ReasonCode,
  resolveJitFields,
  type StoredMemory,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { findAskedPath } from './asked-in.ts'
import { compileContext } from './compile-context.ts'

const MOVED_ON: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'STATE_DRIFT_DETECTED',
  'STALE_CONTEXT',
])

/** Null: the refusal has another reason, the contract wants none, or there is none to be had. */
export async function compileFreshContext(
  context: Context,
  flow: FlowRow,
  now: string,
  refused: {
    readonly code: ReasonCode
    readonly deployed: DeployedContract
    readonly proposal: PolicyProposal | undefined
    readonly decided: LayerRecord<StoredMemory>
  },
): Promise<AssembledContext | null> {
  const { code, deployed, proposal, decided } = refused
  const { on_drift_exceeded = {} } = deployed.contract.jit_verification
  if (!MOVED_ON.has(code) || on_drift_exceeded.retry_with_fresh_context === false) return null
  const { dfid, trigger, trajectory } = flow
  const shown = await context.snapshots.loadShown(flow)
  const state = [...shown.state.map(({ path }) => path), ...listWatchedPaths(context, proposal)]
  const began = context.signals?.readMoment()
  const compiled = await compileContext(context, {
    dfid,
    trigger,
    trajectory,
    now,
    deployed,
    state,
    world: shown.world,
    again: true,
    decided,
    ...(await findAskedPath(context, dfid, shown)),
  })
  if (began !== undefined && compiled.ok)
    context.signals?.recordShown(dfid, compiled.value.snapshot.address, began)
  // The refusal stands in any case; without a context the agent is told why, and can look again.
  return compiled.ok ? compiled.value : null
}

/** What must not move until the dispatch, whether the agent had asked to see it or not. */
function listWatchedPaths(
  { book }: Context,
  proposal: PolicyProposal | undefined,
): readonly string[] {
  const law = proposal === undefined ? undefined : book.rules.capability(proposal.policy_kind)
  if (law === undefined || proposal === undefined) return []
  return Object.values(resolveJitFields(law, proposal.params) ?? {}).map(({ path }) => path)
}
