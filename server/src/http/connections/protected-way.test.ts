import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProtectedWay } from './protected-way.ts'
import { parseProxies } from './proxies.ts'

const proxies = parseProxies({ hops: 1, from: ['10.0.0.0/8'] })
assert.ok(proxies.ok)
const behind = { proxies: proxies.value, publicUrl: new URL('https://rubicon.example') }

test('what stays on this machine is protected, however it writes its address', () => {
  for (const peer of [
    null,
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    '::FFFF:127.0.0.1',
  ])
    assert.equal(isProtectedWay(peer, {}), true, String(peer))
})

test('a token of an MCP client is taken from another machine in clear text', () => {
  for (const peer of ['192.168.1.7', '::ffff:192.168.1.7', '2001:db8::1', 'localhost', ''])
    assert.equal(isProtectedWay(peer, {}), false, peer)
  // Past the proxy, whatever it says of itself.
  assert.equal(isProtectedWay('192.168.1.7', behind), false)
})

test('a proxy that was named counts where people reach it with TLS', () => {
  assert.equal(isProtectedWay('10.1.2.3', behind), true)
  assert.equal(isProtectedWay('10.1.2.3', { proxies: proxies.value }), false)
  const clear = { ...behind, publicUrl: new URL('http://localhost') }
  assert.equal(isProtectedWay('10.1.2.3', clear), false)
})
