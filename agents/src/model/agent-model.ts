/**
 * A language model, as an agent asks it. The form is that of the runtime's port, so that a provider there and a
 * function here can stand for each other. A model is untrusted: what it returns is parsed and bounded, and can at most
 * become a proposal.
 */
import type { JsonObject } from 'rubicon-kernel/canonical'

/** Whoever answers to a conversation: a provider, or a function of yours. */
export interface AgentModel {
  /** One reply to what was said so far. */
  generate(request: GenerateRequest, io?: GenerateIo): Promise<GenerateReply>
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

/** What the agent, the model, or a tool said. */
export type ModelMessage =
  | {
      readonly role: 'user'
      /** What was said. */
      readonly text: string
    }
  | {
      readonly role: 'assistant'
      /** What was said. */
      readonly text: string
      /** What it called. */
      readonly calls?: readonly ModelCall[]
    }
  | {
      readonly role: 'tool'
      /** Of the call that this is the result of. */
      readonly call_id: string
      /** Of the tool. */
      readonly name: string
      /** What was said. */
      readonly text: string
      /** It came to nothing. */
      readonly failed?: boolean
    }

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
export type ModelCall = {
  /** By which its result refers to it. */
  readonly id: string
  /** Of the tool; it may be one that does not exist. */
  readonly name: string
  /** As the model wrote it: it may be no JSON at all. */
  readonly arguments: string
  /** What some providers want back with the call, as they wrote it. */
  readonly signature?: string
}

/** What a model answered. */
export type GenerateReply = {
  /** What it said beside its calls. */
  readonly text: string
  /** In the order in which they are to be made. */
  readonly calls: readonly ModelCall[]
  /** Why it said no more. */
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
  /** As the provider counted; null: it said nothing, and the largest possible is counted. */
  readonly usage: ModelTokens | null
}

/** As the provider counts. */
export type ModelTokens = {
  /** What the model was given. */
  readonly input_tokens: number
  /** What it wrote. */
  readonly output_tokens: number
}
