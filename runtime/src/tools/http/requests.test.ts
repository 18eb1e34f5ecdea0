import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotApplied } from '../../ports/capability.ts'
import { answerWith, callHttp, listen } from './outside.test-support.ts'

test('a request is what the manifest says, on one connection of its own', async (t) => {
  const { port, heard, seen } = await listen(t, answerWith(200, '{}'))
  await callHttp(
    port,
    {
      method: 'PUT',
      url: `http://127.0.0.1:${port}/v1/orders/{/order}/lines:{/line}`,
      query: { note: { param: '/note' }, version: { const: 2 } },
      headers: { 'x-tenant': 'acme' },
      idempotency_header: 'Idempotency-Key',
      body: { amount: { $: { param: '/amount' } }, lines: [{ $: { param: '/line' } }, 'x'] },
    },
    { params: { order: 'o 1?#;=é', line: 7, note: 'a&b=c\r\nx: y', amount: '20.00' } },
  )
  const body = '{"amount":"20.00","lines":[7,"x"]}'
  assert.deepEqual(heard().split('\r\n'), [
    'PUT /v1/orders/o%201%3F%23%3B%3D%C3%A9/lines:7?note=a%26b%3Dc%0D%0Ax%3A%20y&version=2 HTTP/1.1',
    'x-tenant: acme',
    'Idempotency-Key: key-1',
    `host: 127.0.0.1:${port}`,
    'accept: application/json',
    'accept-encoding: identity',
    'connection: close',
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ])
  await callHttp(port)
  assert.equal(seen(), 2, 'no connection is used twice')
})

const isUnfilled = (error: unknown): boolean =>
  error instanceof NotApplied && error.details.code === 'TEMPLATE_UNFILLED' && !error.transient

test('a parameter in the path stays in its segment, or nothing is sent', async (t) => {
  const { port, seen } = await listen(t, answerWith(200, '{}'))
  const url = `http://127.0.0.1:${port}/orders/{/id}/refund`
  const ids = [
    '.',
    '..',
    '...',
    '',
    '../admin',
    'a/b',
    'a\\b',
    '%2e%2e',
    'a%2fb',
    '%252e',
    'a\r\nhost: b',
    'a\nb',
    'a\0b',
    'a\u007f',
    'a\u0085b',
    '\ud800',
    null,
    true,
    ['a'],
    { a: 1 },
  ]
  for (const id of ids)
    await assert.rejects(callHttp(port, { url }, { params: { id } }), isUnfilled, String(id))
  await assert.rejects(callHttp(port, { url }, { params: {} }), isUnfilled)
  const halves = { url: `http://127.0.0.1:${port}/{/a}{/b}` }
  await assert.rejects(callHttp(port, halves, { params: { a: '.', b: '.' } }), isUnfilled)
  const dots = { url: `http://127.0.0.1:${port}/.{/a}` }
  await assert.rejects(callHttp(port, dots, { params: { a: '.' } }), isUnfilled)
  assert.equal(seen(), 0)
})

test('no header says where a request ends or goes, and none holds a line end', async (t) => {
  const { port, seen } = await listen(t, answerWith(200, '{}'))
  const headers = [
    { Host: 'example.com' },
    { 'Content-Length': '0' },
    { 'transfer-encoding': 'chunked' },
    { connection: 'keep-alive' },
    { 'Proxy-Authorization': 'x' },
    { 'accept-encoding': 'gzip' },
    { 'x y': 'a' },
    { 'x\r\ny': 'a' },
    { '': 'a' },
    { 'x-a': 'a\r\nb: c' },
    { 'x-a': 'a\nb' },
    { 'x-a': 'é' },
    { 'x-a': 'a', 'X-A': 'b' },
  ]
  for (const each of headers)
    await assert.rejects(callHttp(port, { headers: each }), isUnfilled, JSON.stringify(each))
  const carrier = { idempotency_header: 'idempotency-key' }
  const io = { idempotencyKey: 'a\r\nx-admin: true' }
  await assert.rejects(callHttp(port, carrier, { io }), isUnfilled)
  assert.equal(seen(), 0)
})

test('a query without its parameter, and a GET with a body, are not sent', async (t) => {
  const { port, seen } = await listen(t, answerWith(200, '{}'))
  await assert.rejects(callHttp(port, { query: { a: { param: '/a' } } }), isUnfilled)
  await assert.rejects(callHttp(port, { body: { a: { $: { param: '/a' } } } }), isUnfilled)
  await assert.rejects(callHttp(port, { method: 'GET', body: {} }), isUnfilled)
  assert.equal(seen(), 0)
})

test('a version that the caller has seen goes out as If-Match, or nothing does', async (t) => {
  const { port, heard, seen } = await listen(t, answerWith(200, '{}'))
  const executor = { method: 'PUT', if_match: { param: '/version' }, body: {} } as const
  const put = (version: string | number | null): Promise<unknown> =>
    callHttp(port, executor, { params: version === null ? {} : { version } })
  await put('"33a64"')
  await put('33a64')
  await put(7)
  const sent = heard()
    .split('\r\n')
    .filter((line) => line.startsWith('if-match'))
  assert.deepEqual(sent, ['if-match: "33a64"', 'if-match: "33a64"', 'if-match: "7"'])
  for (const version of [null, '', '"', '""', '"a', 'W/"a"', 'a, b', '"a", "b"', 'a\r\nx: y', 'é'])
    await assert.rejects(put(version), isUnfilled, String(version))
  assert.equal(seen(), 3)
})
