/** The three wire formats as their makers publish them, for one suite over all. */
import type { ModelProvider, ModelUsage } from '../../ports/model.ts'
import { createAnthropicProvider } from './anthropic/provider.ts'
import { createGoogleProvider } from './google/provider.ts'
import type { HttpProviderOptions } from './http-provider.ts'
import { createOpenAiProvider } from './openai/provider.ts'

export type SampleCall = { readonly id: string; readonly name: string; readonly args: object }

export type Wire = {
  readonly name: string
  readonly create: (options: HttpProviderOptions) => ModelProvider
  readonly path: string
  readonly streamPath: string
  readonly keyHeader: readonly [name: string, value: string]
  /** A whole reply. */
  readonly whole: (said: {
    readonly text?: string
    readonly calls?: readonly SampleCall[]
    readonly usage?: object | null
    readonly model?: string
    readonly stop?: string
  }) => object
  readonly usage: (input: number, output: number) => object
  readonly ends: { readonly length: string; readonly filtered: string }
  /** The text in two parts, then two calls of which one comes in parts where the format has parts. */
  readonly stream: string
  readonly streamedUsage: ModelUsage
  /** The answer that a schema asked for. */
  readonly structured: (text: string) => object
  readonly streamError: string
}

export const KEY = 'sk-canary-0123456789abcdef'
/** What each stream comes to, apart from usage and bytes. */
export const STREAMED = {
  model: 'm-1',
  text: 'Grüß dich 🌊',
  calls: [
    { id: 'a', name: 'pay', arguments: '{"usd":"12.50"}' },
    { id: 'b', name: 'mail', arguments: '{}' },
  ],
  stop: 'tools',
} as const
export const USAGE: ModelUsage = { input_tokens: 12, output_tokens: 7 }

function sse(events: readonly (object | string)[]): string {
  return events
    .map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
    .join('')
}

function chunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices }
}

const openAi: Wire = {
  name: 'openai',
  create: (options) => createOpenAiProvider(options),
  path: '/chat/completions',
  streamPath: '/chat/completions',
  keyHeader: ['authorization', `Bearer ${KEY}`],
  usage: (input, output) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  }),
  ends: { length: 'length', filtered: 'content_filter' },
  whole({ text = '', calls = [], usage = openAi.usage(12, 7), model = 'm-1', stop }) {
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      refusal: null,
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          }),
    }
    const finish_reason = stop ?? (calls.length === 0 ? 'stop' : 'tool_calls')
    return {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      ...(usage === null ? {} : { usage }),
    }
  },
  stream: sse([
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Grüß' }),
    chunk({ content: ' dich 🌊' }),
    chunk({
      tool_calls: [
        { index: 0, id: 'a', type: 'function', function: { name: 'pay', arguments: '' } },
      ],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"usd":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"12.50"}' } }] }),
    chunk({
      tool_calls: [
        { index: 1, id: 'b', type: 'function', function: { name: 'mail', arguments: '{}' } },
      ],
    }),
    chunk({}, 'tool_calls'),
    {
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm-1',
      choices: [],
      usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
    },
    '[DONE]',
  ]),
  streamedUsage: USAGE,
  structured: (text) => openAi.whole({ text }),
  streamError: sse([
    chunk({ content: 'Gr' }),
    { error: { message: `no more for ${KEY}`, type: 'server_error' } },
  ]),
}

function event(data: { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function events(list: readonly { readonly type: string; readonly [field: string]: unknown }[]) {
  return list.map(event).join('')
}

const anthropicStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-1',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 1 },
  },
}

const anthropic: Wire = {
  name: 'anthropic',
  create: createAnthropicProvider,
  path: '/v1/messages',
  streamPath: '/v1/messages',
  keyHeader: ['x-api-key', KEY],
  usage: (input, output) => ({ input_tokens: input, output_tokens: output }),
  ends: { length: 'max_tokens', filtered: 'refusal' },
  whole({ text = '', calls = [], usage = anthropic.usage(12, 7), model = 'm-1', stop }) {
    const blocks = text === '' ? [] : [{ type: 'text', text }]
    const uses = calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [...blocks, ...uses],
      stop_reason: stop ?? (calls.length === 0 ? 'end_turn' : 'tool_use'),
      stop_sequence: null,
      ...(usage === null ? {} : { usage }),
    }
  },
  stream: events([
    anthropicStart,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüß' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' dich 🌊' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'a', name: 'pay', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"usd":' },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '"12.50"}' },
    },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'b', name: 'mail', input: {} },
    },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]),
  streamedUsage: { ...USAGE, cached_tokens: 2 },
  structured: (text) =>
    anthropic.whole({ calls: [{ id: 'o', name: 'answer', args: JSON.parse(text) }] }),
  streamError: events([
    anthropicStart,
    { type: 'error', error: { type: 'overloaded_error', message: `no more for ${KEY}` } },
  ]),
}

function candidate(parts: readonly object[], finishReason?: string): object {
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) },
    ],
    modelVersion: 'm-1',
  }
}

const google: Wire = {
  name: 'google',
  create: createGoogleProvider,
  path: '/models/m-1:generateContent',
  streamPath: '/models/m-1:streamGenerateContent?alt=sse',
  keyHeader: ['x-goog-api-key', KEY],
  usage: (input, output) => ({
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }),
  ends: { length: 'MAX_TOKENS', filtered: 'SAFETY' },
  whole({ text = '', calls = [], usage = google.usage(12, 7), model = 'm-1', stop = 'STOP' }) {
    const parts = [
      ...(text === '' ? [] : [{ text }]),
      ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
    ]
    return {
      ...candidate(parts, stop),
      modelVersion: model,
      ...(usage === null ? {} : { usageMetadata: usage }),
    }
  },
  stream: sse([
    { ...candidate([{ text: 'hm', thought: true }]), usageMetadata: { promptTokenCount: 12 } },
    candidate([{ text: 'Grüß' }]),
    candidate([{ text: ' dich 🌊' }]),
    candidate([
      { functionCall: { id: 'a', name: 'pay', args: { usd: '12.50' } } },
      { functionCall: { id: 'b', name: 'mail', args: {} } },
    ]),
    {
      ...candidate([{ text: '' }], 'STOP'),
      usageMetadata: {
        promptTokenCount: 12,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 19,
      },
    },
  ]),
  streamedUsage: USAGE,
  structured: (text) => google.whole({ text }),
  streamError: sse([
    candidate([{ text: 'Gr' }]),
    { error: { code: 503, message: `no more for ${KEY}`, status: 'UNAVAILABLE' } },
  ]),
}

export const WIRES: readonly Wire[] = [openAi, anthropic, google]
