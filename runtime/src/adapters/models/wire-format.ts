/** What differs between providers: how a request is written, and how a reply is read, whole or as a stream. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { ModelRequest } from '../../ports/model.ts'
import type { ReplyDraft } from './reply-draft.ts'
import type { WireNumbers } from './reply-json.ts'
import type { SseEvent } from './sse.ts'

export type WireFormat = {
  /** Below the address of the provider. */
  readonly buildPath: (request: ModelRequest, streamed: boolean) => string
  /** Where the key stands; empty: there is none. */
  readonly buildHeaders: (key: string) => Readonly<Record<string, string>>
  /** Throws a ModelFailure where the format cannot say what is asked. */
  readonly encodeRequest: (request: ModelRequest, streamed: boolean) => JsonObject
  /** How exact the numbers of a reply must be; see `WireNumbers`. */
  readonly numbers: WireNumbers
  /** Throws a ModelFailure where the body is not of the published form. */
  readonly readReply: (body: JsonValue, request: ModelRequest) => ReplyDraft
  readonly createStream: (request: ModelRequest) => ReplyStream
}

export interface ReplyStream {
  /** The text that is new. Throws a ModelFailure where the event is not of the published form. */
  take(event: SseEvent): string
  /** Null: it ended before the provider said that it was done. */
  finish(): ReplyDraft | null
}
