/**
 * A language model, as an agent asks it. The form is that of the runtime's port, so that a provider there and a
 * function here can stand for each other. A model is untrusted: what it returns is parsed and bounded, and can at most
 * become a proposal.
 */
import type { JsonObject } from 'rubicon-kernel/canonical'
import type { Generation, ModelMessage, ModelToolCall } from '../generated.ts'

export type { ModelMessage } from '../generated.ts'

/** Whoever answers to a conversation: a provider, or a function of yours. */
export interface AgentModel {
  /** One reply to what was said so far. */
  generate(request: GenerateRequest, io?: GenerateIo): Promise<ModelReply>
  /** The runtime counts what it uses: nothing is reported beside that. */
  readonly metered?: boolean
}

/** What a model is asked. */
export type GenerateRequest = {
  /** What it is, before anybody speaks. */
  readonly system?: string
  /** What was said so far, the last one last. */
  readonly messages: readonly ModelMessage[]
  /** What it may call. */
  readonly tools?: readonly ModelTool[]
  /** The most that is generated. */
  readonly max_tokens: number
}

/** Aborted: nobody waits for the reply any more. */
export type GenerateIo = { readonly signal: AbortSignal }

/** A function that a model may call. */
export type ModelTool = {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string
  /** What it does. */
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly params: JsonObject
}

/** A call that a model wants made. */
export type ModelCall = ModelToolCall

/** What a model answered: of what the runtime returns for a generation, the part that any model has. */
export type ModelReply = Pick<Generation, 'text' | 'calls' | 'stop' | 'usage'>

/** As the provider counts. */
export type ModelTokens = NonNullable<Generation['usage']>
