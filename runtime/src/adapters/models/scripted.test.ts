import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ModelFailure, type ModelRequest } from '../../ports/model.ts'
import { createScriptedProvider } from './scripted.ts'

const REQUEST: ModelRequest = {
  model: 'm',
  messages: [{ role: 'user', text: 'hello' }],
  max_tokens: 10,
}
const signal = new AbortController().signal

test('a list is said one after the other, and then nothing', async () => {
  const failure = new ModelFailure('MODEL_RATE_LIMITED', 'slow', { charged: false })
  const calls = [{ name: 'pay', arguments: '{}' }]
  const model = createScriptedProvider({ script: ['hi', { calls }, failure] })
  assert.equal((await model.generate(REQUEST, { signal })).text, 'hi')
  const second = await model.generate(REQUEST, { signal })
  assert.deepEqual(second.calls, [{ id: 'call_0', name: 'pay', arguments: '{}' }])
  assert.equal(second.stop, 'tools')
  await assert.rejects(model.generate(REQUEST, { signal }), failure)
  await assert.rejects(model.generate(REQUEST, { signal }), {
    code: 'MODEL_REFUSED',
    charged: false,
  })
})

test('a function answers what it is asked', async () => {
  const model = createScriptedProvider({
    script: ({ messages }, turn) => ({ text: `${turn}: ${messages.length}`, model: 'other' }),
    price: { input: '1', output: '2' },
  })
  await model.generate(REQUEST, { signal })
  const reply = await model.generate(REQUEST, { signal })
  assert.deepEqual([reply.text, reply.model], ['1: 1', 'other'])
  assert.deepEqual(model.findPrice('m'), { input: '1', output: '2' })
})

test('the same script gives the same bytes', async () => {
  const ask = (): Promise<unknown> =>
    createScriptedProvider({ script: ['Grüß dich'] }).generate(REQUEST, { signal })
  assert.deepEqual(await ask(), await ask())
})

test('text is told in words, and nobody is answered who left', async () => {
  const told: string[] = []
  const model = createScriptedProvider({ script: () => ({ text: 'one  two', usage: null }) })
  const reply = await model.generate(REQUEST, { signal, onText: (text) => told.push(text) })
  assert.deepEqual([told, reply.usage], [['one  ', 'two'], null])
  await assert.rejects(model.generate(REQUEST, { signal: AbortSignal.abort() }), {
    code: 'MODEL_TIMEOUT',
  })
})
