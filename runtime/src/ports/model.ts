/**
 * A language model, as the runtime asks it. Credentials stay on this side; an agent never holds one. A provider
 * is untrusted like an agent: what it returns is parsed, bounded and recorded, and grants nothing.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

/** What a model is asked. */
export type ModelRequest = {
  /** As its provider names it. */
  readonly model: string
  /** What it is, before anybody speaks. */
  readonly system?: string
  /** What was said so far, the last one last. */
  readonly messages: readonly ModelMessage[]
  /** What it may call. */
  readonly tools?: readonly ModelTool[]
  /** Whether it may, must or must not call. */
  readonly tool_choice?: 'auto' | 'required' | 'none'
  /** The answer is one JSON document of this schema. */
  readonly output?: { readonly name: string; readonly schema: JsonObject }
  /** The most that is generated; always given, so that the largest possible cost is known before. */
  readonly max_tokens: number
  /** How much chance there is in it. */
  readonly temperature?: number
  /** Of that chance, where the provider takes one. */
  readonly seed?: number
  /** Texts at which it ends. */
  readonly stop?: readonly string[]
}

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
      readonly calls?: readonly ModelToolCall[]
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
export type ModelToolCall = {
  /** By which its result refers to it. */
  readonly id: string
  /** Of the tool; it may be one that does not exist. */
  readonly name: string
  /** As the model wrote it: it may be no JSON at all. */
  readonly arguments: string
  /** What the provider wants back with the call in the next request, unread. */
  readonly signature?: string
}

/** What a model answered. */
export type ModelReply = {
  /** As the provider names what answered. */
  readonly model: string
  /** What it said beside its calls. */
  readonly text: string
  /** In the order in which they are to be made. */
  readonly calls: readonly ModelToolCall[]
  /** Why it said no more. */
  readonly stop: 'end' | 'tools' | 'length' | 'filtered' | 'other'
  /** As the provider counted; null: it said nothing, and the largest possible is charged. */
  readonly usage: ModelUsage | null
  /** The body as it came, byte for byte, for the record. */
  readonly raw: string
}

/** As the provider counts. */
export type ModelUsage = {
  /** What the model was given. */
  readonly input_tokens: number
  /** What it wrote. */
  readonly output_tokens: number
  /** Of the input, what the provider had kept from before. */
  readonly cached_tokens?: number
}

/** USD for a million tokens, as decimals. A model without a price is not asked where usd is bounded. */
export type ModelPrice = {
  /** Of what the model is given. */
  readonly input: string
  /** Of what it writes. */
  readonly output: string
  /** Of what the provider had kept from before; as `input` when left out. */
  readonly cached?: string
}

/** What happens while a model is asked. */
export type ModelIo = {
  /** Raised when nobody waits for the reply any more. */
  readonly signal: AbortSignal
  /** Text as it comes, for whoever watches; what counts is the reply. */
  readonly onText?: (text: string) => void
}

/** Whoever has models: over HTTP, on this machine, from a script. */
export interface ModelProvider {
  /** Under which it stands in the record. */
  readonly name: string
  /** Asks a model; whatever is no reply is a `ModelFailure`. */
  generate(request: ModelRequest, io: ModelIo): Promise<ModelReply>
  /** What a model costs; undefined: nobody knows. */
  findPrice(model: string): ModelPrice | undefined
}

/** The key of a provider's account, asked for with each request and kept nowhere. */
export type ReadModelKey = () => string | Promise<string>

/** Why no reply came that can be used. */
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
  /** It wrote outside of what it was held to, or did not come to an end there. */
  | 'DECODE_FAILED'

/** Nothing that can be used came back. `charged`: the provider may have counted it all the same. */
export class ModelFailure extends Error {
  /** Why. */
  readonly code: ModelFailureCode
  /** The provider may have counted it. */
  readonly charged: boolean
  /** When to come back, where the provider says so. */
  readonly retryAfterMs: number | undefined
  /** What is known of it, for the record. */
  readonly details: JsonValue
  /** What came and could not be used, for the record; undefined: nothing, or too much. */
  readonly raw: string | undefined

  constructor(
    /** Why. */
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
