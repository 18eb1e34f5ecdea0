/**
 * Opens a flow: mints the dfid, pins the contract, shows the agent its context, and issues the writ
 * that bounds everything the flow may do. One durable unit.
 */

import {
  type Authority,
  type Budget,
  computeAddressOfText,
  type DeployedContract,
  err,
  type Failure,
  findContractTurn,
  findCurrentContract,
  LIMITS,
  type OpenedBy,
  ok,
  type Result,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { DeltaFailure, Guard, Store, Unit, Write } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import { greet } from '../authority/registry/handshake.ts'
import { buildNoContractFailure } from '../authority/registry/no-contract.ts'
import { checkAgentStatus } from '../authority/registry/stopped-agent.ts'
import type { WritCache } from '../authority/writ-cache.ts'
import { sanitiseText } from '../context/clean.ts'
import { compileContext } from '../context/compile-context.ts'
import { buildSecurityEvents } from '../context/security-event.ts'
import type { Context } from '../engine-context.ts'
import { loadBudgetFailure } from '../rows/budget-refusal.ts'
import { buildFlowWritBody, type Parent } from '../rows/flow-writ.ts'
import { mintId } from '../rows/identity.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import type { ResourceRef } from '../rows/resource-ref.ts'
import { signText } from '../rows/sign.ts'
import type { Interval } from '../telemetry/teller.ts'
import { buildDelegationUnit } from './opening-delegation.ts'
import { buildOpeningPayload } from './opening-entries.ts'
import { loadParent, resolveOpeningPlace } from './opening-place.ts'
import { checkOpening } from './opening-request.ts'
import { createFlowRow } from './opening-row.ts'

export type OpenRequest = {
  readonly agent: string
  /** Why the flow is opened. It may be anybody's words, and is read as those of an outsider. */
  readonly trigger: string
  /** `many`: the agent ends the flow itself, after as many steps as it needs. */
  readonly steps?: 'one' | 'many'
  readonly trajectory?: string
  /** The flow that this one is part of; its writ is narrowed for this one. */
  readonly parent?: string
  /** What a child gets of its parent's budget, where that is not the usual tenth. */
  readonly budget?: Budget
  /** State paths that the agent is shown, or prefixes ending in `*` of what was observed. */
  readonly state?: readonly string[]
  /** Resources of World that it is shown. */
  readonly world?: readonly ResourceRef[]
  /** Refused: the runtime names flows. */
  readonly dfid?: unknown
}

/** Who opens it: a session, the step of another flow, or the runtime itself. */
export type Opening = OpenRequest & {
  readonly by: OpenedBy
  /** The path of what the flow is opened to decide; only the runtime says so. */
  readonly asked?: string
}

/** `beside`: what must hold and is written in the same unit; a timer that opens the flow. */
export async function openFlow(
  deps: Context,
  authorities: AuthorityCache,
  writs: WritCache,
  request: Opening,
  beside: Unit | ((dfid: string) => Unit) = NOTHING,
): Promise<Result<OpenedFlow, Failure>> {
  const { store, failpoints } = deps
  const problem = checkOpening(request)
  if (problem !== null) return err(problem)
  const began = deps.signals?.readMoment()
  const greeted = await greet({ ...deps, authorities }, request.agent)
  if (!greeted.ok) return greeted
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const parent = await loadParent(deps.store, writs, request)
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
    const { unit, opened, writText, compiled } = prepared.value
    const also = typeof beside === 'function' ? beside(opened.flow.dfid) : beside
    const outcome = await store.commit({
      guards: [...also.guards, ...unit.guards],
      writes: [...unit.writes, ...also.writes],
    })
    if (!outcome.ok) {
      const lost = await toLastingFailure(store, outcome.failed)
      if (lost !== null) return err(lost)
      continue
    }
    await failpoints.reach('open.after_commit')
    writs.remember(opened.writ, writText)
    deps.firstUse.rememberChecked(opened.flow.dfid)
    deps.snapshots.remember(opened.flow.snapshot_id, opened.snapshot)
    if (began !== undefined) deps.signals?.recordOpened(opened, began, compiled)
    return ok(opened)
  }
  return err({
    code: 'STORE_CONTENTION',
    summary: 'the flow could not be opened',
    fix: 'try again',
  })
}

const NOTHING: Unit = { guards: [], writes: [] }

/** What another attempt would meet again. */
async function toLastingFailure(
  store: Store,
  failed: Guard | DeltaFailure,
): Promise<Failure | null> {
  if (failed.kind === 'record_version' && failed.record === 'timer')
    return { code: 'TIMER_UNKNOWN', summary: 'the timer has fired already' }
  if (failed.kind === 'record_version' && failed.record === 'escalation')
    return { code: 'ESCALATION_DECIDED', summary: 'the request does not wait any more' }
  if (failed.kind !== 'counter') return null
  return loadBudgetFailure(store, failed, {
    summary: 'the parent flow has not enough of its budget left for a child',
    fix: 'open the child earlier, or give it less: `budget`',
  })
}

type Prepared = {
  readonly unit: { readonly guards: Guard[]; readonly writes: Write[] }
  readonly opened: OpenedFlow
  /** What was signed: the canonical text of the writ's body. */
  readonly writText: string
  /** When its context was compiled, if somebody wants to know. */
  readonly compiled: Interval | undefined
}

async function prepare(
  deps: Context,
  authority: Authority,
  deployed: DeployedContract,
  request: Opening,
  parent: Parent | null,
  now: string,
  trajectory: string,
): Promise<Result<Prepared, Failure>> {
  const { sha256 } = deps
  const dfid = mintId(deps)
  const body = buildFlowWritBody(deps, deployed, parent, dfid, now, request.budget)
  if (!body.ok) return body
  const { state = [], world = [], asked: request_path } = request
  const { value: trigger, flags } = sanitiseText(request.trigger, 'external')
  const question = request_path === undefined ? {} : { asked: request_path }
  const wanted = { dfid, trigger, trajectory, now, deployed, state, world, ...question }
  const began = deps.signals?.readMoment()
  const compiled = await compileContext(deps, wanted)
  if (!compiled.ok) return compiled
  const interval = began === undefined ? undefined : deps.signals?.measureSince(began)
  const { snapshot, working } = compiled.value
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
    guards.push(...held.guards)
    writes.push(...held.writes)
  }
  return ok({
    unit: { guards, writes },
    opened: { flow, snapshot: snapshot.value, working, contract: deployed, writ },
    writText: text,
    compiled: interval,
  })
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
