/**
 * Was every child flow opened by somebody who might? A child spends what its parent was granted.
 *
 * 1. The writ of a child is made from the writ of the flow that it names as its parent.
 * 2. It is of the parent's own agent, or the parent's writ grants SPAWN_CHILD.
 * 3. A session opens below flows of its own agent; a step, where it is a SPAWN_CHILD of the parent
 *    that was dispatched for that agent, one child.
 * 4. The flow above says of each child that it was opened, and by whom: whoever reads it sees what it delegated.
 */
import {
  type Address,
  type DelegationPayload,
  hasScopeFor,
  type SignedIntent,
  type WritPayload,
} from 'rubicon-kernel'
import { type ReadEntry, toPlace } from '../reading/read-entry.ts'
import type { Finding, Place } from '../report/report.ts'
import type { AuthorityState } from './authority-state.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Children = {
  readonly check: (entry: ReadEntry) => readonly string[]
  /** Children of which the flow above says nothing. */
  readonly close: () => readonly Finding[]
}

type Spawn = { readonly dfid: string; readonly agent: unknown }

type Untold = { readonly place: Place; readonly parent: string; readonly writ: Address }

type State = {
  readonly authority: Pick<AuthorityState, 'writs' | 'flows' | 'whole'>
  /** By intent: what a SPAWN_CHILD asks for, and whether it was dispatched. */
  readonly spawns: Map<Address, Spawn>
  readonly sent: Set<Address>
  /** Steps that have opened a child. */
  readonly used: Set<Address>
  /** Flows whose opening was erased. */
  readonly erased: Set<string>
  /** Children, until the flow above says so. */
  readonly untold: Map<string, Untold>
}

/** After `authority` has taken in the same entry. */
export function createChildren(authority: State['authority']): Children {
  const state: State = {
    authority,
    spawns: new Map(),
    sent: new Set(),
    used: new Set(),
    erased: new Set(),
    untold: new Map(),
  }
  return {
    check: (entry) => foldChildEntry(state, entry),
    close: () =>
      [...state.untold.values()].map(({ place }) => {
        return { ...place, code: 'AUTHORITY_ORDER', detail: UNTOLD }
      }),
  }
}

const UNTOLD = 'its parent flow has no record that it was opened'

function foldChildEntry(state: State, entry: ReadEntry): readonly string[] {
  const { envelope, payload, payloadText } = entry
  if (payload === null) {
    const isErased = payloadText === null && envelope.kind === 'writ'
    if (isErased && envelope.dfid !== undefined) state.erased.add(envelope.dfid)
    return []
  }
  switch (payload.kind) {
    case 'writ':
      return foldChildOpening(state, entry, payload.payload)
    case 'accepted':
      rememberSpawn(state, payload.payload.intent)
      return []
    case 'dispatch': {
      if ('intent' in payload.payload) rememberSpawn(state, payload.payload.intent)
      const sent = 'intent' in payload.payload ? payload.payload.intent : payload.payload
      if (state.spawns.has(sent.intent_id)) state.sent.add(sent.intent_id)
      return []
    }
    case 'delegation':
      return foldDelegation(state, envelope.dfid, payload.payload)
    default:
      return []
  }
}

function rememberSpawn({ spawns }: State, intent: SignedIntent): void {
  if (intent.policy_kind !== 'SPAWN_CHILD') return
  spawns.set(intent.intent_id, { dfid: intent.dfid, agent: intent.params.agent })
}

function foldChildOpening(
  state: State,
  entry: ReadEntry,
  { flow, writ }: WritPayload,
): readonly string[] {
  if (flow === undefined) return []
  const { dfid, agent_id, parent_dfid } = flow
  if (parent_dfid === undefined)
    return writ.body.parent === undefined ? [] : ['a flow without a parent has the writ of a child']
  const parent = state.authority.flows.get(parent_dfid)
  if (parent === undefined)
    return state.erased.has(parent_dfid) ? [] : ['its parent flow is not in the ledger']
  // A bundle may leave out what other entries of a flow say.
  if (state.authority.whole)
    state.untold.set(dfid, { place: toPlace(entry), parent: parent_dfid, writ: writ.id })
  if (writ.body.parent !== parent.writ) return ['its writ is not made from that of its parent']
  const above = state.authority.writs.get(parent.writ)
  const mayHave = agent_id === parent.agent || hasScopeFor(above?.scopes ?? [], 'SPAWN_CHILD')
  return mayHave ? [] : ['its parent flow belongs to another agent']
}

function foldDelegation(
  state: State,
  dfid: string | undefined,
  { parent_dfid, child_dfid, child_agent, writ_id, opened_by }: DelegationPayload,
): readonly string[] {
  // What comes back may be that of a writ which was issued by hand, in no flow.
  if (opened_by === undefined) return []
  if (dfid !== parent_dfid) return ['it is recorded in another flow than the parent']
  const child = state.untold.get(child_dfid)
  const isOf = child_agent === state.authority.flows.get(child_dfid)?.agent
  if (isOf && child?.parent === parent_dfid && child.writ === writ_id)
    state.untold.delete(child_dfid)
  const parent = state.authority.flows.get(parent_dfid)
  if (parent === undefined) return []
  if (opened_by.kind === 'session')
    return child_agent === parent.agent ? [] : ['a session opened it below a flow of another agent']
  if (opened_by.kind === 'runtime') return []
  const spawn = state.spawns.get(opened_by.intent_id)
  if (spawn === undefined) return ['the step that opened it is not in the ledger']
  const { intent_id } = opened_by
  if (state.used.has(intent_id)) return ['the step that opened it had opened another flow before']
  state.used.add(intent_id)
  const isOwn = spawn.dfid === parent_dfid && spawn.agent === child_agent
  return isOwn && state.sent.has(intent_id) ? [] : ['the step that it names did not open it']
}
