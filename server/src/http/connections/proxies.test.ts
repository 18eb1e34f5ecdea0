import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  NO_PROXIES,
  type Proxies,
  type ProxyOptions,
  parseProxies,
  resolveClientAddress,
} from './proxies.ts'

function proxies(options: ProxyOptions): Proxies {
  const made = parseProxies(options)
  assert.ok(made.ok)
  return made.value
}

test('finding 34a: a client writes the address that it is counted under', () => {
  const one = proxies({ hops: 1 })
  assert.equal(resolveClientAddress('127.0.0.1', '198.51.100.9, 192.0.2.1', one), '192.0.2.1')
  assert.equal(resolveClientAddress('::ffff:127.0.0.1', '192.0.2.1', one), '192.0.2.1')
  assert.equal(resolveClientAddress('::1', ' 192.0.2.1 ', one), '192.0.2.1')
  const two = proxies({ hops: 2 })
  assert.equal(resolveClientAddress('127.0.0.1', '9.9.9.9,192.0.2.1,10.0.0.7', two), '192.0.2.1')
  // Nobody says so, or somebody who is no proxy of ours.
  assert.equal(resolveClientAddress('127.0.0.1', '192.0.2.1', NO_PROXIES), '127.0.0.1')
  assert.equal(resolveClientAddress('127.0.0.1', '192.0.2.1', proxies({ hops: 0 })), '127.0.0.1')
  assert.equal(resolveClientAddress('203.0.113.5', '192.0.2.1', one), '203.0.113.5')
})

test('who did not come through all proxies is who the connection says', () => {
  const two = proxies({ hops: 2 })
  for (const header of [undefined, '', '192.0.2.1', 'unknown, 192.0.2.1', '1.2.3.4:5, 192.0.2.1'])
    assert.equal(resolveClientAddress('127.0.0.1', header, two), '127.0.0.1', String(header))
})

test('of IPv6 the network counts', () => {
  const one = proxies({ hops: 1 })
  assert.equal(resolveClientAddress('127.0.0.1', '2001:db8:1:2:3:4:5:6', one), '2001:db8:1:2')
  assert.equal(resolveClientAddress('2001:db8::7', undefined, NO_PROXIES), '2001:db8:0:0')
})

test('proxies elsewhere are named, by address or by network', () => {
  const named = proxies({ hops: 1, from: ['10.0.0.0/24', '192.168.7.7', 'fd00::/8'] })
  for (const peer of ['10.0.0.200', '::ffff:10.0.0.1', '192.168.7.7', 'fd12::1'])
    assert.equal(resolveClientAddress(peer, '192.0.2.1', named), '192.0.2.1', peer)
  for (const peer of ['10.0.1.1', '192.168.7.8', '127.0.0.1', 'fe80::1'])
    assert.notEqual(resolveClientAddress(peer, '192.0.2.1', named), '192.0.2.1', peer)
  for (const place of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'proxy',
    '::/129',
  ])
    assert.equal(parseProxies({ hops: 1, from: [place] }).ok, false, place)
  for (const hops of [-1, 17, 0.5, Number.NaN]) assert.equal(parseProxies({ hops }).ok, false)
})

test('the guide shows the configuration that is tried', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../../../docs/guides/${name}`, import.meta.url), 'utf8')
  assert.ok(read('deploying.md').includes(`\`\`\`nginx shown\n${read('nginx.conf')}\`\`\``))
})
