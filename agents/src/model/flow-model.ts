/** A model that the runtime asks: it holds the credentials, counts what is used, and records what was asked and said. */
import type { Generation } from '../generated.ts'
import type { AgentModel, GenerateRequest, ModelReply } from './agent-model.ts'

/** As the runtime's port has it. */
export type FlowGeneration = GenerateRequest & {
  /** One of those that the runtime was set up with. */
  readonly model: string
  /** Whose it is, where several have one of that name. */
  readonly provider?: string
  /** The answer is a proposal of one of these kinds, inside of what the contract leaves. */
  readonly decode?: { readonly kinds: readonly string[] }
}

/** What the runtime returns of a generation: with `decode` also what was written inside of the grammar. */
export type FlowReply = ModelReply & Pick<Generation, 'grammar_hash' | 'proposal'>

/** Whoever asks the runtime: a connection over HTTP or in process. */
export interface FlowGenerator {
  /** One reply, within the budgets of the flow and on its record. */
  generate(
    dfid: string,
    request: FlowGeneration,
    options?: { readonly signal?: AbortSignal },
  ): Promise<FlowReply>
}

/** A model of the runtime, for one flow. */
export function createFlowModel(
  generator: FlowGenerator,
  dfid: string,
  named: Pick<FlowGeneration, 'model' | 'provider'>,
): AgentModel {
  return {
    metered: true,
    generate: (request, io) => generator.generate(dfid, { ...request, ...named }, io),
  }
}
