import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseUrl } from './url-problem.ts'

function findProblem(url: string): string | null {
  const parsed = parseUrl(url)
  return parsed.ok ? null : parsed.error
}

/** Labels of so many letters. */
function buildHost(...lengths: readonly number[]): string {
  return lengths.map((length) => 'a'.repeat(length)).join('.')
}

test('a host has up to 253 characters, in labels of up to 63', () => {
  for (const host of [buildHost(63, 63, 63, 61), buildHost(63), buildHost(1), 'a-b', '0a.b1'])
    assert.equal(findProblem(`https://${host}/`), null, host)
  for (const host of [buildHost(63, 63, 63, 62), buildHost(64), 'a-', 'a.-b', 'a.b-', 'a_b', ''])
    assert.match(String(findProblem(`https://${host}/`)), /has no host in lower-case/, host)
})

test('a host that ends in a number is an IPv4 address in four plain decimals', () => {
  for (const host of ['0.0.0.0', '255.255.255.255', '1.20.30.0'])
    assert.equal(findProblem(`http://${host}/`), null, host)
  for (const host of [
    '256.1.1.1',
    '1.1.1',
    '1.1.1.1.1',
    '1.1.1.00',
    '1.1.1.01',
    '1.1.1.1000',
    '1e1.1.1.1',
    'a.1',
  ])
    assert.match(String(findProblem(`http://${host}/`)), /ends in a number/, host)
  for (const host of ['1.1.1.0x1', 'a.0x', '0x'])
    assert.match(String(findProblem(`http://${host}/`)), /ends in a number/, host)
  for (const host of ['1.1.1.a', '1x.b', 'a.x1', 'a.1a'])
    assert.equal(findProblem(`http://${host}/`), null, host)
})

test('a port is a number from 1 to 65535 in plain digits', () => {
  for (const port of ['1', '9', '80', '65535'])
    assert.equal(findProblem(`http://a:${port}/`), null, port)
  for (const port of ['', '0', '01', '65536', '655350', '8a', '-1', '1:1', '9'.repeat(400)])
    assert.match(String(findProblem(`http://a:${port}/`)), /has no port/, port)
  assert.match(String(findProblem('http://:x/')), /has no port/)
  assert.match(String(findProblem('http://:80/')), /has no host/)
})

test('an IPv6 address stands in brackets, and nothing else does', () => {
  for (const host of ['[::]', '[::1]', '[::ffff:127.0.0.1]', '[::1]:80'])
    assert.equal(findProblem(`http://${host}/`), null, host)
  for (const host of ['[]', '[:]', '[::', '[::g]', '[g::1]', '[::1]a', '[::A]', '[fe80::1%25en0]'])
    assert.notEqual(findProblem(`http://${host}/`), null, host)
  for (const host of ['[::1]:', '[::1]:0', '[::1]:65536'])
    assert.match(String(findProblem(`http://${host}/`)), /has no port/, host)
})

test('the path may end anywhere but in dots, and tells which parameters stand in it', () => {
  const tell = (path: string): readonly string[] | string => {
    const parsed = parseUrl(`https://a${path}`)
    return parsed.ok ? parsed.value : parsed.error
  }
  for (const path of ['', '/', '/b', '/b/', '/.b', '/b..', '/b/c.d~'])
    assert.deepEqual(tell(path), [])
  assert.deepEqual(tell('/{/x}/b/{/y}.json'), ['/x', '/y'])
  assert.deepEqual(tell('/.{/x}'), ['/x'])
  assert.deepEqual(tell('/{/x}'), ['/x'])
  for (const path of ['/.', '/..', '/...', '/b/..', '/../b', '/{/x}/./b'])
    assert.match(String(tell(path)), /dots alone/, path)
  for (const path of ['/{', '/{x}', '/}', '/b/{/x/*}'])
    assert.match(String(tell(path)), /has a `[{}]` that/, path)
  for (const path of ['//', '//b', '/b//c', '/{/x}//b'])
    assert.match(String(tell(path)), /empty path segment/, path)
  for (const path of ['/a b', '/a%20', '/a?b', '/{/x}#'])
    assert.match(String(tell(path)), /cannot stand in a path/, path)
})

test('what has no scheme of the two, or says who asks, is no address of a tool', () => {
  for (const url of ['', 'https:/a', 'ftp://a', ' https://a', 'https//a'])
    assert.match(String(findProblem(url)), /must begin with/, url)
  assert.match(String(findProblem('https://u@a/')), /user info/)
  assert.match(String(findProblem('https://{/x}/')), /parameter in its host/)
})
