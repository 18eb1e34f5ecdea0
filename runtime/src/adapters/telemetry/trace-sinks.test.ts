import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createOtlpSink } from './trace-sinks.ts'

async function listening(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('traces go to another address because the collector says so', async (t) => {
  let heard = 0
  const thief = await listening(t, (_, response) => {
    heard += 1
    response.end()
  })
  const url = await listening(t, (request, response) => {
    response.writeHead(302, { location: `${thief}${request.url}` }).end()
  })
  assert.equal(await createOtlpSink(url).send('{}'), 'never')
  assert.equal(heard, 0)
})
