/** A reply in the form of OpenAI's chat completions that comes as a stream of chunks, and then `[DONE]`. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import {
  addCall,
  buildInvalidReply,
  buildStreamError,
  type CallDraft,
  createDraft,
  type ReplyDraft,
  readField,
  readList,
  readText,
} from '../reply-draft.ts'
import { parseEventJson } from '../reply-json.ts'
import type { SseEvent } from '../sse.ts'
import type { ReplyStream } from '../wire-format.ts'
import { readOpenAiUsage, toOpenAiStop } from './reply.ts'

const DONE = '[DONE]'

export class OpenAiStream implements ReplyStream {
  readonly #draft = createDraft()
  /** Calls are put together by their place, which the provider counts. */
  readonly #open = new Map<number, CallDraft>()
  #isComplete = false
  #isRefused = false

  take({ data }: SseEvent): string {
    if (data === DONE) return ''
    const chunk = parseEventJson(data, 'nearest')
    if (!isObject(chunk)) throw buildInvalidReply('a chunk is no object')
    const { error } = chunk
    if (error !== undefined && error !== null)
      throw buildStreamError(readText(error, 'type'), readText(error, 'message'))
    this.#draft.model ||= readText(chunk, 'model')
    // With the last chunk, in which there is no choice, or with all of them: the last one counts.
    if (isObject(chunk.usage)) this.#draft.usage = readOpenAiUsage(chunk.usage)
    let told = ''
    for (const choice of readList(chunk, 'choices')) told += this.#takeChoice(choice)
    return told
  }

  finish(): ReplyDraft | null {
    if (!this.#isComplete) return null
    if (this.#isRefused) this.#draft.stop = 'filtered'
    return this.#draft
  }

  #takeChoice(choice: JsonValue): string {
    if ((readField(choice, 'index') ?? 0) !== 0) throw buildInvalidReply('it has not one choice')
    const delta = readField(choice, 'delta')
    const refusal = readText(delta, 'refusal')
    const text = readText(delta, 'content') + refusal
    this.#isRefused ||= refusal !== ''
    this.#draft.text += text
    readList(delta, 'tool_calls').forEach((call, place) => {
      this.#takeCall(call, place)
    })
    const reason = readText(choice, 'finish_reason')
    if (reason === '') return text
    this.#isComplete = true
    this.#draft.stop = toOpenAiStop(reason)
    return text
  }

  #takeCall(part: JsonValue, place: number): void {
    const index = readField(part, 'index') ?? place
    if (typeof index !== 'number') throw buildInvalidReply('a tool call has no place')
    const id = readText(part, 'id')
    const named = readField(part, 'function')
    const known = this.#open.get(index)
    // Some servers count every call as the first; another id is another call.
    const isSame = known !== undefined && (id === '' || id === known.id)
    const call = known !== undefined && isSame ? known : { id, name: '', arguments: '' }
    if (call !== known) {
      addCall(this.#draft, call)
      this.#open.set(index, call)
    }
    call.name += readText(named, 'name')
    call.arguments += readText(named, 'arguments')
  }
}
