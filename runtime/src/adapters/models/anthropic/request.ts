/**
 * A request in the form of Anthropic's messages. There is no schema for an answer: it is a tool that the model
 * must call, and what it is called with is the answer.
 */
import type { JsonObject } from 'rubicon-kernel'
import { ModelFailure, type ModelMessage, type ModelRequest } from '../../../ports/model.ts'
import { toCallObject } from '../call-object.ts'

export function encodeAnthropicRequest(request: ModelRequest, streamed: boolean): JsonObject {
  const { system, output, tools = [], temperature, stop = [] } = request
  if (output !== undefined && tools.some(({ name }) => name === output.name))
    throw new ModelFailure('MODEL_REFUSED', 'the output has the name of a tool', { charged: false })
  const offered = tools.map(({ name, description, params }) => {
    return { name, description, input_schema: params }
  })
  const answer =
    output === undefined
      ? []
      : [{ name: output.name, description: ANSWER, input_schema: output.schema }]
  const choice = encodeChoice(request)
  return {
    model: request.model,
    max_tokens: request.max_tokens,
    messages: encodeMessages(request.messages),
    ...(system === undefined ? {} : { system }),
    ...(offered.length + answer.length === 0 ? {} : { tools: [...offered, ...answer] }),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stop.length === 0 ? {} : { stop_sequences: stop }),
    ...(streamed ? { stream: true } : {}),
  }
}

const ANSWER = 'Call this once, with the whole answer.'

/** With tools beside it the answer is one of those that the model may choose from. */
function encodeChoice({ output, tools = [], tool_choice }: ModelRequest): JsonObject | null {
  if (output !== undefined) {
    const isAlone = tools.length === 0 || tool_choice === 'none'
    return isAlone
      ? { type: 'tool', name: output.name, disable_parallel_tool_use: true }
      : { type: 'any' }
  }
  if (tools.length === 0 || tool_choice === undefined) return null
  return { type: tool_choice === 'required' ? 'any' : tool_choice }
}

/** Results of tools are what the user says next, all of one turn in one message and before any text. */
function encodeMessages(messages: readonly ModelMessage[]): readonly JsonObject[] {
  const encoded: { role: string; content: JsonObject[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = encoded.at(-1)
    const content = encodeContent(message)
    if (last?.role === role) last.content.push(...content)
    else encoded.push({ role, content })
  }
  return encoded
}

function encodeContent(message: ModelMessage): JsonObject[] {
  if (message.role === 'tool') {
    const { call_id, text, failed = false } = message
    const result = { type: 'tool_result', tool_use_id: call_id, content: text }
    return [failed ? { ...result, is_error: true } : result]
  }
  const text = message.text === '' ? [] : [{ type: 'text', text: message.text }]
  if (message.role === 'user') return text
  const calls = (message.calls ?? []).map(({ id, name, arguments: given }) => {
    return { type: 'tool_use', id, name, input: toCallObject(given) }
  })
  return [...text, ...calls]
}
