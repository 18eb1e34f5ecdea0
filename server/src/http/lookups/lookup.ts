/**
 * A lookup: what the store alone can answer, without the engine. So it can be answered beside the thread
 * that decides, and whoever reads a long list keeps no decision waiting.
 */
import type { Sha256 } from 'rubicon-kernel'
import type { Clock, Store } from 'rubicon-runtime/ports'
import { getPrincipalName } from '../../people/principal.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import type { ArtifactSource } from './artifacts/artifact-texts.ts'

/** By the operations of their routes. */
export type LookupName =
  | 'listFlows'
  | 'getFlow'
  | 'getFlowTree'
  | 'getGeneration'
  | 'listExecutions'
  | 'listDecisions'
  | 'listEpisodes'
  | 'findEntries'
  | 'getEntry'
  | 'listTrajectories'
  | 'listTrajectoryEntries'
  | 'getWorld'
  | 'listChanges'
  | 'listTopicEvents'
  | 'getTopicEvent'
  | 'listWorldArtifacts'
  | 'listArtifactSymbols'
  | 'getArtifactText'
  | 'listArtifactChanges'
  | 'compareArtifact'
  | 'listArtifactPlans'
  | 'getOverview'
  | 'getAgentActivity'
  | 'forgetFlow'
  | 'measureStore'
  | 'searchEscalations'
  | 'countEscalations'

/** Nothing of it is secret: who asks was found out before. */
export type LookupRequest = {
  /** Whose questions wait behind each other. */
  readonly asker: string
  /** The agent that asks, which sees what is its own; null: a person asks. */
  readonly own: string | null
  readonly params: RouteRequest['params']
  readonly query: RouteRequest['query']
}

export type Lookup = (question: LookupRequest) => Promise<Reply>
export type LookupTable = Readonly<Record<LookupName, Lookup>>

/** What lookups are made of. */
export type LookupParts = {
  readonly store: Store
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
  readonly sha256: Sha256
  /** What artifacts consist of; absent: it is not held here. */
  readonly artifacts?: ArtifactSource | undefined
  /** Where the search index is; in memory when nobody says. */
  readonly search?: SearchPlace | undefined
}

export type SearchPlace = {
  /** Its file; null: it is in memory. */
  readonly path: string | null
  /** The thread has nothing to do but lookups. */
  readonly isAlone: boolean
}

/** Where lookups are answered. */
export interface Lookups {
  answer(name: LookupName, question: LookupRequest): Promise<Reply>
}

/** The handler of a route that is a lookup. */
export function createLookupHandler(
  lookups: Lookups,
  name: LookupName,
): (asked: RouteRequest) => Promise<Reply> {
  return ({ principal, params, query }) => {
    const own = principal.kind === 'agent' ? principal.agent_id : null
    return lookups.answer(name, { asker: getPrincipalName(principal), own, params, query })
  }
}
