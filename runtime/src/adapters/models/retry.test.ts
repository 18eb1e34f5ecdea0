import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../ports/clock.ts'
import { ModelFailure, type ModelFailureCode, type ModelRequest } from '../../ports/model.ts'
import { retryModel } from './retry.ts'
import { createScriptedProvider, type ScriptedReply } from './scripted.ts'

const REQUEST: ModelRequest = { model: 'm', messages: [], max_tokens: 10 }
const signal = new AbortController().signal

function fail(code: ModelFailureCode, charged = false, retryAfterMs?: number): ModelFailure {
  return new ModelFailure(code, code, {
    charged,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function stage(script: readonly ScriptedReply[], attempts = 3, onWait = (): void => {}) {
  const waits: number[] = []
  let asked = 0
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(ms) {
      waits.push(ms)
      onWait()
      return { elapsed: Promise.resolve(), cancel() {} }
    },
  }
  const inner = createScriptedProvider({ script })
  const counted: typeof inner = {
    ...inner,
    generate(request, io) {
      asked += 1
      return inner.generate(request, io)
    },
  }
  const random = { bytes: (length: number) => new Uint8Array(length).fill(255) }
  const model = retryModel(counted, { attempts, clock, random })
  return { model, waits, asked: () => asked }
}

test('R1 what was turned away before any work is asked again', async () => {
  const { model, waits } = stage([fail('MODEL_UNAVAILABLE'), fail('MODEL_RATE_LIMITED'), 'hi'])
  assert.equal((await model.generate(REQUEST, { signal })).text, 'hi')
  assert.deepEqual(waits, [399, 798])
})

test('R1 nothing else is', async () => {
  const failures = [
    fail('MODEL_UNAVAILABLE', true),
    fail('MODEL_RATE_LIMITED', true),
    fail('MODEL_REFUSED'),
    fail('MODEL_TIMEOUT'),
    fail('MODEL_REPLY_INVALID', true),
    fail('MODEL_REPLY_TOO_LONG', true),
  ]
  for (const failure of failures) {
    const { model, asked } = stage([failure, 'hi'])
    await assert.rejects(model.generate(REQUEST, { signal }), failure)
    assert.equal(asked(), 1)
  }
})

test('R2 not before the provider said, and not at all where that is too long', async () => {
  const { model, waits } = stage([fail('MODEL_RATE_LIMITED', false, 7_000), 'hi'])
  await model.generate(REQUEST, { signal })
  assert.equal(waits.length, 1)
  assert((waits[0] ?? 0) >= 7_000)
  const long = stage([fail('MODEL_RATE_LIMITED', false, 60_001), 'hi'])
  await assert.rejects(long.model.generate(REQUEST, { signal }), ModelFailure)
  assert.deepEqual([long.waits, long.asked()], [[], 1])
})

test('R3 not once text was told', async () => {
  const failure = fail('MODEL_UNAVAILABLE')
  let asked = 0
  const model = retryModel(
    {
      name: 'half',
      findPrice: () => undefined,
      async generate(_, io) {
        asked += 1
        io.onText?.('Gr')
        throw failure
      },
    },
    { attempts: 3, clock: stage([]).model as never, random: { bytes: () => new Uint8Array(1) } },
  )
  await assert.rejects(model.generate(REQUEST, { signal, onText() {} }), failure)
  assert.equal(asked, 1)
})

test('R4 bounded in number', async () => {
  const script = Array.from({ length: 20 }, () => fail('MODEL_UNAVAILABLE'))
  const three = stage(script)
  await assert.rejects(three.model.generate(REQUEST, { signal }), ModelFailure)
  assert.equal(three.asked(), 3)
  const most = stage(script, 1_000)
  await assert.rejects(most.model.generate(REQUEST, { signal }), ModelFailure)
  assert.equal(most.asked(), 8)
})

test('R4 ended at once when nobody waits any more', async () => {
  const waiting = new AbortController()
  const { model, asked } = stage([fail('MODEL_UNAVAILABLE'), 'hi'], 3, () => waiting.abort())
  await assert.rejects(model.generate(REQUEST, { signal: waiting.signal }), ModelFailure)
  assert.equal(asked(), 1)
})

test('name and price are those of the provider', () => {
  const { model } = stage([])
  assert.equal(model.name, 'scripted')
  assert.equal(model.findPrice('m'), undefined)
})
