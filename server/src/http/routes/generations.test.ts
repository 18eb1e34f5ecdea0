import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createScriptedProvider, type Script } from '../../../../runtime/src/compose.ts'
import { ModelFailure, type ModelProvider } from '../../../../runtime/src/ports/model.ts'
import { buildContract } from '../../demo/contract.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, type Served, served } from '../served.test-support.ts'

const REQUEST = { model: 'm-1', messages: [{ role: 'user', text: 'hello' }], max_tokens: 50 }
const PRICE = { input: '1', output: '2' }

async function stage(
  t: TestContext,
  script: Script,
): Promise<Served & { bot: HttpPlace; path: string }> {
  const models = { acme: createScriptedProvider({ script, price: PRICE }) }
  const it = await served(t, { models })
  const bot = await it.agent()
  const { dfid } = await it.open(bot)
  return { ...it, bot, path: `/v1/flows/${dfid}/generations` }
}

test('an agent asks a model in its flow', async (t) => {
  const usage = { input_tokens: 3, output_tokens: 2 }
  const { bot, path } = await stage(t, [{ text: 'hi', usage }])
  const { status, body } = await post(bot, path, { body: REQUEST })
  assert.equal(status, 200, JSON.stringify(body))
  const { provider, text, usage: counted, used, state } = body
  assert.deepEqual(
    { provider, text, usage: counted, used, state },
    {
      provider: 'acme',
      text: 'hi',
      usage,
      used: { tokens: '5', usd: '0.000007' },
      state: 'ACTIVE',
    },
  )
})

test('nobody else does, and not what is no request', async (t) => {
  const { bot, path, agent, person, runtime } = await stage(t, () => 'hi')
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const other = await agent('other_bot')
  assert.deepEqual(problemOf(await post(other, path, { body: REQUEST })), [
    403,
    'IDENTITY_MISMATCH',
  ])
  const operator = person('olga', 'operator')
  assert.deepEqual(problemOf(await post(operator, path, { body: REQUEST })), [403, 'ROLE_MISSING'])
  const wrong = [{}, { ...REQUEST, max_tokens: 0 }, { ...REQUEST, key: 'sk-1' }]
  for (const body of wrong)
    assert.deepEqual(problemOf(await post(bot, path, { body })), [422, 'SCHEMA_INVALID'])
  const unknown = await post(bot, path, { body: { ...REQUEST, provider: 'nobody' } })
  assert.deepEqual(problemOf(unknown), [404, 'MODEL_UNKNOWN'])
})

test('people read what was asked and said, and agents do not', async (t) => {
  const refused = new ModelFailure('MODEL_REFUSED', 'the provider answered 400', {
    charged: false,
    details: { status: 400, said: 'no such model' },
  })
  const { bot, path, person } = await stage(t, ['hi', refused])
  const { body: made } = await post(bot, path, { body: REQUEST })
  const auditor = person('ada', 'auditor')
  const read = await get(auditor, `${path}/${made.generation_id}`)
  assert.equal(read.status, 200, JSON.stringify(read.body))
  assert.deepEqual(JSON.parse(read.body.request), REQUEST)
  assert.match(read.body.response, /"text":"hi"/)
  const failed = await post(bot, path, { body: REQUEST })
  assert(!JSON.stringify(failed.body).includes('no such model'))
  const told = await get(auditor, `${path}/${failed.body.meta.generation_id}`)
  const failure = 'the provider answered 400 {"said":"no such model","status":400}'
  assert.deepEqual([told.body.response, told.body.failure], [null, failure])
  assert.deepEqual(problemOf(await get(bot, `${path}/${made.generation_id}`)), [
    403,
    'ROLE_MISSING',
  ])
  assert.deepEqual(problemOf(await get(auditor, `${path}/none`)), [404, 'GENERATION_UNKNOWN'])
})

test('what a provider failed with is a problem with its code', async (t) => {
  const slow = new ModelFailure('MODEL_RATE_LIMITED', 'slow', { charged: false, retryAfterMs: 9 })
  const { bot, path } = await stage(t, [slow])
  const failed = await post(bot, path, { body: REQUEST })
  assert.deepEqual(problemOf(failed), [503, 'MODEL_RATE_LIMITED'])
  assert.deepEqual([failed.body.meta.charged, failed.body.meta.retry_after_ms], [false, 9])
})

test('whoever accepts events hears the words as they come', async (t) => {
  const { bot, path } = await stage(t, [
    'one two',
    new ModelFailure('MODEL_REFUSED', 'no', { charged: false }),
  ])
  const heard = await listen(bot, path)
  assert.deepEqual(
    heard.map(([event]) => event),
    ['text', 'text', 'generation'],
  )
  assert.deepEqual(
    heard.slice(0, 2).map(([, data]) => data.text),
    ['one ', 'two'],
  )
  assert.equal(heard[2]?.[1].text, 'one two')
  const failed = await listen(bot, path)
  assert.deepEqual(
    failed.map(([event, { code }]) => [event, code]),
    [['problem', 'MODEL_REFUSED']],
  )
})

test('whoever hangs up has asked all the same', async (t) => {
  const begun = Promise.withResolvers<void>()
  const hangs: ModelProvider = {
    name: 'hangs',
    findPrice: () => PRICE,
    generate: (_, { onText, signal }) =>
      new Promise((_resolve, reject) => {
        onText?.('so ')
        begun.resolve()
        signal.addEventListener('abort', () =>
          reject(new ModelFailure('MODEL_TIMEOUT', 'late', { charged: true })),
        )
      }),
  }
  const { agent, open, runtime } = await served(t, { models: { hangs } })
  const bot = await agent()
  const { dfid } = await open(bot)
  const path = `/v1/flows/${dfid}/generations`
  const left = new AbortController()
  const response = await openStream(bot, path, left.signal)
  await begun.promise
  await response.body?.getReader().read()
  left.abort()
  const find = async (): Promise<string | undefined> => {
    const entries = await runtime.store.listFlowEntries(dfid)
    return entries.find(({ envelope }) => envelope.kind === 'evidence')?.payload ?? undefined
  }
  for (let turn = 0; turn < 200 && (await find()) === undefined; turn++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  assert.match((await find()) ?? '', /"reason_code":"MODEL_TIMEOUT"/)
})

async function openStream(place: HttpPlace, path: string, signal: AbortSignal): Promise<Response> {
  const bytes = new TextEncoder().encode(JSON.stringify(REQUEST))
  const authorization = `Bearer ${place.token}`
  const request = { method: 'POST', target: path, authorization, bytes, key: undefined }
  return await fetch(`${place.url}${path}`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(await place.sign?.(request)),
    },
    body: bytes,
    signal,
  })
}

async function listen(
  place: HttpPlace,
  path: string,
): Promise<readonly (readonly [string, Record<string, string>])[]> {
  const headers = { accept: 'text/event-stream' }
  const answer = await post(place, path, { body: REQUEST, headers })
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = String(answer.body).split('\n\n')
  return events
    .filter((event) => event.includes('data: '))
    .map((event) => {
      const [, name = '', data = '{}'] = /event: (\w+)\ndata: (.*)/.exec(event) ?? []
      return [name, JSON.parse(data)] as const
    })
}

test('nobody reads words of a model that the ledger does not have', async (t) => {
  const { bot, path, person, runtime } = await stage(t, ['refund ten', 'refund eleven'])
  const auditor = person('ada', 'auditor')
  const { body: made } = await post(bot, path, { body: REQUEST })
  const { body: other } = await post(bot, path, { body: REQUEST })
  const { store } = runtime
  const { dfid, generation_id } = made
  const kept = await store.readRecord('generation_text', dfid, generation_id)
  assert.ok(kept !== null)
  const { request, response, failure } = kept.body
  const forged = [
    { request: request.replace('hello', 'refund a million'), response, failure },
    { request, response: response?.replace('ten', 'a million') ?? '', failure },
    { request, response: null, failure: 'it never answered' },
  ]
  for (const body of forged) {
    const place = { record: 'generation_text', group: dfid, key: generation_id } as const
    await store.commit({ guards: [], writes: [{ kind: 'put_record', ...place, body }] })
    const read = await get(auditor, `${path}/${generation_id}`)
    assert.deepEqual(problemOf(read), [503, 'STORE_DIVERGED'])
    assert.ok(!JSON.stringify(read.body).includes('million'))
  }
  const place = { record: 'generation_text', group: dfid, key: 'made-up' } as const
  await store.commit({ guards: [], writes: [{ kind: 'put_record', ...place, body: kept.body }] })
  assert.deepEqual(problemOf(await get(auditor, `${path}/made-up`)), [503, 'STORE_DIVERGED'])
  assert.equal((await get(auditor, `${path}/${other.generation_id}`)).status, 200)
})

test('what a model is being asked can be read before it answers', async (t) => {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const scripted = createScriptedProvider({ script: ['hi'], price: PRICE })
  const slow: ModelProvider = {
    ...scripted,
    async generate(request, io) {
      begun.resolve()
      await held.promise
      return scripted.generate(request, io)
    },
  }
  const it = await served(t, { models: { slow } })
  const bot = await it.agent()
  const { dfid } = await it.open(bot)
  const path = `/v1/flows/${dfid}/generations`
  const asking = post(bot, path, { body: REQUEST })
  await begun.promise
  const [open] = await it.runtime.store.listRecords('generation', 'open', { limit: 1 })
  const read = await get(it.person('ada', 'auditor'), `${path}/${open?.body.generation_id}`)
  assert.deepEqual([read.status, read.body.response], [200, null])
  held.resolve()
  assert.equal((await asking).status, 200)
})
