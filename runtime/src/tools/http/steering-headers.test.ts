/** Headers by which servers, and what stands before them, take a request for another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotApplied } from '../../ports/capability.ts'
import { answerWith, callHttp, listen } from './outside.test-support.ts'

const STEERING = [
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
  'X-HTTP-Host-Override',
  'X-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Host',
  'X-Forwarded-For',
  'Forwarded',
  'X-Real-IP',
]

test('a header that steers servers past what the operator allowed is not sent', async (t) => {
  const { port, seen, heard } = await listen(t, answerWith(200, '{}'))
  for (const name of STEERING) {
    const isRefused = (error: unknown): boolean =>
      error instanceof NotApplied && error.details.code === 'TEMPLATE_UNFILLED'
    await assert.rejects(callHttp(port, { headers: { [name]: 'DELETE' } }), isRefused, name)
    await assert.rejects(callHttp(port, { idempotency_header: name }), isRefused, name)
  }
  assert.equal(seen(), 0)
  await callHttp(port, { headers: { 'X-Shop': 'tea' } })
  assert.match(heard(), /x-shop: tea/i)
})
