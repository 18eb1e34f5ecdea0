/**
 * Opens a flow: mints the dfid, pins the contract, shows the agent its context, and issues the writ
 * that bounds everything the flow may do. One durable unit.
 */
import {
  type Addressed,
  type Authority,
  addressOfText,
  CONTEXT_SCHEMA,
  canonicalText,
  currentContract,
  type DeployedContract,
  err,
  type Failure,
  type JsonValue,
  LIMITS,
  MAIN,
  ok,
  type Result,
  type Snapshot,
  type StateFact,
  sealSnapshot,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Write } from '../ports/store.ts'
import type { AuthorityCache } from './authority-cache.ts'
import { reserve } from './budget-counters.ts'
import type { Deps } from './deps.ts'
import { moveFlow } from './flow-row.ts'
import { flowWritBody, type Parent } from './flow-writ.ts'
import { mintId } from './identity.ts'
import { missionOfContract } from './mission.ts'
import { delegation, openingPayload } from './opening-entries.ts'
import { handshake } from './registry.ts'
import { signText } from './sign.ts'
import type { WritCache } from './writ-cache.ts'

export type OpenRequest = {
  readonly agent: string
  readonly trigger: string
  /** `many`: the agent ends the flow itself, after as many steps as it needs. */
  readonly steps?: 'one' | 'many'
  readonly trajectory?: string
  /** The flow that this one is part of; its writ is narrowed for this one. */
  readonly parent?: string
  /** State paths that the agent is shown; they become part of the snapshot. */
  readonly state?: readonly string[]
}

export type OpenedFlow = {
  readonly flow: FlowRow
  readonly snapshot: Snapshot
  readonly contract: DeployedContract
  readonly writ: Writ
}

export async function openFlow(
  deps: Deps,
  authorities: AuthorityCache,
  writs: WritCache,
  request: OpenRequest,
): Promise<Result<OpenedFlow, Failure>> {
  const { store, failpoints } = deps
  const greeted = await handshake(deps, authorities, request.agent)
  if (!greeted.ok) return greeted
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const trajectory = request.trajectory ?? MAIN
    const { now, authority_seq } = await store.now(trajectory)
    const authority = await authorities.atLeast(authority_seq)
    const deployed = currentContract(authority, request.agent)
    if (deployed === undefined) return err(unknownAgent(request.agent))
    const parent = await loadParent(deps, writs, request.parent)
    if (!parent.ok) return parent

    const prepared = await prepare(
      deps,
      authority,
      deployed,
      request,
      parent.value,
      now,
      trajectory,
    )
    if (!prepared.ok) return prepared
    await failpoints.reach('open.before_commit')
    const { unit, opened } = prepared.value
    const outcome = await store.commit(unit)
    if (!outcome.ok) continue
    await failpoints.reach('open.after_commit')
    writs.remember(opened.writ)
    return ok(opened)
  }
  return err({
    code: 'STORE_CONTENTION',
    summary: 'the flow could not be opened',
    fix: 'try again',
  })
}

async function prepare(
  deps: Deps,
  authority: Authority,
  deployed: DeployedContract,
  request: OpenRequest,
  parent: Parent | null,
  now: string,
  trajectory: string,
): Promise<Result<{ unit: { guards: Guard[]; writes: Write[] }; opened: OpenedFlow }, Failure>> {
  const { sha256 } = deps
  const dfid = mintId(deps)
  const body = flowWritBody(deps, deployed, parent, dfid, now)
  if (!body.ok) return body
  const text = canonicalText(body.value as unknown as JsonValue)
  const writ: Writ = {
    id: addressOfText('writ', text, sha256),
    body: body.value,
    signature: await signText(deps, 'issuer', 'writ', text),
  }
  const snapshot = sealSnapshot(await takeSnapshot(deps, deployed, request, dfid), sha256)
  const flow = newFlow({ dfid, request, deployed, parent, now, trajectory, snapshot, writ })
  const payload = openingPayload(deps, flow, writ, text, snapshot)
  const writes: Write[] = [
    {
      kind: 'append',
      trajectory,
      entry: 'writ',
      dfid,
      payload,
    },
    { kind: 'put_flow', flow },
  ]
  const guards: Guard[] = [
    { kind: 'authority_seq', seq: authority.seq },
    { kind: 'flow_absent', dfid },
  ]
  if (parent !== null) {
    const held = reserve(parent.writ, writ.body.budget)
    guards.push(...held.guards, {
      kind: 'flow_version',
      dfid: parent.flow.dfid,
      version: parent.flow.version,
    })
    // The parent's row moves on, so that a parent which ends meanwhile cannot give the same amount back.
    const above = moveFlow(parent.flow, [], now)
    writes.push(...held.writes, delegation(deps, parent, flow, writ), {
      kind: 'put_flow',
      flow: above,
    })
  }
  return ok({
    unit: { guards, writes },
    opened: { flow, snapshot: snapshot.value, contract: deployed, writ },
  })
}

async function takeSnapshot(
  deps: Deps,
  { contract, hash }: DeployedContract,
  request: OpenRequest,
  dfid: string,
): Promise<Snapshot> {
  const state: readonly StateFact[] =
    request.state === undefined || request.state.length === 0
      ? []
      : await deps.state.read(request.state)
  return {
    dfid,
    agent_id: contract.agent_id,
    schema_version: CONTEXT_SCHEMA,
    trigger: request.trigger,
    contract_hash: hash,
    mission_context_hash: missionOfContract(contract, deps.sha256),
    policy_kinds: contract.permissions.policy_kinds,
    state,
    world: [],
  }
}

function newFlow(input: {
  dfid: string
  request: OpenRequest
  deployed: DeployedContract
  parent: Parent | null
  now: string
  trajectory: string
  snapshot: Addressed<Snapshot>
  writ: Writ
}): FlowRow {
  const { dfid, request, deployed, parent, now, trajectory, snapshot, writ } = input
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
    snapshot_at: now,
    mission_hash: snapshot.value.mission_context_hash,
    contract_hash: deployed.hash,
    contract_seq: deployed.seq,
    writs: [{ id: writ.id, nonce: writ.body.nonce }, ...(parent?.flow.writs ?? [])],
    opened_at: now,
    updated_at: now,
    history: [{ from: null, to: 'CREATED', at: now }],
  }
  return moveFlow(created, ['ACTIVE'], now)
}

async function loadParent(
  deps: Deps,
  writs: WritCache,
  dfid: string | undefined,
): Promise<Result<Parent | null, Failure>> {
  if (dfid === undefined) return ok(null)
  const flow = await deps.store.flow(dfid)
  if (flow === null)
    return err({
      code: 'FLOW_UNKNOWN',
      summary: `there is no flow \`${dfid}\``,
      fix: 'open the parent first',
    })
  if (flow.state !== 'ACTIVE')
    return err({
      code: 'FLOW_NOT_OPEN',
      summary: `the parent flow is ${flow.state}`,
      fix: 'spawn children while the parent is active',
    })
  const own = flow.writs[0]
  const writ = own === undefined ? null : await writs.load(own)
  if (writ === null)
    return err({ code: 'WRIT_MISSING', summary: 'the parent has no writ', fix: 'open it again' })
  return ok({ flow, writ })
}

function unknownAgent(agent: string): Failure {
  return {
    code: 'AGENT_UNKNOWN',
    summary: `no contract is in force for \`${agent}\``,
    fix: 'deploy one: rubicon contract deploy FILE',
  }
}
