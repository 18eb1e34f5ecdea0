/**
 * A language model, as the runtime asks it. Credentials stay on this side; an agent never holds one. A provider
 * is untrusted like an agent: what it returns is parsed, bounded and recorded, and grants nothing.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

export type ModelRequest = {
  readonly model: string
  readonly system?: string
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[]
  readonly tool_choice?: 'auto' | 'required' | 'none'
  /** The answer is one JSON document of this schema. */
  readonly output?: { readonly name: string; readonly schema: JsonObject }
  /** The most that is generated; always given, so that the largest possible cost is known before. */
  readonly max_tokens: number
  readonly temperature?: number
  readonly seed?: number
  readonly stop?: readonly string[]
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly ModelToolCall[] }
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
  readonly params: JsonObject
}

export type ModelToolCall = {
  readonly id: string
  readonly name: string
  /** As the model wrote it: it may be no JSON at all. */
  readonly arguments: string
  /** What the provider wants back with the call in the next request, unread. */
  readonly signature?: string
}

export type ModelReply = {
  /** As the provider names what answered. */
  readonly model: string
  readonly text: string
  readonly calls: readonly ModelToolCall[]
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
  /** As the provider counted; null: it said nothing, and the largest possible is charged. */
  readonly usage: ModelUsage | null
  /** The body as it came, byte for byte, for the record. */
  readonly raw: string
}

export type ModelUsage = {
  readonly input_tokens: number
  readonly output_tokens: number
  /** Of the input, what the provider had kept from before. */
  readonly cached_tokens?: number
}

/** USD for a million tokens, as decimals. A model without a price is not asked where usd is bounded. */
export type ModelPrice = {
  readonly input: string
  readonly output: string
  readonly cached?: string
}

export type ModelIo = {
  readonly signal: AbortSignal
  /** Text as it comes, for whoever watches; what counts is the reply. */
  readonly onText?: (text: string) => void
}

export interface ModelProvider {
  readonly name: string
  generate(request: ModelRequest, io: ModelIo): Promise<ModelReply>
  findPrice(model: string): ModelPrice | undefined
}

/** The key of a provider's account, asked for with each request and kept nowhere. */
export type ReadModelKey = () => string | Promise<string>

export type ModelFailureCode =
  /** Turned away because of how much was asked; `retryAfterMs` says when to come back. */
  | 'MODEL_RATE_LIMITED'
  /** Not reached, or broken on its side. */
  | 'MODEL_UNAVAILABLE'
  /** It does not take this request, now or later. */
  | 'MODEL_REFUSED'
  /** It answered, and the answer is not of its published form. */
  | 'MODEL_REPLY_INVALID'
  | 'MODEL_REPLY_TOO_LONG'
  /** Nobody waited any longer. */
  | 'MODEL_TIMEOUT'

/** Nothing that can be used came back. `charged`: the provider may have counted it all the same. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode
  readonly charged: boolean
  readonly retryAfterMs: number | undefined
  readonly details: JsonValue
  /** What came and could not be used, for the record; undefined: nothing, or too much. */
  readonly raw: string | undefined

  constructor(
    code: ModelFailureCode,
    message: string,
    options: { charged: boolean; retryAfterMs?: number; details?: JsonValue; raw?: string },
  ) {
    super(message)
    this.name = 'ModelFailure'
    this.code = code
    this.charged = options.charged
    this.retryAfterMs = options.retryAfterMs
    this.details = options.details ?? null
    this.raw = options.raw
  }
}
