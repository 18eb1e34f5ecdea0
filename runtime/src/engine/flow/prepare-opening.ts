/**
 * What the opening of a flow consists of, before any of it is written: its name, its place, the contract it is
 * pinned to, what its agent is shown, and the writ that bounds everything it may do.
 */
import {
  type AssembledContext,
  type Authority,
  computeAddressOfText,
  type DeployedContract,
  err,
  type Failure,
  findContractTurn,
  findCurrentContract,
  ok,
  type Result,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import { buildNoContractFailure } from '../authority/registry/no-contract.ts'
import { checkAgentStatus } from '../authority/registry/stopped-agent.ts'
import type { WritCache } from '../authority/writ-cache.ts'
import { sanitiseText } from '../context/clean.ts'
import { type ContextWanted, compileContext } from '../context/compile-context.ts'
import { buildSecurityEvents } from '../context/security-event.ts'
import { loadSharedState, type SharedState } from '../context/shared-state.ts'
import type { Context } from '../engine-context.ts'
import { buildFlowWritBody, type Parent } from '../rows/flow-writ.ts'
import { mintId } from '../rows/identity.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { signText } from '../rows/sign.ts'
import type { Interval } from '../telemetry/teller.ts'
import { findEvent } from './event-rows.ts'
import { joinEvent } from './join-event.ts'
import type { Opening } from './open.ts'
import { buildDelegationUnit } from './opening-delegation.ts'
import { buildOpeningPayload } from './opening-entries.ts'
import { loadParent, resolveOpeningPlace } from './opening-place.ts'
import { createFlowRow } from './opening-row.ts'

export type PreparedOpening = {
  readonly unit: Unit
  readonly opened: OpenedFlow
  /** What was signed: the canonical text of the writ's body. */
  readonly writText: string
  /** When its context was compiled, if somebody wants to know. */
  readonly compiled: Interval | undefined
}

/** What the agent of the flow has before it. */
export type CompileOpening = (
  context: Context,
  wanted: ContextWanted,
) => Promise<Result<CompiledOpening, Failure>>

/** `lookedAt`: when the agent saw it, where that was before now. */
export type CompiledOpening = AssembledContext & { readonly lookedAt?: string }

/** One attempt: all of it is as of one moment, which its guards hold on to. */
export async function prepareOpening(
  deps: Context,
  authorities: AuthorityCache,
  writs: WritCache,
  request: Opening,
  compile: CompileOpening = compileContext,
): Promise<Result<PreparedOpening, Failure>> {
  const { store } = deps
  const parent = await loadParent(store, writs, request)
  if (!parent.ok) return parent
  const place = await resolveOpeningPlace(store, request.trajectory, parent.value, request.by)
  if (!place.ok) return place
  const trajectory = place.value
  const { now, authority_seq } = await store.readNow(trajectory)
  const authority = await authorities.loadCurrent(authority_seq)
  const stopped =
    checkAgentStatus(authority, request.agent) ??
    (await checkStoppedAbove(authority, writs, parent.value))
  if (stopped !== null) return err(stopped)
  const deployed = findCurrentContract(authority, request.agent, now)
  if (deployed === undefined) return err(buildNoContractFailure(authority, request.agent, now))
  const found = { authority, deployed, parent: parent.value, now, trajectory }
  return buildOpening(deps, request, found, compile)
}

/** It is there: who asks next is answered from memory. */
export function rememberOpening(
  { firstUse, snapshots }: Context,
  writs: WritCache,
  { opened, writText }: PreparedOpening,
): void {
  writs.remember(opened.writ, writText)
  firstUse.rememberChecked(opened.flow.dfid)
  snapshots.remember(opened.flow.snapshot_id, opened.snapshot)
}

/** It is about to be there: whoever decides in it is answered from memory, until the answer is called. */
export function holdOpening(
  { firstUse, snapshots }: Context,
  writs: WritCache,
  { opened, writText }: PreparedOpening,
): () => void {
  const { flow, snapshot, writ } = opened
  writs.hold(writ, writText)
  snapshots.hold(flow.snapshot_id, snapshot)
  firstUse.rememberChecked(flow.dfid)
  return () => {
    writs.release(writ)
    snapshots.release(flow.snapshot_id)
  }
}

type Found = {
  readonly authority: Authority
  readonly deployed: DeployedContract
  readonly parent: Parent | null
  readonly now: string
  readonly trajectory: string
}

async function buildOpening(
  deps: Context,
  request: Opening,
  { authority, deployed, parent, now, trajectory }: Found,
  compile: CompileOpening,
): Promise<Result<PreparedOpening, Failure>> {
  const { sha256 } = deps
  const dfid = request.event?.dfid ?? mintId(deps)
  const body = buildFlowWritBody(deps, deployed, parent, dfid, now, request.budget)
  if (!body.ok) return body
  const { state = [], world = [], asked: request_path } = request
  const { value: trigger, flags } = sanitiseText(request.trigger, 'external')
  const question = request_path === undefined ? {} : { asked: request_path }
  const shared = await loadEventState(deps, request)
  const found = shared === null ? {} : { shared }
  const wanted = { dfid, trigger, trajectory, now, deployed, state, world, ...question, ...found }
  const began = deps.signals?.readMoment()
  const compiled = await compile(deps, wanted)
  if (!compiled.ok) return compiled
  const interval = began === undefined ? undefined : deps.signals?.measureSince(began)
  const { snapshot, working, lookedAt = shared?.at ?? now } = compiled.value
  const text = toCanonicalText(body.value)
  const writ: Writ = {
    id: computeAddressOfText('writ', text, sha256),
    body: body.value,
    signature: await signText(deps, 'issuer', 'writ', text),
  }
  const asked = { ...request, trigger }
  const flow = createFlowRow({
    dfid,
    request: asked,
    deployed,
    parent,
    now,
    trajectory,
    snapshot,
    lookedAt,
    writ,
  })
  const original = request.trigger
  const suspicious = { where: 'trigger', label: 'external', original, flags } as const
  const payload = buildOpeningPayload(deps, flow, writ, text, snapshot)
  const writes: Write[] = [
    {
      kind: 'append',
      trajectory,
      entry: 'writ',
      dfid,
      payload,
    },
    { kind: 'put_flow', flow },
    ...buildSecurityEvents(deps, suspicious, flow),
  ]
  const guards: Guard[] = [
    { kind: 'authority_seq', seq: authority.seq },
    { kind: 'flow_absent', dfid },
  ]
  const turn = findContractTurn(authority.contracts.get(request.agent) ?? [], now)
  if (turn !== undefined) guards.push({ kind: 'before', at: turn })
  if (parent !== null) {
    const held = buildDelegationUnit(deps, parent, flow, writ, request.by)
    const { contract } = deployed
    const joined = await joinEvent(deps.store, parent.flow, { dfid, contract, now })
    if (!joined.ok) return joined
    guards.push(...held.guards, ...joined.value.guards)
    writes.push(...held.writes, ...joined.value.writes)
  }
  return ok({
    unit: { guards, writes },
    opened: { flow, snapshot: snapshot.value, working, contract: deployed, writ },
    writText: text,
    compiled: interval,
  })
}

/** State as the event found it; null where none woke the agent. */
async function loadEventState({ store }: Context, { event }: Opening): Promise<SharedState | null> {
  if (event === undefined) return null
  const known = await findEvent(store, event.event_id)
  return known === null ? null : loadSharedState(store, known.body)
}

/** Why nothing is opened below a flow: its agent was stopped, or one above it. */
async function checkStoppedAbove(
  authority: Authority,
  writs: WritCache,
  parent: Parent | null,
): Promise<Failure | null> {
  if (parent === null) return null
  const { flow, writ } = parent
  const above = await Promise.all(flow.writs.slice(1).map((ref) => writs.load(ref)))
  for (const { body } of [writ, ...above.filter((one) => one !== null)]) {
    const stopped = checkAgentStatus(authority, body.subject)
    if (stopped !== null) return stopped
  }
  return null
}
