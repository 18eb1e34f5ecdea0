import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { ModelFailure, type ModelRequest } from '../../../ports/model.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'
import { createScriptedProvider } from '../scripted.ts'
import { recordModel } from './record.ts'
import { replayModel } from './replay.ts'

const signal = new AbortController().signal
const PRICE = { input: '1', output: '2' }

function ask(text: string): ModelRequest {
  return { model: 'm', messages: [{ role: 'user', text }], max_tokens: 10 }
}

function write(value: unknown): string {
  return toCanonicalText(value as JsonValue)
}

async function record(file: string): Promise<readonly unknown[]> {
  const failure = new ModelFailure('MODEL_RATE_LIMITED', 'slow', {
    charged: false,
    retryAfterMs: 5,
    details: { status: 429 },
    raw: 'no',
  })
  const script = ['one', 'two', failure, 'Grüß dich 🌊']
  const model = recordModel(createScriptedProvider({ name: 'acme', script, price: PRICE }), file)
  return [
    await model.generate(ask('a'), { signal }),
    await model.generate(ask('a'), { signal }),
    await model.generate(ask('b'), { signal }).catch((error: unknown) => error),
    await model.generate(ask('c'), { signal, onText() {} }),
  ]
}

test('what was recorded is replayed byte for byte, in its order', async () => {
  const file = join(temporaryFolder(), 'models.jsonl')
  const [one, two, failure, last] = await record(file)
  const model = replayModel(file)
  assert.equal(model.name, 'acme')
  assert.deepEqual({ ...model.findPrice('m') }, PRICE)
  const told: string[] = []
  const onText = (text: string): unknown => told.push(text)
  assert.equal(write(await model.generate(ask('c'), { signal, onText })), write(last))
  assert.deepEqual(told, ['Grüß ', 'dich ', '🌊'])
  assert.equal(write(await model.generate(ask('a'), { signal })), write(one))
  assert.equal(write(await model.generate(ask('a'), { signal })), write(two))
  const again = await model.generate(ask('b'), { signal }).catch((error: unknown) => error)
  assert(again instanceof ModelFailure && failure instanceof ModelFailure)
  assert.equal(write({ ...again }), write({ ...failure }))
})

test('P1 P2 what was not recorded, or not so often, is refused', async () => {
  const file = join(temporaryFolder(), 'models.jsonl')
  await record(file)
  const model = replayModel(file)
  const refused = { code: 'MODEL_REFUSED', charged: false }
  await assert.rejects(model.generate(ask('z'), { signal }), refused)
  await assert.rejects(model.generate({ ...ask('a'), max_tokens: 11 }, { signal }), refused)
  await model.generate(ask('a'), { signal })
  await model.generate(ask('a'), { signal })
  await assert.rejects(model.generate(ask('a'), { signal }), refused)
})

test('a recording goes on where it was, and is for its owner alone', async () => {
  const file = join(temporaryFolder(), 'models.jsonl')
  await record(file)
  await record(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  assert.equal(lines.length, 9)
  assert.deepEqual(JSON.parse(lines[0] ?? ''), { rubicon_recording: 1, provider: 'acme' })
})

test('a file that somebody broke is no recording', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'models.jsonl')
  await record(file)
  const whole = readFileSync(file, 'utf8')
  const broken = [
    '',
    'prose',
    '{"rubicon_recording":2,"provider":"acme"}',
    whole.slice(0, -20),
    `${whole}{"request_hash":"sha256:00","request":{}}\n`,
    whole.replace('"text":"a"', '"text":"changed"'),
  ]
  for (const [place, text] of broken.entries()) {
    const path = join(folder, `${place}.jsonl`)
    writeFileSync(path, text)
    assert.throws(() => replayModel(path), /recording/, text.slice(-80))
  }
  appendFileSync(file, 'prose\n')
  assert.throws(() => recordModel(createScriptedProvider({ script: [] }), file), /recording/)
})
