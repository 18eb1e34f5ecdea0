import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { type PostedAnswer, postJson } from './post-json.ts'

async function postTo(t: TestContext, provisional: number): Promise<PostedAnswer> {
  const server = createServer((_request, response) => {
    for (let n = 0; n < provisional; n++) response.writeProcessing()
    response.end('done')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const message = { host: 'localhost', path: '/', headers: {}, body: '{}' }
  return postJson(connect(port, '127.0.0.1'), message, AbortSignal.timeout(10_000))
}

test('a channel whose server says again and again that it is going to answer is not waited for', async (t) => {
  const most = LIMITS.provisionalAnswers
  assert.equal((await postTo(t, most)).text, 'done')
  await assert.rejects(postTo(t, most + 1), /PROVISIONAL_ANSWERS/)
})
