/**
 * What an agent needs of a runtime in its own process, by form: `Runtime` of `rubicon-runtime` has it. Nothing of the
 * runtime is imported, so that an agent can be built and tested without one.
 */
import type { JsonValue } from 'rubicon-kernel/canonical'
import type { Answer } from 'rubicon-kernel/proposal'
import type { Failure, Result } from 'rubicon-kernel/result'
import type {
  ActNames,
  AgentAct,
  DocumentKept,
  StateKept,
  TimerSetting,
} from '../agent/agent-connection.ts'
import type {
  AgentFlow,
  AgentProposal,
  FlowOpening,
  ProposeWait,
  SettledWait,
} from '../agent/agent-flow.ts'
import type { ReservedStep } from '../agent/reserved-steps.ts'
import type { Timer } from '../generated.ts'
import type { FlowGeneration, FlowReply } from '../model/flow-model.ts'

/** A runtime, as far as its agents need one. */
export type AgentRuntime = {
  /** Opens a flow of the agent. */
  open(request: FlowOpening & { readonly agent: string }): Promise<RuntimeFlow>
  /** A flow that was opened before, with a new context. */
  resume(dfid: string, options?: Pick<RuntimeAsked, 'agent'>): Promise<RuntimeFlow>
  /** Opens a flow and decides in it at once. */
  act(request: RuntimeAct, options?: { readonly waitMs?: number }): Promise<RuntimeActed>
  /** The same, where it was not asked for before. */
  actOnce(
    request: RuntimeAct,
    names: ActNames,
    options?: { readonly waitMs?: number },
  ): Promise<RuntimeActed>
  /** Who gets the flows that others open for the agent. */
  on(agent: string, handler: (flow: RuntimeFlow) => unknown): void
  /** Its engine, started if it was not. */
  start(): Promise<RuntimeEngine>
}

/** An act, and whose it is. */
export type RuntimeAct = AgentAct & { readonly agent: string }

/** What became of an act. */
export type RuntimeActed = { readonly answer: Answer }

/** A flow of the runtime: that of an agent, whose answers have not been read yet. */
export type RuntimeFlow = Omit<AgentFlow, ReservedStep | 'propose' | 'settled'> & {
  /** Judges a proposal. */
  propose(proposal: AgentProposal, options?: ProposeWait): Promise<Answer>
  /** Waits for whoever has to act before its agent can. */
  readonly settled: (options?: SettledWait) => Promise<Answer>
}

/** Who asks about a flow, and for how long. */
export type RuntimeAsked = {
  /** The flow of another agent is refused. */
  readonly agent: string
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** What a runtime does for an agent beside its flows. */
export type RuntimeEngine = {
  /** Waits until a flow is its agent's again, or over. */
  readonly settled: (dfid: string, options?: RuntimeAsked) => Promise<Result<Answer, Failure>>
  /** Absent: the runtime has no models. */
  generate?(
    dfid: string,
    request: FlowGeneration,
    options?: RuntimeAsked,
  ): Promise<Result<FlowReply, Failure>>
  /** Ends the agent, for good. */
  requestRetire(
    agent: string,
    options?: { readonly reason?: string },
  ): Promise<Result<void, Failure>>
  /** Timers that an agent sets for itself. */
  readonly timers: {
    /** Sets one, in place of one of the same name. */
    setOwn(
      request: TimerSetting & { readonly agent: string; readonly name: string },
    ): Promise<Result<Timer, Failure>>
    /** Those that it has set. */
    own(agent: string): Promise<Result<readonly Timer[], Failure>>
    /** Ends one. */
    dropOwn(agent: string, name: string): Promise<Result<unknown, Failure>>
  }
  /** What an agent keeps for itself. */
  readonly contextStore: {
    /** Keeps a document, in place of one of the same name. */
    putDocument(
      agent: string,
      document: { readonly name: string; readonly title: string; readonly text: string },
    ): Promise<Result<DocumentKept, Failure>>
    /** Takes a document out. */
    dropDocument(agent: string, name: string): Promise<Result<unknown, Failure>>
    /** What it keeps between flows; null: nothing. */
    readonly agentState: (agent: string) => Promise<Result<StateKept | null, Failure>>
    /** Keeps it, where `version` is the one that was read. */
    putAgentState(
      agent: string,
      value: JsonValue,
      version: number | null,
    ): Promise<Result<{ readonly version: number }, Failure>>
  }
}
