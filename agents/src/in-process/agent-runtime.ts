/**
 * What an agent needs of a runtime in its own process, by form: `Runtime` of `rubicon-runtime` has it. Nothing of the
 * runtime is imported, so that an agent can be built and tested without one.
 */
import type { JsonValue } from 'rubicon-kernel/canonical'
import type { ArtifactRef, WorkingContext } from 'rubicon-kernel/context'
import type { Answer } from 'rubicon-kernel/proposal'
import type { Failure, Result } from 'rubicon-kernel/result'
import type { DocumentKept, SeenFact, StateKept, TimerSetting } from '../agent/agent-connection.ts'
import type { AgentProposal, AgentUsage, ExplainResult, FlowOpening } from '../agent/agent-flow.ts'
import type { OfferedTool, Timer, UsageAnswer } from '../generated.ts'
import type { GenerateReply } from '../model/agent-model.ts'
import type { FlowGeneration } from '../model/flow-model.ts'

export type AgentRuntime = {
  open(request: FlowOpening & { readonly agent: string }): Promise<RuntimeFlow>
  resume(dfid: string): Promise<RuntimeFlow>
  act(request: RuntimeAct, options?: { readonly waitMs?: number }): Promise<RuntimeActed>
  on(agent: string, handler: (flow: RuntimeFlow) => unknown): void
  start(): Promise<RuntimeEngine>
}

export type RuntimeAct = AgentProposal & {
  readonly agent: string
  readonly trigger: string
  readonly seen?: readonly SeenFact[]
}

export type RuntimeActed = { readonly answer: Answer }

export type RuntimeFlow = {
  readonly dfid: string
  readonly context: WorkingContext
  propose(proposal: AgentProposal, options?: { readonly waitMs?: number }): Promise<Answer>
  readonly settled: (options?: { readonly signal?: AbortSignal }) => Promise<Answer>
  readonly note: (text: string) => Promise<void>
  explain(explanation: ExplainResult): Promise<{ readonly explain_ref: string }>
  refresh(request?: { readonly state?: readonly string[] }): Promise<WorkingContext>
  listTools(): Promise<readonly OfferedTool[]>
  search(text: string): Promise<readonly ArtifactRef[]>
  usage(used: AgentUsage, options?: { readonly report?: string }): Promise<UsageAnswer>
  cancel(reason: string): Promise<void>
  close(): Promise<void>
}

export type RuntimeEngine = {
  readonly settled: (
    dfid: string,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Result<Answer, Failure>>
  /** Absent: the runtime has no models. */
  generate?(
    dfid: string,
    request: FlowGeneration,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result<GenerateReply, Failure>>
  requestRetire(
    agent: string,
    options?: { readonly reason?: string },
  ): Promise<Result<void, Failure>>
  readonly timers: {
    setOwn(
      request: TimerSetting & { readonly agent: string; readonly name: string },
    ): Promise<Result<Timer, Failure>>
    own(agent: string): Promise<Result<readonly Timer[], Failure>>
    dropOwn(agent: string, name: string): Promise<Result<unknown, Failure>>
  }
  readonly contextStore: {
    putDocument(
      agent: string,
      document: { readonly name: string; readonly title: string; readonly text: string },
    ): Promise<Result<DocumentKept, Failure>>
    dropDocument(agent: string, name: string): Promise<Result<unknown, Failure>>
    readonly agentState: (agent: string) => Promise<Result<StateKept | null, Failure>>
    putAgentState(
      agent: string,
      value: JsonValue,
      version: number | null,
    ): Promise<Result<{ readonly version: number }, Failure>>
  }
}
