/** The hash of a manifest says what is carried out, also later. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseManifest, type SignedIntent } from 'rubicon-kernel'
import { createIo } from '../tools/http/outside.test-support.ts'
import { toCapability } from './from-manifest.ts'

test('a manifest that somebody changes afterwards is not what is carried out', async () => {
  const http = { method: 'POST', url: 'https://pay.example/', applied: [200] }
  const parsed = parseManifest({
    manifest: 'rubicon/tool/1',
    kind: 'PAY',
    version: '1',
    summary: 'pays',
    params: { type: 'object', additionalProperties: false },
    effect: 'unsafe',
    reversible: true,
    risk: 'low',
    executor: { http },
  })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  const asked: unknown[] = []
  const capability = toCapability(parsed.value, {
    async execute(executor) {
      asked.push('http' in executor && executor.http.url)
      return { status: 200, result: null }
    },
  })
  const { executor } = parsed.value
  assert.ok('http' in executor)
  Object.assign(executor.http, { url: 'https://evil.example/' })
  await capability.execute({ params: {} } as unknown as SignedIntent, createIo())
  assert.deepEqual(asked, ['https://pay.example/'])
  const own = capability.manifest?.executor
  assert.ok(own !== undefined && 'http' in own)
  assert.throws(() => Object.assign(own.http, { url: 'https://evil.example/' }), TypeError)
})
