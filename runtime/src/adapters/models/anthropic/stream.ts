/** A reply in the form of Anthropic's messages that comes as events. Events of other kinds may be added: they are ignored. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { ModelRequest } from '../../../ports/model.ts'
import {
  addCall,
  buildInvalidReply,
  buildStreamError,
  type CallDraft,
  createDraft,
  type ReplyDraft,
  readField,
  readText,
  toArguments,
} from '../reply-draft.ts'
import { parseEventJson } from '../reply-json.ts'
import type { SseEvent } from '../sse.ts'
import type { ReplyStream } from '../wire-format.ts'
import { readAnthropicUsage, takeOutput, toAnthropicStop } from './reply.ts'

export class AnthropicStream implements ReplyStream {
  readonly #request: ModelRequest
  readonly #draft = createDraft()
  readonly #calls = new Map<JsonValue | undefined, CallDraft>()
  /** The first event has what was sent, the last ones what was generated. */
  #usage: JsonObject = {}
  #isComplete = false

  constructor(request: ModelRequest) {
    this.#request = request
  }

  take({ data }: SseEvent): string {
    const event = parseEventJson(data, 'exact')
    switch (readText(event, 'type')) {
      case 'message_start': {
        const message = readField(event, 'message')
        this.#draft.model = readText(message, 'model')
        this.#addUsage(readField(message, 'usage'))
        return ''
      }
      case 'content_block_start':
        return this.#startBlock(readField(event, 'index'), readField(event, 'content_block'))
      case 'content_block_delta':
        return this.#extendBlock(readField(event, 'index'), readField(event, 'delta'))
      case 'message_delta': {
        const reason = readText(readField(event, 'delta'), 'stop_reason')
        if (reason !== '') this.#draft.stop = toAnthropicStop(reason)
        this.#addUsage(readField(event, 'usage'))
        return ''
      }
      case 'message_stop':
        this.#isComplete = true
        return ''
      case 'error': {
        const error = readField(event, 'error')
        throw buildStreamError(readText(error, 'type'), readText(error, 'message'))
      }
      default:
        return ''
    }
  }

  finish(): ReplyDraft | null {
    if (!this.#isComplete) return null
    for (const call of this.#draft.calls) call.arguments ||= '{}'
    this.#draft.usage = readAnthropicUsage(this.#usage)
    return takeOutput(this.#draft, this.#request)
  }

  #startBlock(index: JsonValue | undefined, block: JsonValue | undefined): string {
    if (readText(block, 'type') !== 'tool_use') {
      const text = readText(block, 'type') === 'text' ? readText(block, 'text') : ''
      this.#draft.text += text
      return this.#tell(text)
    }
    if (this.#calls.has(index)) throw buildInvalidReply('two blocks have one place')
    const given = toArguments(readField(block, 'input'))
    const call = { id: readText(block, 'id'), name: readText(block, 'name'), arguments: '' }
    // It begins as an empty object and is written out after that.
    if (given !== '{}') call.arguments = given
    addCall(this.#draft, call)
    this.#calls.set(index, call)
    return ''
  }

  #extendBlock(index: JsonValue | undefined, delta: JsonValue | undefined): string {
    const type = readText(delta, 'type')
    if (type === 'text_delta') {
      const text = readText(delta, 'text')
      this.#draft.text += text
      return this.#tell(text)
    }
    if (type !== 'input_json_delta') return ''
    const call = this.#calls.get(index)
    if (call === undefined) throw buildInvalidReply('a part of a tool call has no call')
    const part = readText(delta, 'partial_json')
    call.arguments += part
    return call.name === this.#request.output?.name ? part : ''
  }

  /** Where an answer is asked for, words beside it are no part of it. */
  #tell(text: string): string {
    return this.#request.output === undefined ? text : ''
  }

  #addUsage(usage: JsonValue | undefined): void {
    if (isObject(usage)) this.#usage = { ...this.#usage, ...usage }
  }
}
