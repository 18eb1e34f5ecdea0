/** A whole reply in the form of OpenAI's chat completions. */
import type { JsonValue } from 'rubicon-kernel'
import type { ModelReply, ModelUsage } from '../../../ports/model.ts'
import {
  addCall,
  buildInvalidReply,
  createDraft,
  type ReplyDraft,
  readField,
  readList,
  readText,
  readUsage,
} from '../reply-draft.ts'

export function readOpenAiReply(body: JsonValue): ReplyDraft {
  const choices = readList(body, 'choices')
  const [choice] = choices
  // One was asked for: with two of them it is open which one was meant.
  if (choice === undefined || choices.length > 1) throw buildInvalidReply('it has not one choice')
  const message = readField(choice, 'message')
  if (message === undefined) throw buildInvalidReply('its choice has no message')
  const reason = readText(choice, 'finish_reason')
  if (reason === '') throw buildInvalidReply('it does not say why it ended')
  const draft = createDraft()
  const refusal = readText(message, 'refusal')
  draft.model = readText(body, 'model')
  draft.text = readText(message, 'content') + refusal
  for (const call of readList(message, 'tool_calls')) {
    const named = readField(call, 'function')
    addCall(draft, {
      id: readText(call, 'id'),
      name: readText(named, 'name'),
      // Text, as the format has it: JSON here would have lost digits.
      arguments: readText(named, 'arguments'),
    })
  }
  draft.stop = refusal === '' ? toOpenAiStop(reason) : 'filtered'
  draft.usage = readOpenAiUsage(readField(body, 'usage'))
  return draft
}

export function toOpenAiStop(reason: string): ModelReply['stop'] {
  switch (reason) {
    case 'stop':
      return 'end'
    case 'tool_calls':
    case 'function_call':
      return 'tools'
    case 'length':
      return 'length'
    case 'content_filter':
      return 'filtered'
    default:
      return 'other'
  }
}

/** What a model thought is in `completion_tokens`; what was kept is in `prompt_tokens`. */
export function readOpenAiUsage(usage: JsonValue | undefined): ModelUsage | null {
  const details = readField(usage, 'prompt_tokens_details')
  return readUsage(
    readField(usage, 'prompt_tokens'),
    readField(usage, 'completion_tokens'),
    readField(details, 'cached_tokens'),
  )
}
