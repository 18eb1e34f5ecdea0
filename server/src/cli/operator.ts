/**
 * What the verbs that change something ask for, whoever does it: the store that they opened, or a server
 * that runs on it. Each throws a `CliFailure` where it is refused.
 */
import type {
  Address,
  AgentStatus,
  Budget,
  ClockAnchor,
  Contract,
  EscalationDecision,
  Identity,
  JsonObject,
  KeyBody,
  Monitor,
  Writ,
} from 'rubicon-kernel'
import type { DecidedEscalation, EscalationView } from 'rubicon-runtime/engine/approve'
import type {
  Deployed,
  KeyRegistration,
  Killed,
  Registered,
  RegisteredSource,
  Spawned,
  SpawnRequest,
} from 'rubicon-runtime/engine/authority'
import type { Erasure } from 'rubicon-runtime/engine/erase'
import type { DeployedMonitorAnswer } from 'rubicon-runtime/engine/monitors'
import type { Resolution } from 'rubicon-runtime/engine/saga'

/** A document, and the text that it was read from. */
export type WrittenDocument<T> = { readonly read: T; readonly source: string }

export type Seq = { readonly seq: number }

export interface Operator
  extends AgentOperator,
    KeyOperator,
    PersonOperator,
    FlowOperator,
    WatchOperator {
  /** Who says it: by the token of a server; null: whoever the verb names. */
  speaker(): Promise<string | null>
}

export interface AgentOperator {
  deploy(contract: WrittenDocument<Contract>, revokePrevious: boolean): Promise<Deployed>
  /** Parents that are named by contracts and never asked. */
  findPassedOverParents(contracts: readonly Contract[]): Promise<readonly string[]>
  revokeContract(id: string, reason: string): Promise<Seq>
  /** From which state it was moved. */
  move(agent: string, to: MovedTo, justification: string): Promise<AgentStatus>
  kill(agent: string, reason: string): Promise<Killed>
  spawn(request: SpawnRequest): Promise<Spawned>
}

/** Where an operator may move an agent. */
export type MovedTo = Exclude<AgentStatus, 'INITIALIZING'>

export interface KeyOperator {
  registerKey(registration: KeyRegistration): Promise<KeyBody>
  retireKey(id: string): Promise<void>
  compromiseKey(id: string, since: number): Promise<void>
  issueWrit(agent: string, hours: number, audience: string | undefined): Promise<Writ>
  attenuateWrit(id: Address, narrowing: WritNarrowing): Promise<Writ>
  revokeWrit(id: string, reason: string): Promise<Seq>
}

export type WritNarrowing = {
  readonly subject: string
  readonly kinds: readonly string[]
  readonly budget: Budget | null
  readonly hours: number | null
}

/** A person is named by id, or by a name that they have. */
export interface PersonOperator {
  registerPerson(name: string): Promise<Registered>
  linkPerson(person: string, identity: Identity): Promise<Registered>
  unlinkPerson(person: string, identity: Identity): Promise<Registered>
  mergePersons(person: string, into: string): Promise<Registered>
}

export interface FlowOperator {
  /** A dfid of which as much was typed as somebody copied. */
  resolveFlow(given: string): Promise<string>
  cancelFlow(dfid: string, reason: string): Promise<void>
  planErasure(dfid: string): Promise<ToldErasure>
  erase(dfid: string, reason: string, by: string | undefined): Promise<ToldErasure>
  /** What became of it. */
  resolve(dfid: string, step: string | undefined, resolution: Resolution): Promise<string>
  readEscalation(given: string): Promise<EscalationView>
  decide(id: string, decision: EscalationDecision, principal: string): Promise<DecidedEscalation>
  branchTrajectory(
    branching: Branching,
  ): Promise<{ readonly trajectory: string; readonly id: string }>
}

/** An erasure as it is told: without the leaves of the World, which nobody reads. */
export type ToldErasure = Omit<Erasure, 'payloads'> & {
  readonly payloads: readonly Pick<Erasure['payloads'][number], 'trajectory' | 'seq' | 'leaf'>[]
}

export type Branching = {
  readonly source: { readonly trajectory: string; readonly seq: number }
  readonly name: string
  readonly note: string
}

export interface WatchOperator {
  deployMonitor(monitor: WrittenDocument<Monitor>): Promise<DeployedMonitorAnswer>
  withdrawMonitor(name: string, reason: string): Promise<Seq>
  registerSource(source: JsonObject): Promise<RegisteredSource>
  retireSource(name: string): Promise<Seq>
  confirmClock(reason: string): Promise<ClockAnchor>
}
