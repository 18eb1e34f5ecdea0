import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from '../../ports/model.ts'
import { AnthropicStream } from './anthropic/stream.ts'
import { GoogleStream } from './google/stream.ts'
import { OpenAiStream } from './openai/stream.ts'
import { finishReply, type ReplyDraft } from './reply-draft.ts'
import { SseReader } from './sse.ts'
import type { ReplyStream } from './wire-format.ts'
import { STREAMED, WIRES } from './wires.test-support.ts'

const ASKED: ModelRequest = { model: 'm-1', messages: [], max_tokens: 10 }
const STREAMS: Readonly<Record<string, (request: ModelRequest) => ReplyStream>> = {
  openai: () => new OpenAiStream(),
  anthropic: (request) => new AnthropicStream(request),
  google: () => new GoogleStream(),
}

function readAll(
  name: string,
  pieces: readonly Uint8Array[],
  request: ModelRequest = ASKED,
): { readonly draft: ReplyDraft | null; readonly told: string } {
  const reader = new SseReader()
  const stream = STREAMS[name]?.(request)
  assert(stream !== undefined)
  let told = ''
  for (const event of pieces.flatMap((piece) => reader.push(piece))) told += stream.take(event)
  return { draft: stream.finish(), told }
}

for (const { name, stream, streamedUsage } of WIRES) {
  const bytes = Buffer.from(stream)

  test(`a stream of ${name} says the same, cut at every byte`, () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      const { draft, told } = readAll(name, [bytes.subarray(0, at), bytes.subarray(at)])
      assert(draft !== null, `cut at ${at}`)
      const expected = { ...STREAMED, usage: streamedUsage, raw: '' }
      assert.deepEqual(finishReply(draft, ''), expected, `cut at ${at}`)
      assert.equal(told, STREAMED.text)
    }
  })

  test(`a stream of ${name} that ends at any byte is whole or none`, () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const { draft } = readAll(name, [bytes.subarray(0, at)])
      if (draft === null) continue
      const { text, calls, stop, usage } = finishReply(draft, '')
      assert.deepEqual({ model: 'm-1', text, calls, stop }, STREAMED)
      assert(usage === null || usage.output_tokens === streamedUsage.output_tokens)
    }
  })
}

function events(list: readonly object[]): readonly Uint8Array[] {
  return [Buffer.from(list.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(''))]
}

test('calls that a server counts all as the first are told apart by their ids', () => {
  const call = (id: string): object => ({
    index: 0,
    id,
    function: { name: 'pay', arguments: '{}' },
  })
  const { draft } = readAll(
    'openai',
    events([
      { model: 'm', choices: [{ index: 0, delta: { tool_calls: [call('a')] } }] },
      { choices: [{ delta: { tool_calls: [call('b')] }, finish_reason: 'tool_calls' }] },
      { choices: null, usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ]),
  )
  assert.deepEqual(
    draft?.calls.map(({ id, name }) => [id, name]),
    [
      ['a', 'pay'],
      ['b', 'pay'],
    ],
  )
  assert.deepEqual(draft?.usage, { input_tokens: 1, output_tokens: 2 })
})

test('a refusal of an OpenAI model is filtered', () => {
  const delta = { refusal: 'I will not' }
  const { draft } = readAll('openai', events([{ choices: [{ delta, finish_reason: 'stop' }] }]))
  assert.deepEqual([draft?.text, draft?.stop], ['I will not', 'filtered'])
})

test('the answer that Anthropic is asked for is told while it comes, and words beside it are not', () => {
  const delta = (partial_json: string): object => ({
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json },
  })
  const use = { type: 'tool_use', id: 'o', name: 'answer', input: {} }
  const list = [
    {
      type: 'message_start',
      message: { model: 'm', usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Here it is' } },
    { type: 'content_block_start', index: 1, content_block: use },
    delta('{"n"'),
    delta(':1}'),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ]
  const output = { name: 'answer', schema: { type: 'object' } }
  const { draft, told } = readAll('anthropic', events(list), { ...ASKED, output })
  assert.deepEqual(
    [draft?.text, draft?.stop, draft?.calls, told],
    ['{"n":1}', 'end', [], '{"n":1}'],
  )
})

test('what a provider of Google wants back with a call is kept', () => {
  const part = { functionCall: { name: 'pay', args: {} }, thoughtSignature: 'c2ln' }
  const chunk = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }
  const { draft } = readAll('google', events([chunk]))
  assert.equal(draft?.calls[0]?.signature, 'c2ln')
  const blocked = readAll('google', events([{ promptFeedback: { blockReason: 'SAFETY' } }]))
  assert.equal(blocked.draft?.stop, 'filtered')
})
