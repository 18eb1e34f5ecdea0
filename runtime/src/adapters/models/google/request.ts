/** A request in the form of Google's generateContent. */
import type { JsonObject } from 'rubicon-kernel'
import type { ModelMessage, ModelRequest } from '../../../ports/model.ts'
import { toCallObject } from '../call-object.ts'
import { OWN_CALL_ID } from '../reply-draft.ts'

/** Which of them is asked, and whether as a stream, stands in the path. */
export function encodeGoogleRequest(request: ModelRequest): JsonObject {
  const { system, output, tools = [], tool_choice, temperature, seed, stop = [] } = request
  const declared = tools.map(({ name, description, params }) => {
    return { name, description, parametersJsonSchema: params }
  })
  return {
    contents: encodeContents(request.messages),
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(declared.length === 0 ? {} : { tools: [{ functionDeclarations: declared }] }),
    ...(declared.length === 0 || tool_choice === undefined
      ? {}
      : { toolConfig: { functionCallingConfig: { mode: MODES[tool_choice] } } }),
    generationConfig: {
      maxOutputTokens: request.max_tokens,
      candidateCount: 1,
      ...(output === undefined
        ? {}
        : { responseMimeType: 'application/json', responseJsonSchema: output.schema }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      ...(stop.length === 0 ? {} : { stopSequences: stop }),
    },
  }
}

const MODES: Readonly<Record<NonNullable<ModelRequest['tool_choice']>, string>> = {
  auto: 'AUTO',
  required: 'ANY',
  none: 'NONE',
}

/** Results of tools are what the user says next, all of one turn together. */
function encodeContents(messages: readonly ModelMessage[]): readonly JsonObject[] {
  const encoded: { role: string; parts: JsonObject[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user'
    const last = encoded.at(-1)
    const parts = encodeParts(message)
    if (last?.role === role) last.parts.push(...parts)
    else encoded.push({ role, parts })
  }
  return encoded
}

function encodeParts(message: ModelMessage): JsonObject[] {
  if (message.role === 'tool') {
    const { call_id, name, text, failed = false } = message
    const response = failed ? { error: text } : { output: text }
    return [{ functionResponse: { ...encodeId(call_id), name, response } }]
  }
  const text = message.text === '' ? [] : [{ text: message.text }]
  if (message.role === 'user') return text
  const calls = (message.calls ?? []).map(({ id, name, arguments: given, signature }) => ({
    functionCall: { ...encodeId(id), name, args: toCallObject(given) },
    // Without it a model that thinks refuses its own call.
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }))
  return [...text, ...calls]
}

/** An id that the provider did not give is none that it knows. */
function encodeId(id: string): JsonObject {
  return id.startsWith(OWN_CALL_ID) ? {} : { id }
}
