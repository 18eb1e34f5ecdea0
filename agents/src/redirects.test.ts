import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createClient } from './generated.ts'

/** By its name: what a number of this machine answers is held against our API document. */
async function listening(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Somebody who wants to be sent what is for another, and an address that sends it there. */
async function redirecting(t: TestContext) {
  const heard: IncomingMessage[] = []
  let status = 302
  const thief = await listening(t, (request, response) => {
    heard.push(request)
    response.setHeader('content-type', 'application/json').end('{"flows":[]}')
  })
  const url = await listening(t, (request, response) => {
    response.writeHead(status, { location: `${thief}${request.url}&secret=1` }).end()
  })
  const answerWith = (next: number): void => {
    status = next
  }
  return { heard, thief, url, answerWith }
}

test('a token goes to another address because the one that was asked says so', async (t) => {
  const { heard, thief, url, answerWith } = await redirecting(t)
  const headers = () => ({ authorization: 'Bearer rbo_secret', 'rubicon-csrf': 'word' })
  const client = createClient({ url, headers })
  for (const status of [301, 302, 303, 307, 308]) {
    answerWith(status)
    const body = { reason: 'noise' }
    const answers = [
      await client.listFlows({ query: { limit: '1' } }),
      await client.withdrawMonitor({ params: { name: 'm' }, body, key: 'k' }),
    ]
    for (const answer of answers) {
      assert.ok(!answer.ok)
      const { code, detail } = answer.problem
      assert.deepEqual([answer.problem.status, code], [status, 'ANSWER_REDIRECTED'])
      assert.match(detail, new RegExp(`^it was not sent to ${thief}: `))
      assert.ok(!detail.includes('secret'), 'only where it would have gone')
    }
  }
  assert.equal(heard.length, 0)
})

test('what a browser does not tell of a redirect makes it an answer', async () => {
  const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
  const client = createClient({ fetch: (async () => hidden) as typeof fetch })
  const answer = await client.listFlows({})
  assert.equal(!answer.ok && answer.problem.code, 'ANSWER_REDIRECTED')
})
