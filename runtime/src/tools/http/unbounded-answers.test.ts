/** An answer that ends with its connection: whoever cuts the connection chooses what it says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotApplied } from '../../ports/capability.ts'
import { callHttp, listen } from './outside.test-support.ts'

const PLAIN = 'content-type: text/plain\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'

test('an answer of which half looks like all of it is not taken for whole', async (t) => {
  const ask = async (status: number, rest: string, method: 'POST' | 'HEAD' = 'POST') => {
    const { port } = await listen(t, (socket) => socket.end(`HTTP/1.1 ${status} Said\r\n${rest}`))
    return callHttp(port, { method, applied: [200, 201, 204] })
  }
  const cut = [`${PLAIN}\r\nhalf of i`, `${JSON_TYPE}\r\n12`, `${JSON_TYPE}\r\n"a"`, '\r\n']
  for (const rest of cut)
    await assert.rejects(
      ask(201, rest),
      (error) =>
        error instanceof Error &&
        !(error instanceof NotApplied) &&
        error.message.startsWith('RESPONSE_UNBOUNDED'),
      rest,
    )
  assert.deepEqual((await ask(201, `${JSON_TYPE}\r\n{"id":1}`)).result, { id: 1 })
  assert.deepEqual((await ask(201, `${JSON_TYPE}\r\n[1]`)).result, [1])
  assert.equal((await ask(201, `${PLAIN}content-length: 5\r\n\r\nwhole`)).result, 'whole')
  assert.equal((await ask(201, 'content-length: 0\r\n\r\n')).result, null)
  assert.equal((await ask(204, '\r\n')).result, null)
  assert.equal((await ask(200, '\r\n', 'HEAD')).result, null)
})
