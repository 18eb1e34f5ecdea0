/** A provider that writes the key back in escapes: whoever reads what it said would read the key. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { ModelFailure, type ModelReply, type ModelRequest } from '../../ports/model.ts'
import {
  type FakeAnswer,
  type FakeProvider,
  startFakeProvider,
} from './fake-provider.test-support.ts'
import { WIRES } from './wires.test-support.ts'

const KEY = 'sk+canary/0123456789=abcdef'
/** As .NET writes `+`, and as PHP writes `/`. */
const ESCAPED = KEY.replaceAll('+', '\\u002B').replaceAll('/', '\\/')
const CODED = [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')
const ASKED: ModelRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'hello' }],
  max_tokens: 100,
}
const SSE = { 'content-type': 'text/event-stream' }

for (const wire of WIRES)
  describe(`the ${wire.name} wire format`, () => {
    let fake: FakeProvider
    before(async () => {
      fake = await startFakeProvider()
    })
    after(() => fake.close())

    const ask = (answer: FakeAnswer, onText?: (text: string) => void): Promise<ModelReply> => {
      fake.answer = answer
      const provider = wire.create({ baseUrl: fake.url, key: () => KEY, timeoutMs: 5_000 })
      const { signal } = new AbortController()
      return provider.generate(ASKED, { signal, ...(onText === undefined ? {} : { onText }) })
    }
    const expectNoKey = async (asked: Promise<ModelReply>): Promise<void> => {
      const failure = await asked.then(
        (reply) => assert.fail(`it was taken: ${inspect(reply)}`),
        (error: unknown) => error,
      )
      assert.ok(failure instanceof ModelFailure, inspect(failure))
      const shown = inspect({ ...failure, message: failure.message }, { depth: null })
      for (const form of [KEY, ESCAPED, CODED, inspect(ESCAPED).slice(1, -1)])
        assert.ok(!shown.includes(form), shown)
    }

    test('an error does not tell the key, however the provider escaped it', async () => {
      for (const form of [ESCAPED, CODED])
        for (const status of [401, 429, 500]) {
          const error = `{"error": {"message": "no such key: ${form}"}}`
          await expectNoKey(ask({ status, pieces: [error] }))
          await expectNoKey(ask({ status, pieces: [`[${error}]`] }))
          await expectNoKey(ask({ status, pieces: [`key ${form} is unknown`] }))
        }
      const html = KEY.replaceAll('/', '&#47;')
      await expectNoKey(ask({ status: 502, pieces: [`<p>${html}</p>`] }))
    })

    test('a reply that holds the key in escapes is refused, wherever it stands', async () => {
      const whole = JSON.stringify(wire.whole({ text: 'hi' }))
      for (const form of [ESCAPED, CODED]) {
        const beside = `{"debug": "Bearer ${form}", ${whole.slice(1)}`
        await expectNoKey(ask({ pieces: [beside] }))
        const half = `{"debug": "Bearer ${form}", `
        await expectNoKey(ask({ pieces: [half] }))
        const stream = `: Bearer ${form}\n\n${wire.stream}`
        await expectNoKey(ask({ headers: SSE, pieces: [stream] }, () => {}))
      }
    })
  })
