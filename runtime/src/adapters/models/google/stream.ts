/** A reply in the form of Google's streamGenerateContent, as server-sent events (`alt=sse`). */
import { isObject } from 'rubicon-kernel'
import { buildStreamError, createDraft, type ReplyDraft, readText } from '../reply-draft.ts'
import { parseEventJson } from '../reply-json.ts'
import type { SseEvent } from '../sse.ts'
import type { ReplyStream } from '../wire-format.ts'
import { addGoogleChunk } from './reply.ts'

export class GoogleStream implements ReplyStream {
  readonly #draft = createDraft()
  #isComplete = false

  take({ data }: SseEvent): string {
    const chunk = parseEventJson(data, 'exact')
    const error = isObject(chunk) ? chunk.error : undefined
    if (error !== undefined)
      throw buildStreamError(readText(error, 'status'), readText(error, 'message'))
    const { text, isComplete } = addGoogleChunk(this.#draft, chunk)
    this.#isComplete ||= isComplete
    return text
  }

  finish(): ReplyDraft | null {
    return this.#isComplete ? this.#draft : null
  }
}
