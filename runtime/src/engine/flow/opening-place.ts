/**
 * Where a flow may be opened, and below which other. An agent opens in `main`, or below a flow of its
 * own where that one stands; a child for another agent is what SPAWN_CHILD is for. In process the
 * owner of the runtime opens: in any branch, and below a flow that its own agent could have spawned in.
 *
 * An adversary would otherwise write into the authority trajectory, which then never verifies again,
 * or spend the budget of a flow that is not its own and make it dirty.
 */
import {
  err,
  type Failure,
  hasScopeFor,
  isFlowTrajectory,
  MAIN,
  type OpenedBy,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import type { WritCache } from '../authority/writ-cache.ts'
import type { Parent } from '../rows/flow-writ.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'

/** The trajectory of a new flow: the one asked for, its parent's, or `main`. */
export async function resolveOpeningPlace(
  store: Store,
  asked: string | undefined,
  parent: Parent | null,
  by: OpenedBy,
): Promise<Result<string, Failure>> {
  const usual = parent?.flow.trajectory ?? MAIN
  const trajectory = asked ?? usual
  if (!isFlowTrajectory(trajectory)) return err(buildForeignPlaceFailure(trajectory))
  if (trajectory !== MAIN && !(await hasTrajectory(store, trajectory)))
    return err({
      code: 'TRAJECTORY_UNKNOWN',
      summary: `there is no trajectory \`${trajectory}\``,
      fix: 'leave it out, or branch it first: rubicon branch',
    })
  if (by.kind !== 'runtime' && trajectory !== usual)
    return err(buildForeignPlaceFailure(trajectory))
  return ok(trajectory)
}

type Below = { readonly agent: string; readonly parent?: string; readonly by: OpenedBy }

/** The flow to open below, with its writ; null where none is named. */
export async function loadParent(
  store: Store,
  writs: WritCache,
  { agent, parent: dfid, by }: Below,
): Promise<Result<Parent | null, Failure>> {
  if (dfid === undefined) return ok(null)
  const flow = await store.readFlow(dfid)
  if (flow === null) return err(buildFlowUnknownFailure(dfid, 'open the parent first'))
  const own = flow.writs[0]
  const writ = own === undefined ? null : await writs.load(own)
  if (writ === null)
    return err({ code: 'WRIT_MISSING', summary: 'the parent has no writ', fix: 'open it again' })
  const foreign = checkParentOwner(agent, { flow, writ }, by)
  if (foreign !== null) return err(foreign)
  // A step that opens a child is being carried out meanwhile.
  if (flow.state !== (by.kind === 'intent' ? 'EXECUTING' : 'ACTIVE'))
    return err({
      code: 'FLOW_NOT_OPEN',
      summary: `the parent flow is ${flow.state}`,
      fix: 'spawn children while the parent is active',
    })
  return ok({ flow, writ })
}

/** Why no flow of this agent may be opened below that one, or null. */
function checkParentOwner(agent: string, parent: Parent, by: OpenedBy): Failure | null {
  const { dfid, agent_id } = parent.flow
  if (agent === agent_id || by.kind === 'intent') return null
  const mayHaveOthers = hasScopeFor(parent.writ.body.scopes, 'SPAWN_CHILD')
  if (by.kind === 'runtime' && mayHaveOthers) return null
  return {
    code: 'FLOW_FOREIGN',
    summary: `flow \`${dfid}\` is not one of \`${agent}\``,
    why: 'a child spends what its parent was granted, and its failures are those of its parent',
    fix: 'name a flow of your own, or have the agent of that flow propose SPAWN_CHILD',
  }
}

function buildForeignPlaceFailure(trajectory: string): Failure {
  return {
    code: 'FLOW_FOREIGN',
    summary: `flows of agents are not opened in \`${trajectory}\``,
    why: 'an agent works in `main`, or in the trajectory of its parent flow',
    fix: 'leave `trajectory` out',
  }
}

/** A branch that was made stays, so that this is asked for branches only, and once for each flow. */
async function hasTrajectory(store: Store, trajectory: string): Promise<boolean> {
  return (await store.listEntries(trajectory, 0, 1)).length > 0
}
