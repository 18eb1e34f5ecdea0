import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { compileSchema } from '../../capabilities/schema.ts'
import type { MaskEngine, TokenModel } from '../../ports/decoder.ts'
import { ModelFailure, type ModelReply, type ModelRequest } from '../../ports/model.ts'
import { createMaskedProvider } from './masked-provider.ts'
import { createRandomModel, VOCABULARY } from './random-model.test-support.ts'
import { createXGrammarEngine } from './xgrammar.ts'

const engine = await createXGrammarEngine(VOCABULARY)
after(() => engine.close())

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    kind: { enum: ['PAY', 'quoted "kind"', 'grün 🌊', 7, null] },
    amount: { type: 'string', pattern: '^(?:[0-9][.][0-9]{2}|(?:[1-8][0-9]|9[0-4])[.][0-9]{2})$' },
    note: { type: 'string', minLength: 1, maxLength: 5 },
    count: { type: 'integer', minimum: -3, maximum: 120 },
    ratio: { type: 'number', minimum: 0.5, maximum: 3 },
    list: {
      type: 'array',
      items: { type: 'string', minLength: 0, maxLength: 2 },
      minItems: 1,
      maxItems: 3,
    },
    either: {
      anyOf: [
        { enum: [true] },
        { type: 'object', properties: {}, required: [], additionalProperties: false },
      ],
    },
  },
  required: ['kind', 'amount', 'note', 'ratio'],
  additionalProperties: false,
}
const REQUEST: ModelRequest = {
  model: 'random',
  messages: [{ role: 'user', text: 'go' }],
  max_tokens: 400,
  output: { name: 'answer', schema: SCHEMA },
}

function ask(
  model: TokenModel,
  change: Partial<ModelRequest> = {},
  by: MaskEngine = engine,
): Promise<ModelReply> {
  const provider = createMaskedProvider({ model, engine: by })
  return provider.generate({ ...REQUEST, ...change }, { signal: new AbortController().signal })
}

async function failed(asked: Promise<ModelReply>): Promise<ModelFailure> {
  const failure = await asked.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof ModelFailure, 'it failed')
  return failure
}

test('a model that chooses at random writes documents of the schema and nothing else', async () => {
  const compiled = compileSchema(SCHEMA)
  assert.ok(compiled.ok)
  const seen = new Set<string>()
  for (let seed = 0; seed < 25; seed++) {
    const { text, stop, usage } = await ask(createRandomModel(seed))
    assert.equal(stop, 'end')
    assert.deepEqual(compiled.value(JSON.parse(text)), [], text)
    assert.ok((usage?.output_tokens ?? 0) > 10)
    seen.add(text)
  }
  assert.ok(seen.size > 20)
})

test('a model that does not keep to its mask is refused at the first token, whatever it wrote', async () => {
  const first = VOCABULARY.tokens.indexOf('a')
  for (const token of [first, -1, 1.5, Number.NaN, VOCABULARY.tokens.length, 0]) {
    const failure = await failed(ask(createRandomModel(1, { chooseNext: () => token })))
    assert.equal(failure.code, 'DECODE_FAILED')
    assert.equal(failure.charged, true)
  }
})

test('a model that never ends is stopped at its tokens, and says that it is not whole', async () => {
  const space = VOCABULARY.tokens.indexOf('a')
  const schema: JsonObject = { type: 'string', minLength: 0, maxLength: 250 }
  const quote = VOCABULARY.tokens.indexOf('"')
  const endless = createRandomModel(1, {
    chooseNext: (_, written) => (written.length === 0 ? quote : space),
  })
  const { stop, text } = await ask(endless, { max_tokens: 20, output: { name: 'x', schema } })
  assert.equal(stop, 'length')
  assert.equal(text.length, 20)
})

test('a mask is disposed of however it ends, and a schema that is none is refused before anything is asked', async () => {
  let open = 0
  const counting: MaskEngine = {
    ...engine,
    async createMask(schema) {
      const mask = await engine.createMask(schema)
      open += 1
      return {
        computeNext: () => mask.computeNext(),
        accept: (token) => mask.accept(token),
        isEnded: () => mask.isEnded(),
        close() {
          open -= 1
          mask.close()
        },
      }
    },
  }
  await ask(createRandomModel(1), {}, counting)
  await failed(ask(createRandomModel(1, { chooseNext: () => -1 }), {}, counting))
  const throwing = createRandomModel(1, { chooseNext: () => assert.fail('it broke') })
  await assert.rejects(ask(throwing, {}, counting), /it broke/)
  assert.equal(open, 0)
  const wrong = { name: 'x', schema: { type: 'string', pattern: '^(?=a)a$' } }
  const failure = await failed(ask(createRandomModel(1), { output: wrong }))
  assert.deepEqual([failure.code, failure.charged], ['DECODE_FAILED', false])
})

test('it writes nothing without a schema, nothing for another model, and nothing for nobody', async () => {
  const { output: _, ...free } = REQUEST
  const provider = createMaskedProvider({ model: createRandomModel(1), engine })
  const waiting = { signal: new AbortController().signal }
  assert.equal((await failed(provider.generate(free, waiting))).code, 'MODEL_REFUSED')
  assert.equal((await failed(ask(createRandomModel(1), { model: 'other' }))).code, 'MODEL_REFUSED')
  const gone = { signal: AbortSignal.abort() }
  assert.equal((await failed(provider.generate(REQUEST, gone))).code, 'MODEL_TIMEOUT')
})

function manyTexts(count: number, pattern: string): JsonObject {
  const names = Array.from({ length: count }, (_, nth) => `p${nth}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', pattern }]))
  return { type: 'object', properties, required: names, additionalProperties: false }
}

test('no schema keeps the process from everything else while a mask is made of it', async () => {
  const hostile: readonly JsonObject[] = [
    { type: 'string', minLength: 5_000, maxLength: 5_000 },
    { type: 'string', pattern: '^((a{0,64}){0,64}){0,64}$' },
    manyTexts(8, '^(a|b){1,999}$'),
    { type: 'string', minLength: 200_000, maxLength: 200_000 },
    { type: 'string', pattern: '^((a|b){1,999}){1,999}$' },
    { type: 'string', pattern: '^((ab){9999}){9999,}$' },
  ]
  for (const schema of hostile) {
    const output = { name: 'x', schema }
    const failure = await failed(ask(createRandomModel(1), { max_tokens: 3, output }))
    assert.deepEqual([failure.code, failure.charged], ['DECODE_FAILED', false])
    assert.match(JSON.stringify(failure.details), /too large for a mask/)
  }
  const large = { type: 'string', pattern: '^(?:[a-z]{1,60}-){1,10}[0-9]{0,4000}x{512}$' }
  const { text } = await ask(createRandomModel(1), {
    max_tokens: 4_000,
    output: { name: 'x', schema: large },
  })
  assert.match(text, /^"(?:[a-z]{1,60}-){1,10}[0-9]{0,64}x{512}"$/)
})

test('a model that answers at once does not keep the process from everything else while it writes', async () => {
  const waiting = new AbortController()
  const model = createRandomModel(1)
  let asked = 0
  const provider = createMaskedProvider({
    model: {
      ...model,
      chooseNext(...given) {
        asked += 1
        return model.chooseNext(...given)
      },
    },
    engine,
  })
  const written = provider.generate(REQUEST, { signal: waiting.signal })
  // Whoever waits gives up while it writes: nobody would hear of it if it took no turns.
  setImmediate(() => setImmediate(() => setImmediate(() => waiting.abort())))
  assert.equal((await failed(written)).code, 'MODEL_TIMEOUT')
  assert.ok(asked < 10, String(asked))
})
