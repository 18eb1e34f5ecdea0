import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ModelFailure, type ModelReply, type ModelRequest } from '../../ports/model.ts'
import {
  type FakeAnswer,
  type FakeProvider,
  startFakeProvider,
} from './fake-provider.test-support.ts'
import type { HttpProviderOptions } from './http-provider.ts'
import { KEY, STREAMED, USAGE, WIRES, type Wire } from './wires.test-support.ts'

const ASKED: ModelRequest = {
  model: 'm-1',
  system: 'be brief',
  messages: [{ role: 'user', text: 'hello' }],
  max_tokens: 100,
}
const SSE = { 'content-type': 'text/event-stream; charset=utf-8' }

for (const wire of WIRES) describe(`the ${wire.name} wire format`, () => judge(wire))

function judge(wire: Wire): void {
  let fake: FakeProvider
  before(async () => {
    fake = await startFakeProvider()
  })
  after(() => fake.close())

  type Io = { onText?: (text: string) => void; signal?: AbortSignal }

  const ask = (
    answer: FakeAnswer,
    request: ModelRequest = ASKED,
    { signal = new AbortController().signal, ...io }: Io = {},
    options: HttpProviderOptions = {},
  ): Promise<ModelReply> => {
    fake.answer = answer
    const provider = wire.create({
      baseUrl: fake.url,
      key: () => KEY,
      timeoutMs: 5_000,
      ...options,
    })
    return provider.generate(request, { signal, ...io })
  }
  const whole = (said: object): FakeAnswer => ({ pieces: [JSON.stringify(said)] })

  const refuse = async (
    code: string,
    charged: boolean,
    answer: FakeAnswer,
    ...rest: [ModelRequest?, Io?, HttpProviderOptions?]
  ): Promise<ModelFailure> => {
    const failure = await ask(answer, ...rest).then(
      (reply) => assert.fail(`it was taken: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    )
    assert(failure instanceof ModelFailure, String(failure))
    assert.equal(failure.code, code, failure.message)
    assert.equal(failure.charged, charged)
    const shown = `${failure.stack}${JSON.stringify(failure)}${String(failure.cause)}`
    assert(!shown.includes(KEY), 'the key is in no error')
    return failure
  }

  test('a reply is read, and the request says what it must', async () => {
    const said = wire.whole({ text: 'hi there' })
    const reply = await ask(whole(said))
    assert.deepEqual(reply, {
      model: 'm-1',
      text: 'hi there',
      calls: [],
      stop: 'end',
      usage: USAGE,
      raw: JSON.stringify(said),
    })
    const last = fake.asked.at(-1)
    assert.equal(last?.path, wire.path)
    assert.equal(last?.headers[wire.keyHeader[0]], wire.keyHeader[1])
    assert(!JSON.stringify(last?.body).includes(KEY))
    assert(JSON.stringify(last?.body).includes('be brief'))
  })

  test('without a key none is sent', async () => {
    fake.answer = whole(wire.whole({ text: 'hi' }))
    const provider = wire.create({ baseUrl: fake.url })
    await provider.generate(ASKED, { signal: new AbortController().signal })
    assert.equal(fake.asked.at(-1)?.headers[wire.keyHeader[0]], undefined)
  })

  test('tool calls come with what the model wrote', async () => {
    const calls = [
      { id: 'a', name: 'pay', args: { usd: '12.50' } },
      { id: 'b', name: 'none_of_ours', args: {} },
    ]
    const reply = await ask(whole(wire.whole({ text: 'so', calls })))
    assert.deepEqual(reply.calls, [
      { id: 'a', name: 'pay', arguments: '{"usd":"12.50"}' },
      { id: 'b', name: 'none_of_ours', arguments: '{}' },
    ])
    assert.equal(reply.stop, 'tools')
  })

  test('a conversation with tools goes back as the format has it', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'user', text: 'pay it' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', name: 'pay', arguments: '{"usd":"1"}' },
          { id: 'b', name: 'pay', arguments: 'half a {' },
        ],
      },
      { role: 'tool', call_id: 'a', name: 'pay', text: 'done' },
      { role: 'tool', call_id: 'b', name: 'pay', text: 'no JSON', failed: true },
    ]
    const tools = [{ name: 'pay', description: 'pays', params: { type: 'object' } }]
    await ask(whole(wire.whole({ text: 'ok' })), { ...ASKED, messages, tools, tool_choice: 'auto' })
    const sent = JSON.stringify(fake.asked.at(-1)?.body)
    for (const part of ['half a {', 'done', 'no JSON', 'pays']) assert(sent.includes(part), part)
  })

  test('an answer by a schema is its text', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } }
    const output = { name: 'answer', schema }
    const reply = await ask(whole(wire.structured('{"n":1}')), { ...ASKED, output })
    assert.deepEqual(JSON.parse(reply.text), { n: 1 })
    assert.deepEqual(reply.calls, [])
    assert.equal(reply.stop, 'end')
    assert(JSON.stringify(fake.asked.at(-1)?.body).includes('"integer"'))
  })

  test('why it ended is told', async () => {
    const cut = await ask(whole(wire.whole({ text: 'hi', stop: wire.ends.length })))
    assert.equal(cut.stop, 'length')
    const filtered = await ask(whole(wire.whole({ text: 'hi', stop: wire.ends.filtered })))
    assert.equal(filtered.stop, 'filtered')
    const new_ = await ask(whole(wire.whole({ text: 'hi', stop: 'of_next_year' })))
    assert.equal(new_.stop, 'other')
  })

  test('another model than was asked is named', async () => {
    assert.equal((await ask(whole(wire.whole({ text: 'x', model: 'm-2' })))).model, 'm-2')
  })

  test('usage that cannot be true is none', async () => {
    const usages = [
      null,
      wire.usage(-1, 5),
      wire.usage(5, -1),
      wire.usage(1.5, 2),
      wire.usage(9, 0),
    ]
    for (const usage of [...usages, wire.usage(2 ** 53, 1)])
      assert.equal((await ask(whole(wire.whole({ text: 'x', usage })))).usage, null)
  })

  test('a stream says the same wherever it is cut', async () => {
    const bytes = Buffer.from(wire.stream)
    const cuts = Array.from({ length: bytes.length }, (_, at) => at).filter((at) => at % 17 === 1)
    const cutOnce = cuts.map((at) => [bytes.subarray(0, at), bytes.subarray(at)])
    const byteByByte = Array.from(bytes, (byte) => Uint8Array.of(byte))
    // Every single cut is tried in `streams.test.ts`, without a network in between.
    for (const pieces of [byteByByte, ...cutOnce]) {
      const told: string[] = []
      const onText = (text: string): unknown => told.push(text)
      const reply = await ask({ headers: SSE, pieces }, ASKED, { onText })
      assert.deepEqual(reply, { ...STREAMED, usage: wire.streamedUsage, raw: wire.stream })
      assert.equal(told.join(''), STREAMED.text)
    }
    assert.equal(fake.asked.at(-1)?.path, wire.streamPath)
  })

  test('a stream that ends early is no reply, wherever it ends', async () => {
    const bytes = Buffer.from(wire.stream)
    const onText = (): void => {}
    for (let at = 0; at < bytes.length; at += 29) {
      const answer: FakeAnswer = { headers: SSE, pieces: [bytes.subarray(0, at)] }
      const reply = await ask(answer, ASKED, { onText }).catch((error: unknown) => error)
      if (reply instanceof ModelFailure) {
        assert.deepEqual([reply.code, reply.charged], ['MODEL_REPLY_INVALID', true])
        continue
      }
      // All was said, and at most the count was lost: then the largest possible is charged.
      const { text, calls, usage } = reply as ModelReply
      assert.deepEqual([text, calls.length], [STREAMED.text, 2])
      assert(usage === null || usage.output_tokens === 7)
    }
  })

  test('a whole reply to a request for a stream is taken', async () => {
    const reply = await ask(whole(wire.whole({ text: 'hi' })), ASKED, { onText: () => {} })
    assert.equal(reply.text, 'hi')
  })

  test('an error in the middle of a stream', async () => {
    const answer = { headers: SSE, pieces: [wire.streamError] }
    await refuse('MODEL_UNAVAILABLE', true, answer, ASKED, { onText: () => {} })
  })

  test('rate limits say when to come back', async () => {
    const limited = (headers: Record<string, string>): FakeAnswer => ({
      status: 429,
      headers,
      pieces: [
        JSON.stringify({ error: { message: `slow down ${KEY}`, type: 'rate_limit_error' } }),
      ],
    })
    const failure = await refuse('MODEL_RATE_LIMITED', false, limited({ 'retry-after': '7' }))
    assert.equal(failure.retryAfterMs, 7_000)
    assert.deepEqual(failure.details, { status: 429, said: 'slow down [key]' })
    const now = (): number => Date.parse('2026-01-01T00:00:00Z')
    const date = limited({ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' })
    const dated = await refuse('MODEL_RATE_LIMITED', false, date, ASKED, {}, { now })
    assert.equal(dated.retryAfterMs, 9_000)
    const odd = await refuse('MODEL_RATE_LIMITED', false, limited({ 'retry-after': '-5' }))
    assert.equal(odd.retryAfterMs === undefined || odd.retryAfterMs >= 0, true)
  })

  test('every status has its code', async () => {
    const statuses: readonly (readonly [number, string, boolean])[] = [
      [400, 'MODEL_REFUSED', false],
      [401, 'MODEL_REFUSED', false],
      [403, 'MODEL_REFUSED', false],
      [404, 'MODEL_REFUSED', false],
      [413, 'MODEL_REFUSED', false],
      [500, 'MODEL_UNAVAILABLE', true],
      [502, 'MODEL_UNAVAILABLE', true],
      [503, 'MODEL_UNAVAILABLE', false],
      [504, 'MODEL_UNAVAILABLE', true],
      [529, 'MODEL_UNAVAILABLE', false],
    ]
    for (const [status, code, charged] of statuses)
      await refuse(code, charged, { status, pieces: [`<html>${KEY}</html>`] })
  })

  test('a redirect is not followed', async () => {
    const before = fake.asked.length
    const headers = { location: `${fake.url}/elsewhere` }
    for (const status of [301, 302, 307, 308])
      await refuse('MODEL_REFUSED', false, { status, headers, pieces: [''] })
    assert.equal(fake.asked.length, before + 4)
  })

  test('the body of an error is read as far as its bound', async () => {
    const long = 'x'.repeat(1_000_000)
    const failure = await refuse('MODEL_REFUSED', false, { status: 400, pieces: [long] })
    assert((JSON.stringify(failure.details) ?? '').length < 1_000)
    await refuse('MODEL_REFUSED', false, { status: 400, pieces: ['no'], ending: 'break' })
  })

  test('nonsense is no reply', async () => {
    const half = JSON.stringify(wire.whole({ text: 'hi' })).slice(0, -9)
    const bodies: readonly (string | Uint8Array)[] = [
      'I am sorry, I cannot do that.',
      half,
      '',
      '[]',
      'null',
      '{}',
      '{"choices":[],"type":"message","candidates":"x"}',
      '{"choices":[{"message":{"content":7},"finish_reason":"stop"}]}',
      JSON.stringify(wire.whole({ text: 'hi' })).replace('{', '{"__proto__":{},'),
      JSON.stringify(wire.whole({ text: 'hi' })).replace('hi', '\\ud800'),
      Uint8Array.of(0x7b, 0xff, 0x7d),
      '['.repeat(100_000),
    ]
    for (const body of bodies) {
      const failure = await refuse('MODEL_REPLY_INVALID', true, { pieces: [body] })
      if (body === half) assert.equal(failure.raw, half)
    }
    const types = ['text/html', 'application/jsonp', '']
    for (const type of types)
      await refuse('MODEL_REPLY_INVALID', true, {
        headers: { 'content-type': type },
        pieces: [JSON.stringify(wire.whole({ text: 'hi' }))],
      })
    await refuse('MODEL_REPLY_INVALID', true, { headers: SSE, pieces: ['data: {'] })
    const streams = [
      'data: {\n\n',
      'data: [1]\n\n',
      'data: prose\n\n',
      'prose',
      Uint8Array.of(0xff),
    ]
    for (const stream of streams)
      await refuse('MODEL_REPLY_INVALID', true, { headers: SSE, pieces: [stream] }, ASKED, {
        onText: () => {},
      })
  })

  test('an amount of a tool call keeps its digits, or is refused; other numbers may have too many', async () => {
    const digits = '0.12345678901234567890'
    const said = JSON.stringify(wire.whole({ text: 'hi' })).replace('{', `{"timing":${digits},`)
    const calls = [{ id: 'a', name: 'pay', args: { usd: 'DIGITS' } }]
    const paid = JSON.stringify(wire.whole({ calls })).replace(/\\?"DIGITS\\?"/, digits)
    if (wire.name === 'openai') {
      assert.equal((await ask({ pieces: [said] })).text, 'hi')
      assert.equal((await ask({ pieces: [paid] })).calls[0]?.arguments, `{"usd":${digits}}`)
    } else {
      await refuse('MODEL_REPLY_INVALID', true, { pieces: [said] })
      await refuse('MODEL_REPLY_INVALID', true, { pieces: [paid] })
    }
  })

  test('two calls of one id are refused, and calls without a name', async () => {
    const call = { id: 'a', name: 'pay', args: {} }
    for (const calls of [
      [call, call],
      [{ ...call, name: '' }],
      [{ ...call, name: 'x'.repeat(999) }],
    ])
      await refuse('MODEL_REPLY_INVALID', true, whole(wire.whole({ calls })))
    const many = Array.from({ length: 129 }, (_, place) => ({ ...call, id: `c${place}` }))
    await refuse('MODEL_REPLY_INVALID', true, whole(wire.whole({ calls: many })))
    const reply = await ask(whole(wire.whole({ calls: [{ ...call, id: '' }, call] })))
    assert.deepEqual(
      reply.calls.map(({ id }) => id),
      ['rubicon_call_0', 'a'],
    )
  })

  test('ten megabytes are too long, packed or not, whole or as a stream', async () => {
    const long = JSON.stringify(wire.whole({ text: 'x'.repeat(10_000_000) }))
    await refuse('MODEL_REPLY_TOO_LONG', true, { pieces: [long] })
    const headers = { 'content-encoding': 'gzip' }
    await refuse('MODEL_REPLY_TOO_LONG', true, { headers, pieces: [gzipSync(long)] })
    const stream = { headers: SSE, pieces: [`data: ${long}\n\n`] }
    await refuse('MODEL_REPLY_TOO_LONG', true, stream, ASKED, { onText: () => {} })
  })

  test('what never ends is ended by the deadline, or by whoever waits', async () => {
    const options = { timeoutMs: 100 }
    await refuse('MODEL_TIMEOUT', true, { pieces: ['{'], ending: 'wait' }, ASKED, {}, options)
    const stream: FakeAnswer = { headers: SSE, pieces: [wire.stream.slice(0, 300)], ending: 'wait' }
    await refuse('MODEL_TIMEOUT', true, stream, ASKED, { onText: () => {} }, options)
    const signal = AbortSignal.timeout(50)
    await refuse('MODEL_TIMEOUT', true, { pieces: ['{'], ending: 'wait' }, ASKED, { signal })
    const before = fake.asked.length
    await refuse('MODEL_TIMEOUT', false, { pieces: [] }, ASKED, { signal: AbortSignal.abort() })
    assert.equal(fake.asked.length, before)
  })

  test('a connection that breaks may have been charged; one that never was, was not', async () => {
    await refuse('MODEL_UNAVAILABLE', true, { pieces: ['{"a'], ending: 'break' })
    const closed = await startFakeProvider()
    await closed.close()
    const options = { baseUrl: closed.url }
    await refuse('MODEL_UNAVAILABLE', false, { pieces: [] }, ASKED, {}, options)
  })

  test('a reply that holds the key is refused, and kept nowhere', async () => {
    const said = whole(wire.whole({ text: `you sent ${KEY}` }))
    assert.equal((await refuse('MODEL_REPLY_INVALID', true, said)).raw, undefined)
    const coded = Buffer.from(KEY).toString('base64')
    await refuse('MODEL_REPLY_INVALID', true, whole(wire.whole({ text: `so: ${coded}` })))
    const calls = [{ id: 'a', name: 'pay', args: { to: KEY } }]
    await refuse('MODEL_REPLY_INVALID', true, whole(wire.whole({ calls })))
  })

  test('a key is not told in the coding of a whole header, nor in capitals', async () => {
    const bytes = Buffer.from(`Bearer ${KEY}`)
    const shifted = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${KEY}!`))
    const coded = [
      ...[bytes, ...shifted].flatMap((one) => [one.toString('base64'), one.toString('base64url')]),
      bytes.toString('hex').toUpperCase(),
      [...KEY].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
    ]
    const parts = coded.map((text) => text.slice(12, -6))
    for (const [index, text] of coded.entries()) {
      const answer = { status: 500, pieces: [JSON.stringify({ error: { message: text } })] }
      const failure = await refuse('MODEL_UNAVAILABLE', true, answer)
      const shown = JSON.stringify(failure.details)
      assert(!shown.includes(parts[index] ?? ''), `${text} is told: ${shown}`)
      await refuse('MODEL_REPLY_INVALID', true, whole(wire.whole({ text: `so: ${text}` })))
    }
  })

  test('a key that cannot be read or sent is no request', async () => {
    const before = fake.asked.length
    const broken = (): string => {
      throw new Error(`in a folder of ${KEY}`)
    }
    for (const key of [broken, () => '', () => `${KEY}\n`, () => `ü${KEY}`])
      await refuse('MODEL_REFUSED', false, { pieces: [] }, ASKED, {}, { key })
    assert.equal(fake.asked.length, before)
  })

  test('an address without TLS is this machine, unless somebody said so', () => {
    const create = (baseUrl: string, plainHttp = false): unknown =>
      wire.create({ baseUrl, plainHttp, key: () => KEY })
    for (const bad of [
      'http://models.example',
      'ftp://127.0.0.1',
      'no address',
      'https://a:b@c.example',
    ])
      assert.throws(() => create(bad), /address|https/)
    create('https://models.example/v1/')
    create('http://[::1]:8080')
    create('http://models.example:11434/v1', true)
  })

  test('a price is what was configured', () => {
    const price = { input: '1', output: '2' }
    const provider = wire.create({ baseUrl: fake.url, prices: { 'm-1': price } })
    assert.equal(provider.findPrice('m-1'), price)
    assert.equal(provider.findPrice('constructor'), undefined)
  })
}
