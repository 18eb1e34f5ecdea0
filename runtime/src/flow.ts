/** A flow as the code of an agent holds it. */
import type { Answer, ArtifactRef, WorkingContext } from 'rubicon-kernel'
import type { Engine, UsageOptions } from './engine/engine.ts'
import type { RefreshRequest } from './engine/layers/refresh.ts'
import type { OpenedFlow } from './engine/open.ts'
import type { ProposeOptions } from './engine/propose.ts'
import type { Usage, UsageAnswer } from './engine/usage.ts'
import { unwrap } from './rubicon-error.ts'

/** Everything that an agent can do is propose; besides that it may look, and say what it thinks. */
export type Flow = {
  readonly dfid: string
  /** What the agent was shown last: at the opening, with a refusal, or when it looked again. */
  readonly context: WorkingContext
  propose(proposal: FlowProposal, options?: ProposeOptions): Promise<Answer>
  /** Adds the agent's own words to the session. They end with the flow. */
  note(text: string): Promise<void>
  /** Looks again. The next proposal refers to what is seen then. */
  refresh(request?: RefreshRequest): Promise<WorkingContext>
  /** Looks into the reference documents; that it did is noted in the session. */
  search(text: string): Promise<readonly ArtifactRef[]>
  /** What reasoning cost since the last report. It is an estimate, and it is counted. */
  usage(used: Usage, options?: UsageOptions): Promise<UsageAnswer>
  cancel(reason: string): Promise<void>
  close(): Promise<void>
}

/** Members that identify the flow and its context are filled in; given ones are kept as they are. */
export type FlowProposal = { readonly policy_kind: string; readonly params?: object } & Readonly<
  Record<string, unknown>
>

export function flowOf(engine: Engine, { flow, working }: OpenedFlow): Flow {
  const { dfid, agent_id, mission_hash } = flow
  const { contextStore } = engine
  let shown = working
  return {
    dfid,
    get context() {
      return shown
    },
    async propose(proposal, options) {
      const identity = { dfid, agent_id, mission_context_hash: mission_hash }
      const context_ref = shown.snapshot_id
      const answer = await engine.propose(dfid, { ...identity, context_ref, ...proposal }, options)
      shown = answer.context ?? shown
      return answer
    },
    async note(text) {
      unwrap(await contextStore.note(dfid, { text }))
    },
    async refresh(request) {
      shown = unwrap(await contextStore.refresh(dfid, request))
      return shown
    },
    search: async (text) => unwrap(await contextStore.searchArtifacts(text, { dfid })),
    usage: async (used, options) => unwrap(await engine.usage(dfid, used, options)),
    async cancel(reason) {
      unwrap(await engine.cancel(dfid, reason))
    },
    async close() {
      unwrap(await engine.close(dfid))
    },
  }
}
