/**
 * Opens a flow: mints the dfid, pins the contract, shows the agent its context, and issues the writ
 * that bounds everything the flow may do. One durable unit.
 */

import {
  type Budget,
  type EventRef,
  err,
  type Failure,
  LIMITS,
  type OpenedBy,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { DeltaFailure, Guard, Store, Unit } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import { greet } from '../authority/registry/handshake.ts'
import type { WritCache } from '../authority/writ-cache.ts'
import type { Context } from '../engine-context.ts'
import { loadBudgetFailure } from '../rows/budget-refusal.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import type { ResourceRef } from '../rows/resource-ref.ts'
import { CALL_OVERTAKEN, isCallClaim } from './call-claims.ts'
import { checkOpening } from './opening-request.ts'
import { prepareOpening, rememberOpening } from './prepare-opening.ts'

/** What a flow is opened for, and what its agent is shown. */
export type OpenRequest = {
  /** Who works on it. */
  readonly agent: string
  /** Why the flow is opened. It may be anybody's words, and is read as those of an outsider. */
  readonly trigger: string
  /** `many`: the agent ends the flow itself, after as many steps as it needs. */
  readonly steps?: 'one' | 'many'
  /** The chain of entries that it is recorded in; `main` when nobody says. */
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
  /** What woke its agent; only the runtime says so. */
  readonly event?: WokenBy | undefined
}

/** The event that a flow answers, and the name that the flow has in it. */
export type WokenBy = EventRef & { readonly dfid: string }

/** Which event a flow answers, only the runtime says. */
export function toOpening(request: OpenRequest, by: OpenedBy): Opening {
  return { ...request, by, event: undefined }
}

/** What is written with an opening, once it is known how the flow is called. */
export type BesideOpening = (dfid: string, opened: OpenedFlow) => Unit

/** `beside`: what must hold and is written in the same unit; a timer that opens the flow. */
export async function openFlow(
  deps: Context,
  authorities: AuthorityCache,
  writs: WritCache,
  request: Opening,
  beside: Unit | BesideOpening = NOTHING,
): Promise<Result<OpenedFlow, Failure>> {
  const { store, failpoints } = deps
  const problem = checkOpening(request)
  if (problem !== null) return err(problem)
  const began = deps.signals?.readMoment()
  const greeted = await greet({ ...deps, authorities }, request.agent)
  if (!greeted.ok) return greeted
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const prepared = await prepareOpening(deps, authorities, writs, request)
    if (!prepared.ok) return prepared
    await failpoints.reach('open.before_commit')
    const { unit, opened, compiled } = prepared.value
    const also = typeof beside === 'function' ? beside(opened.flow.dfid, opened) : beside
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
    rememberOpening(deps, writs, prepared.value)
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
export async function toLastingFailure(
  store: Store,
  failed: Guard | DeltaFailure,
): Promise<Failure | null> {
  if (failed.kind === 'record_version' && failed.record === 'timer')
    return { code: 'TIMER_UNKNOWN', summary: 'the timer has fired already' }
  if (failed.kind === 'record_version' && failed.record === 'escalation')
    return { code: 'ESCALATION_DECIDED', summary: 'the request is no longer pending' }
  if (failed.kind === 'record_version' && isCallClaim(failed)) return CALL_OVERTAKEN
  if (failed.kind === 'record_version' && failed.record === 'http_reply')
    return { code: 'IDEMPOTENCY_IN_FLIGHT', summary: 'somebody asked for it at the same time' }
  if (failed.kind !== 'counter') return null
  return loadBudgetFailure(store, failed, {
    summary: 'the parent flow has not enough of its budget left for a child',
    fix: 'open the child earlier, or give it less: `budget`',
  })
}
