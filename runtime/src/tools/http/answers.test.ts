import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { NotApplied } from '../../ports/capability.ts'
import { allowPort, answerWith, callHttp, listen } from './outside.test-support.ts'

/** Nobody knows what came of it: whatever was thrown, it does not say that nothing happened. */
function isUncertain(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error && !(error instanceof NotApplied), String(error))
    assert.match(error.message, pattern)
    return true
  }
}

function sayRaw(...parts: readonly string[]): (socket: Socket) => void {
  return (socket) => {
    for (const part of parts) socket.write(part)
    socket.end()
  }
}

test('the status says what came of it, and nothing else does', async (t) => {
  const applied = await listen(t, answerWith(201, '{"id": "re_1"}', { 'request-id': 'req_7' }))
  assert.deepEqual(await callHttp(applied.port), {
    status: 201,
    result: { id: 're_1' },
    receipt: { request_id: 'req_7' },
  })
  const refused = await listen(t, answerWith(422, '{"error": "no such order"}'))
  await assert.rejects(callHttp(refused.port), (error) => {
    assert.ok(error instanceof NotApplied && !error.transient)
    assert.deepEqual(error.details, { status: 422, answer: '{"error":"no such order"}' })
    return true
  })
  const busy = await listen(t, answerWith(503, 'later', { 'content-type': 'text/html' }))
  await assert.rejects(callHttp(busy.port), (error) => {
    return error instanceof NotApplied && error.transient && error.details.answer === 'later'
  })
  for (const status of [100, 204, 302, 400, 404, 500, 502, 504]) {
    const { port } = await listen(t, answerWith(status, ''))
    await assert.rejects(callHttp(port, { timeout_ms: 300 }), isUncertain(/answer|failed/))
  }
})

test('where the result stands is where it is read; nothing there is null', async (t) => {
  const { port } = await listen(t, answerWith(200, '{"data": {"items": [{"id": 7}]}}'))
  const read = async (result: string): Promise<unknown> => (await callHttp(port, { result })).result
  assert.deepEqual(await read('/data/items/0'), { id: 7 })
  assert.equal(await read('/data/none'), null)
  const empty = await listen(t, answerWith(200, ''))
  assert.equal((await callHttp(empty.port, { result: '/id' })).result, null)
  const text = await listen(t, answerWith(200, 'done', { 'content-type': 'text/plain' }))
  assert.equal((await callHttp(text.port)).result, 'done')
})

test('nobody there: nothing happened, and it may be tried again', async (t) => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const address = closed.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => closed.close(resolve))
  const isTransient = (error: unknown): boolean => error instanceof NotApplied && error.transient
  await assert.rejects(callHttp(port), isTransient)
  const url = `http://api.example.com:${port}/`
  const allowed = [allowPort(port, { host: 'api.example.com', addresses: 'public' })]
  const unresolved = { allowed, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
  await assert.rejects(callHttp(port, { url }, { options: unresolved }), isTransient)
  const never = { allowed, resolve: () => new Promise<never>(() => {}) }
  await assert.rejects(callHttp(port, { url, timeout_ms: 50 }, { options: never }), isTransient)
  const { port: open, seen } = await listen(t, answerWith(200, '{}'))
  const signal = AbortSignal.abort()
  await assert.rejects(callHttp(open, {}, { io: { signal } }), isTransient)
  assert.equal(seen(), 0)
})

test('an address that does not answer is followed by the next, before anything is sent', async (t) => {
  const { port } = await listen(t, answerWith(200, '{}'), { host: '127.0.0.3' })
  const allowed = [allowPort(port, { host: 'localhost' })]
  const resolve = async (): Promise<readonly string[]> => ['127.0.0.2', '127.0.0.3']
  const url = `http://localhost:${port}/`
  assert.equal((await callHttp(port, { url }, { options: { allowed, resolve } })).status, 200)
})

test('once it was sent, a lost answer is uncertain', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n'
  const answers: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.destroy(),
    (socket) => socket.resetAndDestroy(),
    sayRaw('nonsense\r\n\r\n'),
    sayRaw(head, '{"half":'),
    sayRaw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    sayRaw('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    sayRaw(head.replace('20', '2'), '{]'),
    sayRaw('HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"a":1,"a":2}'),
    sayRaw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-type: text/html\r\n\r\n<'),
    sayRaw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} '),
  ]
  for (const answer of answers) {
    const { port, seen } = await listen(t, answer)
    await assert.rejects(callHttp(port), isUncertain(/./))
    assert.equal(seen(), 1, 'it is not sent again')
  }
})

test('a coding is refused, so that nothing small becomes large', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  for (const name of ['gzip', 'br', 'x-gzip', 'GZIP', 'identity, gzip']) {
    const { port, heard } = await listen(t, answerWith(200, bomb, { 'content-encoding': name }))
    const before = process.memoryUsage().rss
    await assert.rejects(callHttp(port), isUncertain(/RESPONSE_ENCODED/))
    assert.ok(process.memoryUsage().rss - before < 40_000_000)
    assert.match(heard(), /^accept-encoding: identity\r$/m)
  }
  const chunks = 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
  const { port } = await listen(t, sayRaw(chunks))
  await assert.rejects(callHttp(port), isUncertain(/RESPONSE_ENCODED|failed/))
})

test('an answer without an end is cut at its bound', async (t) => {
  let wrote = 0
  const { port } = await listen(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const pour = (): void => {
      while (!socket.destroyed && wrote < 50_000_000) {
        wrote += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', pour)
      }
    }
    pour()
  })
  await assert.rejects(callHttp(port, { max_bytes: 100_000 }), isUncertain(/RESPONSE_TOO_LARGE/))
  assert.ok(wrote < 40_000_000, `${wrote}`)
  const said = await listen(t, sayRaw('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'))
  await assert.rejects(callHttp(said.port), isUncertain(/RESPONSE_TOO_LARGE/))
  const head = await listen(t, sayRaw('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'))
  assert.equal((await callHttp(head.port, { method: 'HEAD' })).result, null)
  const small = await listen(t, answerWith(200, '"123"'))
  await assert.rejects(callHttp(small.port, { max_bytes: 4 }), isUncertain(/RESPONSE_TOO_LARGE/))
  assert.equal((await callHttp(small.port, { max_bytes: 5 })).result, '123')
})

test('a head without an end is cut at its bound', async (t) => {
  const { port } = await listen(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    for (let index = 0; index < 5_000; index += 1)
      socket.write(`x-${index}: ${'a'.repeat(100)}\r\n`)
  })
  await assert.rejects(callHttp(port), isUncertain(/HPE_HEADER_OVERFLOW/))
})

test("an answer that comes byte by byte ends with the deadline, the manifest's or the engine's", async (t) => {
  const drip = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const timer = setInterval(() => socket.write('a'), 20)
    socket.once('close', () => clearInterval(timer))
  }
  const { port } = await listen(t, drip)
  await assert.rejects(callHttp(port, { timeout_ms: 150 }), isUncertain(/in time/))
  const signal = AbortSignal.timeout(150)
  await assert.rejects(callHttp(port, {}, { io: { signal } }), isUncertain(/in time/))
  const silent = await listen(t)
  await assert.rejects(callHttp(silent.port, { timeout_ms: 150 }), isUncertain(/in time/))
})
