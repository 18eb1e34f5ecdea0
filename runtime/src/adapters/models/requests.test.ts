import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { ModelFailure, type ModelRequest } from '../../ports/model.ts'
import { encodeAnthropicRequest } from './anthropic/request.ts'
import { encodeGoogleRequest } from './google/request.ts'
import { encodeOpenAiRequest } from './openai/request.ts'

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } } }
const CLOSED = { ...SCHEMA, required: ['n'], additionalProperties: false }
const REQUEST: ModelRequest = {
  model: 'm-1',
  system: 'be brief',
  messages: [
    { role: 'user', text: 'pay' },
    {
      role: 'assistant',
      text: 'so',
      calls: [
        { id: 'a', name: 'pay', arguments: '{"usd":"1"}', signature: 'c2ln' },
        { id: 'rubicon_call_1', name: 'pay', arguments: 'half {' },
      ],
    },
    { role: 'tool', call_id: 'a', name: 'pay', text: 'paid' },
    { role: 'tool', call_id: 'rubicon_call_1', name: 'pay', text: 'no JSON', failed: true },
    { role: 'user', text: 'and now?' },
  ],
  tools: [{ name: 'pay', description: 'pays', params: SCHEMA }],
  tool_choice: 'required',
  max_tokens: 100,
  temperature: 0.5,
  seed: 7,
  stop: ['END'],
}
const OUTPUT = { name: 'answer', schema: CLOSED }
const BARE: ModelRequest = { model: 'm', messages: [{ role: 'user', text: 'x' }], max_tokens: 1 }

test('OpenAI: everything, word for word', () => {
  assert.deepEqual(encodeOpenAiRequest(REQUEST, true, 'max_tokens'), {
    model: 'm-1',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'pay' },
      {
        role: 'assistant',
        content: 'so',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'pay', arguments: '{"usd":"1"}' } },
          {
            id: 'rubicon_call_1',
            type: 'function',
            function: { name: 'pay', arguments: 'half {' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'paid' },
      { role: 'tool', tool_call_id: 'rubicon_call_1', content: 'no JSON' },
      { role: 'user', content: 'and now?' },
    ],
    max_tokens: 100,
    tools: [
      { type: 'function', function: { name: 'pay', description: 'pays', parameters: SCHEMA } },
    ],
    tool_choice: 'required',
    temperature: 0.5,
    seed: 7,
    stop: ['END'],
    stream: true,
    stream_options: { include_usage: true },
  })
  const bare = encodeOpenAiRequest(BARE, false, 'max_completion_tokens')
  assert.deepEqual(Object.keys(bare).sort(), ['max_completion_tokens', 'messages', 'model'])
})

test('OpenAI: a schema is strict where OpenAI takes it as such', () => {
  const strict = (schema: JsonObject): unknown =>
    encodeOpenAiRequest({ ...BARE, output: { name: 'answer', schema } }, false, 'max_tokens')
      .response_format
  assert.deepEqual(strict(CLOSED), {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: CLOSED, strict: true },
  })
  assert.deepEqual(strict(SCHEMA), {
    type: 'json_schema',
    json_schema: { name: 'answer', schema: SCHEMA, strict: false },
  })
})

test('Anthropic: everything, word for word', () => {
  assert.deepEqual(toPlain(encodeAnthropicRequest(REQUEST, true)), {
    model: 'm-1',
    max_tokens: 100,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'pay' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'so' },
          { type: 'tool_use', id: 'a', name: 'pay', input: { usd: '1' } },
          {
            type: 'tool_use',
            id: 'rubicon_call_1',
            name: 'pay',
            input: { unreadable_arguments: 'half {' },
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'paid' },
          {
            type: 'tool_result',
            tool_use_id: 'rubicon_call_1',
            content: 'no JSON',
            is_error: true,
          },
          { type: 'text', text: 'and now?' },
        ],
      },
    ],
    system: 'be brief',
    tools: [{ name: 'pay', description: 'pays', input_schema: SCHEMA }],
    tool_choice: { type: 'any' },
    temperature: 0.5,
    stop_sequences: ['END'],
    stream: true,
  })
})

test('Anthropic: an answer is a tool that must be called, one of several where there are others', () => {
  const alone = encodeAnthropicRequest({ ...BARE, output: OUTPUT }, false)
  assert.deepEqual(alone.tool_choice, {
    type: 'tool',
    name: 'answer',
    disable_parallel_tool_use: true,
  })
  const beside = encodeAnthropicRequest({ ...REQUEST, output: OUTPUT }, false)
  assert.deepEqual(beside.tool_choice, { type: 'any' })
  assert.equal((beside.tools as unknown[]).length, 2)
  const none = encodeAnthropicRequest({ ...REQUEST, tool_choice: 'none' }, false)
  assert.deepEqual(none.tool_choice, { type: 'none' })
  const same = { ...REQUEST, output: { ...OUTPUT, name: 'pay' } }
  assert.throws(() => encodeAnthropicRequest(same, false), ModelFailure)
})

test('Google: everything, word for word', () => {
  assert.deepEqual(toPlain(encodeGoogleRequest({ ...REQUEST, output: OUTPUT })), {
    contents: [
      { role: 'user', parts: [{ text: 'pay' }] },
      {
        role: 'model',
        parts: [
          { text: 'so' },
          {
            functionCall: { id: 'a', name: 'pay', args: { usd: '1' } },
            thoughtSignature: 'c2ln',
          },
          { functionCall: { name: 'pay', args: { unreadable_arguments: 'half {' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'pay', response: { output: 'paid' } } },
          { functionResponse: { name: 'pay', response: { error: 'no JSON' } } },
          { text: 'and now?' },
        ],
      },
    ],
    systemInstruction: { parts: [{ text: 'be brief' }] },
    tools: [
      {
        functionDeclarations: [{ name: 'pay', description: 'pays', parametersJsonSchema: SCHEMA }],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    generationConfig: {
      maxOutputTokens: 100,
      candidateCount: 1,
      responseMimeType: 'application/json',
      responseJsonSchema: CLOSED,
      temperature: 0.5,
      seed: 7,
      stopSequences: ['END'],
    },
  })
})

/** What we parse has no prototype. */
function toPlain(value: JsonObject): unknown {
  return JSON.parse(JSON.stringify(value))
}
