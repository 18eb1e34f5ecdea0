/** Who may do what, folded up to the present place in the tree. */

import {
  type Address,
  type AgentKind,
  type AgentStatus,
  foldCapability,
  foldPerson,
  foldRules,
  foldSource,
  type KeySet,
  mayMove,
  type PersonsDraft,
  type PolicyPayload,
  parseCheckpoint,
  parseNote,
  type RecordedRules,
  type SourcesDraft,
  type TopologyRow,
} from 'rubicon-kernel'
import type { Intent, OpenedFlow } from '../compact-records/flow-rows.ts'
import type { PackedMap } from '../compact-records/packed-map.ts'
import { FLOWS, INTENTS } from '../compact-records/packings.ts'
import type { Kept } from '../compact-records/parts.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { type Contracts, createContracts } from './contracts.ts'
import type { AnnouncedFlow } from './events.ts'
import { createKeyHolders, type KeyHolders } from './key-holders.ts'
import { spawnProblems } from './openings.ts'
import type { Writs } from './writs.ts'

export type AuthorityState = {
  readonly whole: boolean
  /** What flows did is folded too, not only what operators and the runtime recorded. */
  readonly seesFlows: boolean
  readonly keys: KeySet
  readonly writs: Writs
  readonly contracts: Contracts
  readonly statuses: Map<string, AgentStatus>
  readonly revokedWrits: Set<string>
  readonly flows: PackedMap<OpenedFlow>
  /** Flows that events announced and that are not opened so far. */
  readonly announced: Map<string, AnnouncedFlow>
  /** What every event is about. */
  readonly topics: Map<string, string>
  /** What dispatched steps have asked the runtime for. */
  readonly asked: Set<string>
  readonly persons: PersonsDraft
  readonly holders: KeyHolders
  /** Every rules_hash that was recorded, and what is in force here. */
  readonly rules: Set<string>
  /** Which decisions take which way, by the rules_hash that says so. */
  readonly topologies: Map<string, readonly TopologyRow[]>
  ruled: RecordedRules | null
  readonly compilers: Set<string>
  readonly intents: PackedMap<Intent>
  /** Erased dispatches that nothing was put down to yet: each may have asked for one thing. */
  erasedDispatches: number
  readonly sources: SourcesDraft
  cited: number
  epoch: number
}

export function createAuthorityState(
  writs: Writs,
  keys: KeySet,
  whole: boolean,
  seesFlows: boolean,
  kept: Kept,
): AuthorityState {
  const persons: PersonsDraft = { ids: new Map(), linked: new Map() }
  return {
    whole,
    seesFlows,
    keys,
    writs,
    contracts: createContracts(),
    statuses: new Map(),
    revokedWrits: new Set(),
    flows: kept.flows.part(FLOWS),
    announced: new Map(),
    topics: new Map(),
    asked: new Set(),
    persons,
    holders: createKeyHolders(keys, persons, whole),
    rules: new Set(),
    topologies: new Map(),
    ruled: null,
    compilers: new Set(),
    intents: kept.intents.part(INTENTS),
    erasedDispatches: 0,
    sources: { byId: new Map(), byPattern: new Map() },
    cited: -1,
    epoch: 0,
  }
}

export type AuthorityPayload = Extract<
  NonNullable<ReadEntry['payload']>,
  {
    readonly kind:
      | 'lifecycle'
      | 'contract'
      | 'revocation'
      | 'policy'
      | 'anchor'
      | 'source'
      | 'person'
  }
>

/** Takes in an authority entry and says what about it cannot be. */
export function foldAuthorityEntry(
  state: AuthorityState,
  read: AuthorityPayload,
  at: string,
): string[] {
  switch (read.kind) {
    case 'lifecycle':
      return foldStatusMove(state, read.payload.body)
    case 'contract':
      return [
        ...spawnProblems(state, read.payload.body, at),
        ...state.contracts.add(read.payload.body),
      ]
    case 'person': {
      const problem = foldPerson(state.persons, read.payload.body)
      state.holders.forget()
      // A bundle may have left out how somebody came to be known.
      return problem === undefined || !state.whole ? [] : [problem]
    }
    case 'revocation': {
      const { target, id } = read.payload.body
      if (target === 'writ') state.revokedWrits.add(id)
      else state.contracts.revoke(id)
      return []
    }
    case 'policy':
      foldPolicy(state, read.payload.body)
      return []
    case 'source': {
      const problem = foldSource(state.sources, read.payload)
      // A bundle may have left out what was registered before.
      return problem === undefined || !state.whole ? [] : [problem]
    }
    case 'anchor': {
      const { body } = read.payload
      if (body.action === 'confirm_clock') return []
      const { epoch, checkpoint } = body
      const used = Math.max(state.epoch, parseNoteEpoch(checkpoint))
      state.epoch = Math.max(epoch, state.epoch)
      return epoch > used ? [] : [`epoch ${epoch} follows epoch ${used}`]
    }
  }
}

/** The epoch of a note that was kept outside; -1: it cannot be read, and shows none. */
function parseNoteEpoch(text: string): number {
  const note = parseNote(text)
  const origin = note.ok ? (parseCheckpoint(note.value.body)?.origin ?? '') : ''
  const epoch = origin.slice(origin.lastIndexOf('/') + 1)
  return /^(0|[1-9][0-9]{0,15})$/.test(epoch) ? Number(epoch) : -1
}

/** Nothing here needs to know where in the authority trajectory it stood. */
const NOWHERE: Address = 'sha256:'

function foldPolicy(state: AuthorityState, body: PolicyPayload['body']): void {
  if ('rules_hash' in body) {
    state.rules.add(body.rules_hash)
    const { topologies } = body.rules
    if (topologies !== undefined) state.topologies.set(body.rules_hash, topologies)
    state.ruled = foldRules(state.ruled, body, NOWHERE)
  } else if (body.action === 'capability') state.ruled = foldCapability(state.ruled, body, NOWHERE)
}

type Move = Extract<AuthorityPayload, { readonly kind: 'lifecycle' }>['payload']['body']

function foldStatusMove(state: AuthorityState, { agent_id, from, to, actor }: Move): string[] {
  const before = state.statuses.get(agent_id) ?? null
  state.statuses.set(agent_id, to)
  if (!listPossibleKinds(state, agent_id).some((kind) => mayMove(from, to, actor, kind)))
    return [`${actor} cannot move an agent from ${from} to ${to}`]
  if (!state.whole || from === before) return []
  return [`agent \`${agent_id}\` was ${before}, not ${from}`]
}

/** A bundle may have left out how the agent came to its contract. */
function listPossibleKinds(
  { contracts, whole }: AuthorityState,
  agent: string,
): readonly AgentKind[] {
  const instance = contracts.isInstance(agent)
  if (instance === undefined && !whole) return ['class', 'instance']
  return [instance === true ? 'instance' : 'class']
}
