/** The row of a flow that begins: what the store holds of it from its first entry on. */
import type { Addressed, DeployedContract, EventRef, Snapshot, Writ } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { moveFlow } from '../rows/flow-row.ts'
import type { Parent } from '../rows/flow-writ.ts'
import type { Opening, WokenBy } from './open.ts'

export function createFlowRow(input: {
  dfid: string
  request: Opening
  deployed: DeployedContract
  parent: Parent | null
  now: string
  trajectory: string
  snapshot: Addressed<Snapshot>
  lookedAt: string
  writ: Writ
}): FlowRow {
  const { dfid, request, deployed, parent, now, trajectory, snapshot, lookedAt, writ } = input
  const created: FlowRow = {
    dfid,
    version: 0,
    agent_id: request.agent,
    trigger: request.trigger,
    parent_dfid: parent?.flow.dfid ?? null,
    root_dfid: parent?.flow.root_dfid ?? dfid,
    trajectory,
    state: 'CREATED',
    tags: [],
    steps: request.steps ?? 'one',
    rejections: 0,
    transient_rejections: 0,
    attempts: 0,
    snapshot_id: snapshot.address,
    snapshot_at: lookedAt,
    mission_hash: snapshot.value.mission_context_hash,
    contract_hash: deployed.hash,
    contract_seq: deployed.seq,
    writs: [{ id: writ.id, nonce: writ.body.nonce }, ...(parent?.flow.writs ?? [])],
    opened_at: now,
    expires_at: writ.body.window.expires_at,
    updated_at: now,
    history: [{ from: null, to: 'CREATED', at: now }],
    // Whoever could leave the event of its parent would act beside the others, and after a HALT.
    event: request.event === undefined ? (parent?.flow.event ?? null) : toEventRef(request.event),
  }
  return moveFlow(created, ['ACTIVE'], now)
}

function toEventRef({ event_id, topic }: WokenBy): EventRef {
  return { event_id, topic }
}
