/** The server behind a real nginx, with the configuration of the guide. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { served } from '../served.test-support.ts'
import { parseProxies } from './proxies.ts'

const isThere = (program: string, word: string): boolean => spawnSync(program, [word]).status === 0
const hasBoth = isThere('nginx', '-v') && isThere('openssl', 'version')
const skip = !hasBoth && 'nginx or openssl is not installed'
const NAME = 'rubicon.example.com'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/**
 * The file of the guide, with another port, name of the certificate and upstream; else word for word. Beside it,
 * on a port of its own, the same with the words for a proxy behind another: it keeps what clients wrote.
 */
function configuration(folder: string, [port, kept]: Ports, upstream: number): string {
  const guide = readFileSync(new URL('../../../../docs/guides/nginx.conf', import.meta.url), 'utf8')
  const changes: readonly (readonly [string, string])[] = [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/rubicon.pem', join(folder, 'rubicon.pem')],
    ['/etc/ssl/rubicon.key', join(folder, 'rubicon.key')],
    ['127.0.0.1:7420', `127.0.0.1:${upstream}`],
  ]
  const site = changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from)
    return text.replace(from, to)
  }, guide)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
  const beside = site
    .slice(site.indexOf('server {'))
    .replace(`:${port} ssl`, `:${kept} ssl`)
    .replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for')
  const http = ['access_log off;', ...temporary, site, beside].join('\n')
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp {\n${http}\n}\n`
}

/** Of the configuration of the guide, and of the one that keeps what clients wrote. */
type Ports = readonly [port: number, kept: number]

function makeCertificate(folder: string): void {
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`]
  const files = ['-keyout', join(folder, 'rubicon.key'), '-out', join(folder, 'rubicon.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const made = spawnSync('openssl', ['req', '-x509', '-days', '2', ...key, ...files, ...subject])
  assert.equal(made.status, 0, String(made.stderr))
}

async function startNginx(t: TestContext, folder: string, port: number): Promise<ChildProcess> {
  const file = join(folder, 'nginx.conf')
  const nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  nginx.stderr.on('data', (text) => {
    said += text
  })
  t.after(async () => {
    if (nginx.exitCode !== null) return
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
  })
  for (let attempt = 0; attempt < 200; attempt++) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    const there = await visit(port, { ca: certificateOf(folder) }).catch(() => null)
    if (there !== null) return nginx
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`nginx does not answer: ${said}`)
}

function certificateOf(folder: string): string {
  return readFileSync(join(folder, 'rubicon.pem'), 'utf8')
}

type Visit = {
  readonly ca: string
  readonly from?: string
  readonly path?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string | string[]>>
}

type Heard = { readonly status: number; readonly code: string | null }

function visit(port: number, { ca, from = '127.0.0.1', path = '/healthz', ...more }: Visit) {
  const { body, headers = {} } = more
  return new Promise<Heard>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: NAME,
        port,
        path,
        ca,
        localAddress: from,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: NAME, 'content-type': 'application/json', ...headers },
        agent: false,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('end', () => {
          const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? null
          resolve({ status: response.statusCode ?? 0, code })
        })
      },
    )
    sent.on('error', reject).end(body === undefined ? '' : JSON.stringify(body))
  })
}

const REFUSED = { status: 401, code: 'TOKEN_INVALID' }
const LIMITED = { status: 429, code: 'RATE_LIMITED' }

test('finding 34a: behind the proxy of the guide a client writes its own address', {
  skip,
}, async (t) => {
  const proxies = parseProxies({ hops: 1 })
  assert.ok(proxies.ok)
  const { server } = await served(t, {
    parts: {
      proxies: proxies.value,
      publicUrl: new URL(`https://${NAME}`),
      strangers: { perSecond: 0, atOnce: 5 },
      connectionsEach: 1,
    },
  })
  const folder = temporaryFolder()
  const ports = [await freePort(), await freePort()] as const
  makeCertificate(folder)
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, ports, server.port))
  await startNginx(t, folder, ports[0])
  const ca = certificateOf(folder)
  for (const [i, port] of ports.entries()) {
    const guess = (last: number, headers = {}): Promise<Heard> => {
      const body = { token: 'x'.repeat(40) }
      return visit(port, { ca, from: `127.0.${i}.${last}`, path: '/v1/session', body, headers })
    }
    for (let one = 0; one < 5; one++)
      assert.deepEqual(await guess(2, { 'x-forwarded-for': `198.51.100.${one}` }), REFUSED)
    const forgeries: readonly Visit['headers'][] = [
      {},
      { 'x-forwarded-for': '198.51.100.77' },
      { 'x-forwarded-for': ['198.51.100.78', `127.0.${i}.3`] },
      { 'x-forwarded-for': `127.0.${i}.3`, 'x-real-ip': `127.0.${i}.3` },
      { forwarded: `for=127.0.${i}.3` },
    ]
    for (const headers of forgeries) assert.deepEqual(await guess(2, headers), LIMITED)
    // Somebody else is not kept from signing in, and has a limit of their own.
    for (let one = 0; one < 5; one++) assert.deepEqual(await guess(3), REFUSED)
    assert.deepEqual(await guess(3), LIMITED)
    // The proxy is no stranger with one connection.
    assert.deepEqual(await Promise.all([4, 5].map((last) => guess(last))), [REFUSED, REFUSED])
  }
})
