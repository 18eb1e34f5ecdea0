/** An agent looks again: a new context for an open flow, on the record like the first one. */
import {
  type AssembledContext,
  err,
  type Failure,
  findAgentStatus,
  findPinnedContract,
  LIMITS,
  ok,
  type Result,
  toCanonicalText,
  type WorkingContext,
} from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import { findAskedPath } from './asked-in.ts'
import { compileContext } from './compile-context.ts'
import { loadOpen } from './load-open.ts'

export type RefreshRequest = {
  /** State paths besides those that were shown before. */
  readonly state?: readonly string[]
}

/** Only of a flow that may propose: whoever waits for a person waits on what that person is shown. */
export async function refreshContext(
  context: Context,
  dfid: string,
  { state = [] }: RefreshRequest = {},
): Promise<Result<WorkingContext, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const loaded = await loadOpen(context, dfid, 'ACTIVE')
    if (!loaded.ok) return loaded
    const flow = loaded.value
    const began = context.signals?.readMoment()
    const compiled = await compileAgain(context, flow, state)
    if (!compiled.ok) return compiled
    const { snapshot, working } = compiled.value
    const outcome = await context.store.commit(refreshUnit(context, flow, compiled.value))
    if (!outcome.ok && outcome.failed.kind === 'counter') return err(full)
    if (!outcome.ok) continue
    context.snapshots.remember(snapshot.address, snapshot.value)
    if (began !== undefined) context.signals?.recordShown(dfid, snapshot.address, began)
    return ok(working)
  }
  return err(buildContentionFailure('the flow'))
}

const full: Failure = {
  code: 'REFRESHES_FULL',
  summary: `the flow was shown ${LIMITS.refreshesPerFlow} new contexts, and is shown no more`,
  fix: 'propose, or open another flow',
}

async function compileAgain(
  context: Context,
  flow: FlowRow,
  more: readonly string[],
): Promise<Result<AssembledContext, Failure>> {
  const { dfid, agent_id, trigger, trajectory } = flow
  const { now, authority_seq } = await context.store.readNow(trajectory)
  const authority = await context.authorities.loadCurrent(authority_seq)
  const deployed = findPinnedContract(authority, agent_id, flow.contract_hash)
  if (deployed === undefined || deployed.revoked)
    return err({
      code: 'CONTRACT_REVOKED',
      summary: `the contract of \`${agent_id}\` is not in force any more`,
    })
  const status = findAgentStatus(authority, agent_id)
  if (status !== 'ACTIVE')
    return err({
      code: 'AGENT_NOT_ACTIVE',
      summary: `\`${agent_id}\` is ${status}`,
    })
  const shown = await context.snapshots.loadShown(flow)
  const state = [...shown.state.map(({ path }) => path), ...more]
  const { world } = shown
  const asked = await findAskedPath(context, dfid, shown)
  return compileContext(context, {
    dfid,
    trigger,
    trajectory,
    now,
    deployed,
    state,
    world,
    again: true,
    ...asked,
  })
}

function refreshUnit(
  context: Context,
  flow: FlowRow,
  { snapshot, working }: AssembledContext,
): Unit {
  const { dfid, version, trajectory } = flow
  const count = { id: `${dfid} refreshes`, by: 1 }
  const payload = composeCanonicalObject({
    salt: toCanonicalText(mintSalt(context)),
    source: '"context"',
    finding: '"refreshed"',
    snapshot: snapshot.text,
    snapshot_id: `"${snapshot.address}"`,
  })
  // To look is no decision: the watchdog counts from the last one.
  const after = moveFlow(flow, [], flow.updated_at, {
    snapshot_id: snapshot.address,
    snapshot_at: working.compiled_at,
  })
  return {
    guards: [
      { kind: 'flow_version', dfid, version },
      { kind: 'counter', ...count, limit: LIMITS.refreshesPerFlow },
    ],
    writes: [
      { kind: 'count', ...count },
      { kind: 'append', trajectory, entry: 'evidence', dfid, payload },
      { kind: 'put_flow', flow: after },
    ],
  }
}
