import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { JsonObject } from 'rubicon-kernel'
import { buildHttpProblem } from '../problems/problem.ts'
import { get, served } from '../served.test-support.ts'
import { conformanceTo, type SeenResponse } from './conformance.test-support.ts'

const health = {
  method: 'GET',
  path: '/healthz',
  status: 200,
  type: 'application/json',
  body: { status: 'up' },
}

test('the document is an OpenAPI document, by the word of its own schema', async (t) => {
  const { body } = await get({ url: (await served(t)).server.url }, '/openapi.json')
  const { valid, errors } = await new Validator().validate(body)
  assert.deepEqual(errors, undefined)
  assert.equal(valid, true)
})

test('what is not in the document is found by somebody else\u2019s tool', async (t) => {
  const faultOf = conformanceTo(await documentOf(t))
  const fault = (change: Partial<SeenResponse>): Promise<string | null> =>
    faultOf({ ...health, ...change })
  assert.equal(await fault({}), null)
  assert.match((await fault({ body: { status: 'up', more: 1 } })) ?? '', /additional/)
  assert.match((await fault({ body: {} })) ?? '', /required/)
  assert.match((await fault({ body: { status: 'fine' } })) ?? '', /allowed values/)
  assert.match((await fault({ body: 'up' })) ?? '', /object/)
  assert.match((await fault({ status: 201 })) ?? '', /no status 201/)
  assert.match((await fault({ type: 'text/html' })) ?? '', /does not come as/)
  assert.match((await fault({ path: '/v1/nothing' })) ?? '', /no such operation/)
  assert.match((await fault({ method: 'PUT' })) ?? '', /no such operation/)
})

test('a problem has to be one, with a code that is listed', async (t) => {
  const faultOf = conformanceTo(await documentOf(t))
  const { status, body } = buildHttpProblem('TOKEN_MISSING')
  const refusal = { ...health, path: '/v1/flows', type: 'application/problem+json', status }
  assert.equal(await faultOf({ ...refusal, body }), null)
  const { code: _, ...without } = body
  assert.match((await faultOf({ ...refusal, body: without })) ?? '', /required/)
  const made = { ...body, code: 'MADE_UP' }
  assert.match((await faultOf({ ...refusal, body: made })) ?? '', /allowed values/)
  const asJson = { ...refusal, type: 'application/json', body }
  assert.match((await faultOf(asJson)) ?? '', /does not come as/)
})

test('a process that fetches what is not in the document fails, whoever catches it', () => {
  const program = `
    import { createServer } from 'node:http'
    await import(${JSON.stringify(new URL('./watch-fetch.test-support.ts', import.meta.url).href)})
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"status":"well"}'))
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
    const url = 'http://127.0.0.1:' + server.address().port + '/healthz'
    const caught = await fetch(url).then(() => null, (error) => error.message)
    process.stdout.write(String(caught))
    server.close()
  `
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.match(stdout, /GET \/healthz answered 200/)
  assert.match(stderr, /not in the API document/)
  assert.equal(status, 1)
})

async function documentOf(t: Parameters<typeof served>[0]): Promise<JsonObject> {
  const { server } = await served(t)
  return (await get({ url: server.url }, '/openapi.json')).body
}
