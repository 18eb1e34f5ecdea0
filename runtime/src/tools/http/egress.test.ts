import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotApplied } from '../../ports/capability.ts'
import { findAddressClass } from './address-class.ts'
import { allowPort, answerWith, callHttp, listen } from './outside.test-support.ts'

const isDenied = (error: unknown): boolean =>
  error instanceof NotApplied && error.details.code === 'EGRESS_DENIED' && !error.transient

/** Every way to say 127.0.0.1, or something else that nobody meant, as a host. */
const ODD_HOSTS = [
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.1',
  '127.0.0.01',
  '127.0.0.1.',
  '127.0.0.1.0x0',
  'localhost.',
  'LOCALHOST',
  'loc%61lhost',
  'a@127.0.0.1',
  'a:b@127.0.0.1',
  'example.com@127.0.0.1',
  '127.0.0.1\\@example.com',
  '127.0.0.1\\',
  '127.0.0.1#',
  '127.0.0.1?',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  'ｌocalhost',
  'exämple.com',
  '127。0。0。1',
  '[::ffff:127.0.0.1%lo]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]x',
  '[::1',
  '[127.0.0.1]',
  '::1',
  '',
  '.',
  '..',
  'a..b',
  '-a.example.com',
  'a_b.example.com',
  'exam ple.com',
  '127.0.0.1\t',
  '127.0.0.1\r\nx: y',
  '{/host}',
  'api.{/host}',
  '*.example.com',
  'x'.repeat(64),
  'file.0x',
  '1.2.3.4.5',
] as const

const ODD_URLS = [
  'file:///etc/passwd',
  'ftp://127.0.0.1:P/',
  'gopher://127.0.0.1:P/',
  'HTTP://127.0.0.1:P/',
  '//127.0.0.1:P/',
  'http:127.0.0.1:P/',
  'http:/127.0.0.1:P/',
  'http:\\\\127.0.0.1:P/',
  ' http://127.0.0.1:P/',
  'http://127.0.0.1:0P/',
  'http://127.0.0.1:P{/port}/',
  'http://127.0.0.1:+P/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:P/../admin',
  'http://127.0.0.1:P/%2e%2e/admin',
  'http://127.0.0.1:P/a//b',
  'http://127.0.0.1:P/a?b=c',
  'http://127.0.0.1:P/a#b',
  'http://127.0.0.1:P/a\\b',
  'http://127.0.0.1:P/a b',
  'http://127.0.0.1:P/{/a',
  'http://127.0.0.1:P/{a}',
  'data:application/json,{}',
  'javascript:0',
] as const

test('no odd spelling of an address is connected to, even where the list has it', async (t) => {
  const listener = await listen(t, answerWith(200, '{}'))
  const { port } = listener
  const urls = [
    ...ODD_HOSTS.map((host) => `http://${host}:${port}/`),
    ...ODD_URLS.map((url) => url.replace('P', String(port))),
  ]
  for (const url of urls) {
    const [, host = ''] = /^http:\/\/(.*):\d+\/$/.exec(url) ?? []
    for (const addresses of ['public', 'private', 'loopback'] as const) {
      const allowed = [allowPort(port, { host, addresses }), allowPort(port, { addresses })]
      await assert.rejects(callHttp(port, { url }, { options: { allowed } }), isDenied, url)
    }
  }
  assert.equal(listener.seen(), 0)
})

/** Address → what it is. Nobody can allow what is forbidden. */
const ADDRESSES = {
  public: [
    '93.184.216.34',
    '1.1.1.1',
    '2606:4700::1111',
    '172.32.0.1',
    '100.128.0.1',
    '9.255.255.255',
  ],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fc00::1',
    'fd12::1',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  forbidden: [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'fd00:ec2::254',
    'ff02::1',
    'localhost',
    '0177.0.0.1',
    '127.1',
    '',
  ],
} as const

test('every address has its class, and no other entry allows it', async (t) => {
  const listener = await listen(t, answerWith(200, '{}'))
  const { port } = listener
  for (const [is, addresses] of Object.entries(ADDRESSES)) {
    for (const address of addresses) {
      assert.equal(findAddressClass(address), is, address)
      for (const allowedClass of ['public', 'private', 'loopback'] as const) {
        if (allowedClass === is) continue
        const allowed = [allowPort(port, { host: 'api.example.com', addresses: allowedClass })]
        // A good address beside it makes it no better.
        const good = ADDRESSES[allowedClass][0]
        for (const found of [[address], [good, address], [address, good]]) {
          const options = { allowed, resolve: async () => found }
          const call = callHttp(port, { url: `http://api.example.com:${port}/` }, { options })
          await assert.rejects(call, isDenied, `${address} as ${allowedClass}`)
        }
      }
    }
  }
  assert.equal(listener.seen(), 0)
})

test('an address that stands in the URL itself is looked at like those of a name', async (t) => {
  const listener = await listen(t, answerWith(200, '{}'))
  const { port } = listener
  const hosts = ['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:a9fe:a9fe]', '[::ffff:7f00:1]']
  for (const host of hosts) {
    const allowed = [allowPort(port, { host, addresses: 'public' })]
    const call = callHttp(port, { url: `http://${host}:${port}/` }, { options: { allowed } })
    await assert.rejects(call, isDenied, host)
  }
  assert.equal(listener.seen(), 0)
})

test('what no entry names is not reached: by scheme, host, port and method', async (t) => {
  const listener = await listen(t, answerWith(200, '{}'))
  const { port } = listener
  const lists = [
    [],
    [allowPort(port, { scheme: 'https' })],
    [allowPort(port, { host: 'localhost' })],
    [allowPort(port, { host: '127.0.0.2' })],
    [allowPort(port + 1)],
    [allowPort(port, { methods: ['GET'] })],
  ]
  for (const allowed of lists) {
    await assert.rejects(callHttp(port, {}, { options: { allowed } }), isDenied)
  }
  assert.equal(listener.seen(), 0)
  await callHttp(port)
  assert.equal(listener.seen(), 1)
})

test('the address that was looked at is the one that is connected to, and it is asked for once', async (t) => {
  const meant = await listen(t, answerWith(200, '{"here": true}'), { host: '127.0.0.2' })
  // What everybody else's resolver says of the name, at the same port.
  const other = await listen(t, answerWith(200, '{}'), { port: meant.port })
  const answers = [['127.0.0.2'], ['127.0.0.1']]
  let asked = 0
  const resolve = async (): Promise<readonly string[]> => answers[asked++] ?? []
  const allowed = [allowPort(meant.port, { host: 'localhost' })]
  const { result } = await callHttp(
    meant.port,
    { url: `http://localhost:${meant.port}/` },
    { options: { allowed, resolve } },
  )
  assert.deepEqual(result, { here: true })
  assert.deepEqual([asked, meant.seen(), other.seen()], [1, 1, 0])
  assert.match(meant.heard(), new RegExp(`^host: localhost:${meant.port}\r$`, 'im'))
})

test('a redirect is an answer, and nobody goes there', async (t) => {
  const elsewhere = await listen(t, answerWith(200, '{}'))
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://127.0.0.1:${elsewhere.port}/`
    const { port } = await listen(t, answerWith(status, '', { location }))
    const allowed = [allowPort(port), allowPort(elsewhere.port)]
    await assert.rejects(callHttp(port, {}, { options: { allowed } }), (error: Error) => {
      assert.ok(!(error instanceof NotApplied))
      return error.message === `the provider answered ${status}`
    })
  }
  assert.equal(elsewhere.seen(), 0)
})

test('a proxy of the environment is not asked', async (t) => {
  const proxy = await listen(t, answerWith(200, '{}'))
  const { port } = await listen(t, answerWith(200, '{"direct": true}'))
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
  t.after(() => {
    for (const name of names) delete process.env[name]
  })
  const { result } = await callHttp(port)
  assert.deepEqual([result, proxy.seen()], [{ direct: true }, 0])
})
