/** A whole reply in the form of Anthropic's messages. */
import type { JsonValue } from 'rubicon-kernel'
import type { ModelReply, ModelRequest, ModelUsage } from '../../../ports/model.ts'
import {
  addCall,
  addCounts,
  buildInvalidReply,
  createDraft,
  type ReplyDraft,
  readField,
  readList,
  readText,
  readUsage,
  toArguments,
} from '../reply-draft.ts'

export function readAnthropicReply(body: JsonValue, request: ModelRequest): ReplyDraft {
  if (readText(body, 'type') !== 'message') throw buildInvalidReply('it is no message')
  const reason = readText(body, 'stop_reason')
  if (reason === '') throw buildInvalidReply('it does not say why it ended')
  const draft = createDraft()
  draft.model = readText(body, 'model')
  draft.stop = toAnthropicStop(reason)
  draft.usage = readAnthropicUsage(readField(body, 'usage'))
  for (const block of readList(body, 'content')) {
    const type = readText(block, 'type')
    if (type === 'text') draft.text += readText(block, 'text')
    // What it thought, and kinds of blocks that nobody asked for, are left in the record.
    if (type !== 'tool_use') continue
    addCall(draft, {
      id: readText(block, 'id'),
      name: readText(block, 'name'),
      arguments: toArguments(readField(block, 'input')),
    })
  }
  return takeOutput(draft, request)
}

/** A call of the tool that stands for the answer is the answer. */
export function takeOutput(draft: ReplyDraft, { output }: ModelRequest): ReplyDraft {
  if (output === undefined) return draft
  const answers = draft.calls.filter(({ name }) => name === output.name)
  if (answers.length > 1) throw buildInvalidReply('it has two answers')
  const [answer] = answers
  if (answer === undefined) return draft
  const calls = draft.calls.filter((call) => call !== answer)
  const stop = draft.stop === 'tools' && calls.length === 0 ? 'end' : draft.stop
  return { ...draft, text: answer.arguments, calls, stop }
}

export function toAnthropicStop(reason: string): ModelReply['stop'] {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'end'
    case 'tool_use':
      return 'tools'
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'filtered'
    default:
      return 'other'
  }
}

/** What was kept, and what was put by to be kept, is not in `input_tokens`. */
export function readAnthropicUsage(usage: JsonValue | undefined): ModelUsage | null {
  const cached = readField(usage, 'cache_read_input_tokens')
  const written = readField(usage, 'cache_creation_input_tokens')
  const input = addCounts(addCounts(readField(usage, 'input_tokens'), cached), written)
  return readUsage(input, readField(usage, 'output_tokens'), cached)
}
