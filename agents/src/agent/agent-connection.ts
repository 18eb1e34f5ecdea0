/** An agent that is connected to its runtime: it opens flows, is handed those that others open for it, and keeps what is its own. */
import type { JsonValue } from 'rubicon-kernel/canonical'
import type { AnyProblem } from '../call.ts'
import type { Timer, TimerSet } from '../generated.ts'
import type { FlowGenerator } from '../model/flow-model.ts'
import type { AgentAnswer } from './agent-answer.ts'
import type { ActWait, AgentFlow, AgentProposal, FlowOpening, SettledWait } from './agent-flow.ts'

/** An agent that is connected: the same over HTTP and in process. */
export interface AgentConnection {
  /** As it is registered. */
  readonly agent: string
  /** Whether it may propose. */
  readonly state: ConnectionState
  /** A flow of its own, with the context that it decides on. */
  open(request: FlowOpening): Promise<AgentFlow>
  /** A flow that was opened before and is the agent's to go on with; it is shown a new context. */
  resume(dfid: string): Promise<AgentFlow>
  /**
   * Opens a flow and proposes in it at once, on the facts that the agent says it saw. Refused with `SIGNATURE_REQUIRED`
   * where the contract says `requires_signature`: what is signed names its flow, so that one is opened first.
   */
  act(request: AgentAct, options?: ActWait): Promise<AgentAnswer>
  /** Waits until a flow is the agent's again, or over, and says what became of it. */
  readonly settled: (dfid: string, options?: SettledWait) => Promise<AgentAnswer>
  /** Asks a model of the runtime, for a flow: it is counted and recorded there. See `createFlowModel`. */
  generate: FlowGenerator['generate']
  /** Flows that timers, events and other agents open for it. Of several handlers the last counts. */
  handleFlows(handler: FlowHandler): void
  /** A timer that opens a flow of the agent; one of the same name is replaced. */
  setTimer(name: string, request: TimerSetting): Promise<TimerSet>
  /** Those that it has set, by name. */
  listTimers(): Promise<readonly Timer[]>
  /** It does not fire any more. */
  dropTimer(name: string): Promise<void>
  /** A document of its own; one of the same name is replaced, and no other agent finds it. */
  putDocument(name: string, document: OwnDocument): Promise<DocumentKept>
  /** Takes it out, for good. */
  dropDocument(name: string): Promise<void>
  /** What it keeps for itself between flows; null: nothing. Nothing decides on it. */
  loadState(): Promise<StateKept | null>
  /** `version`: the one that was read, null where there was none. */
  saveState(value: JsonValue, version: number | null): Promise<{ readonly version: number }>
  /** Ends the agent, for good. */
  retire(reason: string): Promise<void>
  /** Lets go of the session. The agent goes on being registered. */
  close(): Promise<void>
}

/** What is wanted, why, and on what ground; other members are those of a proposal. */
export type AgentAct = AgentProposal &
  Pick<FlowOpening, 'trigger' | 'steps' | 'trajectory'> & {
    /** The facts that the agent relied on. */
    readonly seen?: readonly SeenFact[]
    /** For whoever may ask for one thing twice: what was asked for before is answered with what became of it. */
    readonly once?: ActNames
    /** Under which name people find it among the agent's other acts; nothing is decided on it. Letters, digits and `. _ : @ -`. */
    readonly conversation?: string
  }

/**
 * What an act is known by, within one agent: asked for again under the same it is not done again, and with other arguments refused
 * (`CALL_REUSED`). Also without any, an act that asks for what is in flight, waits or is UNKNOWN is that one.
 */
export type ActNames = {
  /** A call of a conversation in which no id is used twice. */
  readonly call?: {
    /** Of the conversation, among all of the agent. */
    readonly conversation: string
    /** Of the call in it. */
    readonly id: string
  }
  /** A key that whoever asks has chosen. */
  readonly key?: string
}

/** A fact that an agent relied on, as it saw it. */
export type SeenFact = {
  /** Where it stands in State. */
  readonly path: string
  /** What it was; absent: that there was none. */
  readonly value?: JsonValue
  /** As its source counts. */
  readonly version?: string
  /** When the agent looked. */
  readonly observed_at: string
}

/** Works on a flow that somebody else has opened. */
export type FlowHandler = (flow: AgentFlow) => unknown

/** When a timer fires, and how the flow is opened that it opens. */
export type TimerSetting = Pick<FlowOpening, 'trigger' | 'steps' | 'state'> & {
  /** When it fires first; without it, after `every_ms`. */
  readonly at?: string
  /** Again and again, after so many milliseconds; a minute at least. */
  readonly every_ms?: number
}

/** A reference document, found by its words. */
export type OwnDocument = {
  /** What it is about, in a line. */
  readonly title: string
  /** Its whole text; it is split into pieces that are found by their words. */
  readonly text: string
}

/** In how many pieces it is found, and the hash of its text as it was cleaned. */
export type DocumentKept = {
  /** As it was given. */
  readonly name: string
  /** Of its text, as it was cleaned. */
  readonly hash: string
  /** Pieces that it was split into. */
  readonly chunks: number
}

/** What an agent keeps for itself, and how often it was written. */
export type StateKept = {
  /** Any JSON. */
  readonly value: JsonValue
  /** To be named by whoever writes it next. */
  readonly version: number
  /** When it was written. */
  readonly updated_at: string
}

/**
 * `ready`: it may propose. `safe`: the runtime speaks another version; nothing is sent, and it is tried again after
 * `retry_ms`. `ended`: it was refused for good, retired or closed.
 */
export type ConnectionState =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'safe'
      /** Why nothing is sent, as the runtime said it; null: it was closed here. */
      readonly problem: AnyProblem
      /** When the runtime is asked again. */
      readonly retry_ms: number
    }
  | {
      readonly kind: 'ended'
      /** Why nothing is sent, as the runtime said it; null: it was closed here. */
      readonly problem: AnyProblem | null
    }

/** What an agent keeps and does for itself, outside of any flow: how it is called on a connection. */
export type OwnThing =
  | 'setTimer'
  | 'listTimers'
  | 'dropTimer'
  | 'putDocument'
  | 'dropDocument'
  | 'loadState'
  | 'saveState'
  | 'retire'
