/**
 * A language model, as an agent asks it. The form is that of the runtime's port, so that a provider there and a
 * function here can stand for each other. A model is untrusted: what it returns is parsed and bounded, and can at most
 * become a proposal.
 */
import type { JsonObject } from 'rubicon-kernel/canonical'

export interface AgentModel {
  generate(request: GenerateRequest, io?: GenerateIo): Promise<GenerateReply>
  /** The runtime counts what it uses: nothing is reported beside that. */
  readonly metered?: boolean
}

export type GenerateRequest = {
  readonly system?: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[]
  /** The most that is generated. */
  readonly max_tokens: number
}

export type GenerateIo = { readonly signal: AbortSignal }

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ModelCall[] }
  | {
      readonly role: 'tool'
      readonly call_id: string
      readonly name: string
      readonly text: string
      readonly failed?: boolean
    }

export type ModelTool = {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly params: JsonObject
}

export type ModelCall = {
  readonly id: string
  readonly name: string
  /** As the model wrote it: it may be no JSON at all. */
  readonly arguments: string
  /** What some providers want back with the call, as they wrote it. */
  readonly signature?: string
}

export type GenerateReply = {
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
  /** As the provider counted; null: it said nothing, and the largest possible is counted. */
  readonly usage: ModelTokens | null
}

export type ModelTokens = { readonly input_tokens: number; readonly output_tokens: number }
