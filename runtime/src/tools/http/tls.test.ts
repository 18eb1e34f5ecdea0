import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { NotApplied } from '../../ports/capability.ts'
import type { ManifestAnswer } from '../hands.ts'
import { allowPort, answerWith, callHttp, listen } from './outside.test-support.ts'
import { createSelfSigned, type SelfSigned } from './self-signed.test-support.ts'

const HOST = 'api.example.com'

type Provider = { readonly port: number; readonly seen: readonly string[] }

async function serve(t: TestContext, certificate: SelfSigned): Promise<Provider> {
  const seen: string[] = []
  const server: Server = createServer(certificate, (request, response) => {
    const { servername } = request.socket as { servername?: string }
    seen.push(`${servername} ${request.headers.host} ${request.headers['x-key']}`)
    response.end('{"secure": true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, seen }
}

function ask(port: number, certificates: readonly string[] | null): Promise<ManifestAnswer> {
  const grant = {
    source: { read: async () => 'a secret of its own' },
    tools: ['acme.pay'],
    hosts: [`${HOST}:${port}`],
    commands: [],
  }
  return callHttp(
    port,
    { url: `https://${HOST}:${port}/`, headers: { 'x-key': { secret: 'KEY' } } },
    {
      options: {
        allowed: [allowPort(port, { scheme: 'https', host: HOST })],
        secrets: new Map([['KEY', grant]]),
        resolve: async () => ['127.0.0.1'],
        ...(certificates === null ? {} : { connection: { certificates } }),
      },
    },
  )
}

test('the certificate is held against the name, at the address that was looked at', async (t) => {
  const certificate = createSelfSigned(HOST)
  const { port, seen } = await serve(t, certificate)
  assert.deepEqual((await ask(port, [certificate.cert])).result, { secure: true })
  assert.deepEqual(seen, [`${HOST} ${HOST}:${port} a secret of its own`])
})

test('a certificate of another name, or of nobody, gets no byte of the request', async (t) => {
  const other = createSelfSigned('other.example.com')
  const own = createSelfSigned(HOST)
  const [wrongName, untrusted] = [await serve(t, other), await serve(t, own)]
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  const isFinal = (error: unknown): boolean => error instanceof NotApplied && !error.transient
  await assert.rejects(ask(wrongName.port, [other.cert]), isFinal)
  await assert.rejects(ask(untrusted.port, null), isFinal)
  assert.deepEqual([wrongName.seen, untrusted.seen], [[], []])
  const plain = await listen(t, answerWith(200, '{}'))
  await assert.rejects(ask(plain.port, null), (error) => error instanceof NotApplied)
  assert.ok(!plain.heard().includes('secret'))
})
