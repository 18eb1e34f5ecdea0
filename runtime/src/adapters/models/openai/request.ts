/** A request in the form of OpenAI's chat completions, which Ollama, vLLM and llama.cpp speak too. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { ModelMessage, ModelRequest, ModelTool } from '../../../ports/model.ts'

/** OpenAI's newer models refuse `max_tokens`; servers that speak its format may know nothing else. */
export type TokenLimitField = 'max_completion_tokens' | 'max_tokens'

export function encodeOpenAiRequest(
  request: ModelRequest,
  streamed: boolean,
  limitField: TokenLimitField,
): JsonObject {
  const { system, output, tools = [], tool_choice, temperature, seed, stop = [] } = request
  const first = system === undefined ? [] : [{ role: 'system', content: system }]
  return {
    model: request.model,
    messages: [...first, ...request.messages.map(encodeMessage)],
    [limitField]: request.max_tokens,
    ...(tools.length === 0 ? {} : { tools: tools.map(encodeTool) }),
    ...(tools.length === 0 || tool_choice === undefined ? {} : { tool_choice }),
    ...(output === undefined ? {} : { response_format: encodeOutput(output) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length === 0 ? {} : { stop }),
    // Without the option a stream says nothing of what it cost.
    ...(streamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}

function encodeMessage(message: ModelMessage): JsonObject {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.call_id, content: message.text }
  const { text, calls = [] } = message
  if (calls.length === 0) return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    })),
  }
}

function encodeTool({ name, description, params }: ModelTool): JsonObject {
  return { type: 'function', function: { name, description, parameters: params } }
}

function encodeOutput({ name, schema }: NonNullable<ModelRequest['output']>): JsonObject {
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrictSchema(schema) } }
}

/** Whether OpenAI takes a schema as `strict`: each object is closed, and all that it may have it must have. */
function isStrictSchema(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (!isObject(schema)) return true
  const { type, properties, required, additionalProperties } = schema
  if (type === 'object' || properties !== undefined) {
    if (additionalProperties !== false || !isObject(properties)) return false
    const must = Array.isArray(required) ? required : []
    if (!Object.keys(properties).every((name) => must.includes(name))) return false
  }
  return Object.values(schema).every(isStrictSchema)
}
