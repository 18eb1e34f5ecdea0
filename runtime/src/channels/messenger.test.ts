/** Messages to real servers on this machine, and to places that no message may reach. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { ChannelMessage, ChannelPlace, Messenger } from '../ports/channel.ts'
import type { Notice } from '../ports/notifier.ts'
import { createSelfSigned } from '../tools/http/self-signed.test-support.ts'
import { type ChannelRules, parseChannelRules } from './channel-rules.ts'
import { listenForMail } from './mail-server.test-support.ts'
import { createMessenger, type MessengerOptions } from './messenger.ts'

const NOTICE: Notice = {
  id: 'escalation:0199',
  kind: 'escalation',
  agent_id: 'refunds_bot',
  dfid: '0199-1',
  reason_code: 'AUTHORITY_CEILING',
  channel: 'operator',
  at: '2026-06-01T12:00:00.000Z',
  details: { request: '0199', impact: 'HIGH_IMPACT' },
}
const MESSAGE: ChannelMessage = {
  channel: { name: 'ops' },
  tenant: 'acme',
  notices: [NOTICE],
  at: '2026-06-01T12:00:01.900Z',
}

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly url: string }

async function listen(
  t: TestContext,
  answer: (response: ServerResponse) => void = (response) => void response.end('ok'),
): Promise<{ readonly port: number; readonly heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    let body = ''
    for await (const part of request) body += String(part)
    heard.push({ headers: request.headers, body, url: request.url ?? '' })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { port: address.port, heard }
}

function rulesOf(document: JsonObject): ChannelRules {
  const rules = parseChannelRules(document)
  assert.ok(rules.ok, JSON.stringify(rules))
  return rules.value
}

const allow = (port: number): JsonObject => ({ host: '127.0.0.1', port, addresses: 'loopback' })

function messenger(
  t: TestContext,
  port: number,
  {
    secrets = {},
    ...options
  }: Partial<MessengerOptions> & { secrets?: Record<string, string> } = {},
): Messenger {
  for (const [name, value] of Object.entries(secrets)) {
    process.env[`RUBICON_SECRET_${name}`] = value
    t.after(() => delete process.env[`RUBICON_SECRET_${name}`])
  }
  const named = Object.keys(secrets).map((name) => [
    name,
    { from: 'environment', hosts: [`127.0.0.1:${port}`] },
  ])
  const rules = rulesOf({ allow: [allow(port)], secrets: Object.fromEntries(named) })
  return createMessenger({ rules, consoleUrl: 'https://rubicon.example.com', ...options })
}

function send(to: Messenger, place: ChannelPlace, message = MESSAGE): Promise<string> {
  return to.deliver(place, message, new AbortController().signal)
}

function mailTo(port: number, more: object = {}): ChannelPlace {
  const people = { from: 'rubicon@example.com', to: ['ops@example.com'] }
  return { kind: 'mail', host: '127.0.0.1', port, security: 'none', ...people, ...more }
}

test('a webhook gets all notices in one body, signed over id, time and body', async (t) => {
  const { port, heard } = await listen(t)
  const secret = 'shared between us'
  const to = messenger(t, port, { secrets: { HOOK: secret } })
  const url = `http://127.0.0.1:${port}/hook?a=b`
  const said = await send(to, { kind: 'webhook', url, signing: { secret: 'HOOK' } })
  assert.equal(said, 'answered 200: ok')
  const [{ headers, body, url: path } = assert.fail()] = heard
  assert.equal(path, '/hook?a=b')
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers
  assert.equal(seconds, '1780315201')
  const digest = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  assert.equal(signature, `v1,${digest}`)
  const parsed = JSON.parse(body)
  assert.deepEqual([parsed.tenant, parsed.channel, parsed.test], ['acme', 'ops', false])
  assert.deepEqual(parsed.notices, [NOTICE])
  // The same notices are the same message, whenever it is sent.
  await send(to, { kind: 'webhook', url }, { ...MESSAGE, at: '2026-06-01T13:00:00.000Z' })
  assert.equal(heard[1]?.headers['webhook-id'], id)
})

test('Slack gets blocks of plain text, and markup nowhere', async (t) => {
  const { port, heard } = await listen(t)
  const place = { kind: 'slack', url: `http://127.0.0.1:${port}/services/T/B` } as const
  const odd: Notice = {
    ...NOTICE,
    agent_id: '<!channel> <https://evil.example|click>',
    details: { request: '0199', 'a*b*': '`x`', note: '@here\r\nInjected: yes' },
  }
  const at = messenger(t, port)
  await send(at, place, { ...MESSAGE, notices: [NOTICE, odd] })
  const [{ body } = assert.fail()] = heard
  const { text, blocks } = JSON.parse(body)
  assert.match(
    text,
    /^Rubicon acme: 2 notices\nwarning: a request waits for approval: agent `refunds_bot`/,
  )
  assert.match(text, /https:\/\/rubicon\.example\.com\/inbox\/0199/)
  for (const word of ['<', '>', 'evil', '@here', 'Injected'])
    assert.ok(!body.includes(word), `${word} in ${body}`)
  assert.deepEqual(
    [...new Set(blocks.map((one: JsonObject) => (one.text as JsonObject).type))],
    ['plain_text'],
  )
})

test('a storm is one message that says how many there are', async (t) => {
  const { port, heard } = await listen(t)
  const place = { kind: 'slack', url: `http://127.0.0.1:${port}/s` } as const
  const notices = Array.from({ length: 1_000 }, (_, i) => ({ ...NOTICE, id: `n:${i}` }))
  await send(messenger(t, port), place, { ...MESSAGE, notices })
  const { text, blocks } = JSON.parse(heard[0]?.body ?? '')
  assert.match(text, /^Rubicon acme: 1000 or more notices/)
  assert.match(text, /and 980 more, in the console$/)
  assert.equal(blocks.length, 22)
})

test('mail is one plain text with headers of ours, whatever stands in the notice', async (t) => {
  const { port, lines } = await listenForMail(t)
  const odd = { ...NOTICE, reason_code: 'X\r\nBcc: eve@example.com', agent_id: 'a\r\n.\r\nMAIL' }
  const said = await send(messenger(t, port), mailTo(port), { ...MESSAGE, notices: [odd] })
  assert.equal(said, '250 2.0.0 queued as 4711')
  const headers = lines.slice(lines.indexOf('DATA') + 1, lines.indexOf(''))
  assert.ok(
    headers.includes('Subject: Rubicon acme: a request waits for approval'),
    String(headers),
  )
  assert.ok(headers.includes('Auto-Submitted: auto-generated'))
  assert.ok(!lines.some((line) => /bcc|eve@/i.test(line)), lines.join('\n'))
  assert.equal(lines.filter((line) => line.startsWith('MAIL FROM')).length, 1)
  assert.equal(lines.filter((line) => line.startsWith('RCPT TO')).length, 1)
})

test('a password is sent after STARTTLS only, and not to a server without it', async (t) => {
  const plain = await listenForMail(t)
  const secrets = { SMTP: 'mail-password-4711' }
  const place = mailTo(plain.port, {
    security: 'starttls',
    user: 'rubicon',
    password: { secret: 'SMTP' },
  })
  await assert.rejects(send(messenger(t, plain.port, { secrets }), place), /answered: 502/)
  assert.ok(!plain.lines.some((line) => line.startsWith('AUTH')), plain.lines.join('\n'))

  const tls = createSelfSigned('mail.example.com')
  const secure = await listenForMail(t, { tls })
  const host = 'mail.example.com'
  process.env.RUBICON_SECRET_SMTP = secrets.SMTP
  const rules = rulesOf({
    allow: [{ host, port: secure.port, addresses: 'loopback' }],
    secrets: { SMTP: { from: 'environment', hosts: [`${host}:${secure.port}`] } },
  })
  const options = { rules, consoleUrl: null, resolve: async () => ['127.0.0.1'] }
  const trusting = { ...options, connection: { certificates: [tls.cert] } }
  const to = { ...place, host, port: secure.port } as ChannelPlace
  await assert.rejects(send(createMessenger(options), to), /SELF_SIGNED|certificate|could not/)
  assert.ok(!secure.lines.some((line) => line.startsWith('AUTH')))
  assert.match(await send(createMessenger(trusting), to), /^250/)
  const upgraded = secure.lines.indexOf('STARTTLS')
  const signedIn = secure.lines.findIndex((line) => line.startsWith('AUTH PLAIN'))
  assert.ok(upgraded >= 0 && signedIn > upgraded, secure.lines.join('\n'))
})

test('mail is encrypted from the first byte unless somebody says otherwise, and held against the name', async (t) => {
  const host = 'mail.example.com'
  const tls = createSelfSigned(host)
  const { port, lines } = await listenForMail(t, { tls, isSecure: true })
  const rules = (name: string): ChannelRules =>
    rulesOf({ allow: [{ host: name, port, addresses: 'loopback' }] })
  const trusting = {
    consoleUrl: null,
    resolve: async () => ['127.0.0.1'],
    connection: { certificates: [tls.cert] },
  }
  const place = mailTo(port, { host, security: 'tls' })
  const to = createMessenger({ ...trusting, rules: rules(host) })
  assert.match(await send(to, place), /^250/)
  const heard = lines.length
  const other = createMessenger({ ...trusting, rules: rules('other.example.com') })
  const elsewhere = mailTo(port, { host: 'other.example.com', security: 'tls' })
  await assert.rejects(send(other, elsewhere), /ETLS|ERR_TLS|could not be sent/)
  assert.equal(lines.length, heard)
})

test('no answer repeats a secret, and neither does an error', async (t) => {
  const secret = 'T024/B031/verysecretpath'
  const { port } = await listen(t, (response) => {
    response.statusCode = 403
    response.end(`no such hook /${secret} and ${encodeURIComponent(secret)}`)
  })
  const to = messenger(t, port, { secrets: { URL: `http://127.0.0.1:${port}/${secret}` } })
  const error = await send(to, { kind: 'slack', url: { secret: 'URL' } }).catch(String)
  assert.match(error, /answered 403/)
  assert.ok(!error.includes('verysecretpath'), error)
  const mail = await listenForMail(t, { verdict: '550 no: mail-password-4711 is wrong' })
  const by = messenger(t, mail.port, { secrets: { SMTP: 'mail-password-4711' } })
  const place = mailTo(mail.port, { user: 'rubicon', password: { secret: 'SMTP' } })
  const said = await send(by, place).catch(String)
  assert.match(said, /550 no/)
  assert.ok(!said.includes('4711'), said)
})

test('a secret in which the reading of an answer ends is not told in part', async (t) => {
  const secret = 'T024/B031/verysecretpath'
  const words = 'answered: '
  for (const read of [2_048, 16_384]) {
    const gap = ' '.repeat(read - words.length - secret.length + 3)
    const { port } = await listen(t, (response) => {
      response.statusCode = 403
      response.end(`${words}${gap}${secret}`)
    })
    const to = messenger(t, port, { secrets: { URL: `http://127.0.0.1:${port}/${secret}` } })
    const error = await send(to, { kind: 'slack', url: { secret: 'URL' } }).catch(String)
    assert.match(error, /answered 403: answered/)
    assert.ok(!error.includes('T024'), error)
  }
})

test('a secret goes to the hosts that the machine names for it, and nowhere else', async (t) => {
  const [mine, eve] = [await listen(t), await listen(t)]
  process.env.RUBICON_SECRET_ONLY = 'the secret of my host'
  t.after(() => delete process.env.RUBICON_SECRET_ONLY)
  const rules = rulesOf({
    allow: [allow(mine.port), allow(eve.port)],
    secrets: { ONLY: { from: 'environment', hosts: [`127.0.0.1:${mine.port}`] } },
  })
  const to = createMessenger({ rules, consoleUrl: null })
  const url = `http://127.0.0.1:${eve.port}/`
  await assert.rejects(
    send(to, { kind: 'webhook', url, signing: { secret: 'ONLY' } }),
    /not for `127\.0\.0\.1/,
  )
  const unknown = { kind: 'slack', url: { secret: 'PATH' } } as const
  assert.match(to.findProblem(unknown) ?? '', /not in the channels file/)
  assert.equal(eve.heard.length, 0)
})

test('what lies inside is reached where the machine says so, and metadata never', async (t) => {
  const { port, heard } = await listen(t)
  const to = createMessenger({ rules: rulesOf({}), consoleUrl: null })
  for (const host of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0x7f.1',
    '100.100.100.200',
  ])
    for (const url of [`https://${host}:${port}/`, `http://${host}:${port}/`])
      assert.notEqual(to.findProblem({ kind: 'webhook', url }), null, url)
  for (const host of ['169.254.169.254', '10.1.2.3', 'localhost'])
    assert.notEqual(to.findProblem(mailTo(25, { host, security: 'tls' })), null, host)
  const odd = parseChannelRules({
    allow: [{ host: '169.254.169.254', port: 80, addresses: 'link-local' }],
  })
  assert.equal(odd.ok, false)
  const named = rulesOf({ allow: [{ host: '169.254.169.254', port: 80, addresses: 'private' }] })
  const url = 'http://169.254.169.254/'
  assert.notEqual(
    createMessenger({ rules: named, consoleUrl: null }).findProblem({ kind: 'webhook', url }),
    null,
  )
  assert.equal(heard.length, 0)
})

test('a name that leads inside is refused when it is asked for, whoever it belongs to', async () => {
  const resolve = (address: string) => async () => ['93.184.216.34', address]
  for (const address of ['169.254.169.254', '10.0.0.7', '127.0.0.1', '::1', 'fd00:ec2::254']) {
    const to = createMessenger({ rules: rulesOf({}), consoleUrl: null, resolve: resolve(address) })
    const url = 'https://hooks.example.com/x'
    assert.equal(to.findProblem({ kind: 'webhook', url }), null)
    await assert.rejects(send(to, { kind: 'webhook', url }), /hooks\.example\.com` is/, address)
    await assert.rejects(
      send(to, mailTo(465, { host: 'mail.example.com', security: 'tls' })),
      /mail\.example\.com` is/,
      address,
    )
  }
})

test('a redirect is an answer that is not followed, and a long answer is read no further', async (t) => {
  const inside = await listen(t)
  const moved = await listen(t, (response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/latest/meta-data` }).end()
  })
  const webhook = (port: number): ChannelPlace => {
    return { kind: 'webhook', url: `http://127.0.0.1:${port}/` }
  }
  await assert.rejects(send(messenger(t, moved.port), webhook(moved.port)), /redirects are not/)
  assert.equal(inside.heard.length, 0)
  const endless = await listen(t, (response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(65_536, 'x')
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const said = await send(messenger(t, endless.port), webhook(endless.port))
  assert.ok(said.length <= 320, String(said.length))
})

test('who never answers is given up when the signal says so', async (t) => {
  const { port } = await listen(t, () => {})
  const mail = await listenForMail(t, { isSilent: true })
  for (const [at, place] of [
    [port, { kind: 'webhook', url: `http://127.0.0.1:${port}/` }],
    [mail.port, mailTo(mail.port)],
  ] as const) {
    const controller = new AbortController()
    const sent = messenger(t, at).deliver(place, MESSAGE, controller.signal)
    setImmediate(() => controller.abort())
    await assert.rejects(sent, { name: 'NotDelivered' })
  }
})

test('what cannot be meant is refused before anything is sent', (t) => {
  const to = messenger(t, 8025)
  const refused = (place: ChannelPlace, why: RegExp): void => {
    assert.match(to.findProblem(place) ?? 'no problem', why)
  }
  refused({ kind: 'webhook', url: 'http://example.com/' }, /needs https/)
  refused({ kind: 'webhook', url: 'https://me:pw@example.com/' }, /password/)
  refused({ kind: 'webhook', url: 'ftp://example.com/' }, /https/)
  for (const kind of ['slack', 'webhook'] as const)
    for (const host of ['hooks.slack.com', 'hooks.slack-gov.com'])
      refused({ kind, url: `https://${host}/services/T/B/x` }, /use a secret/)
  refused(mailTo(25, { host: 'mail.example.com' }), /tls/)
  for (const odd of ['a@b@c', 'a b@c.de', 'a@c.de\r\nBcc: x@y.z', 'Eve <e@v.e>', '']) {
    refused(mailTo(8025, { to: [odd] }), /no plain mail address/)
    refused(mailTo(8025, { from: odd }), /no plain mail address/)
  }
  refused(mailTo(8025, { to: [] }), /no addressee/)
  refused(mailTo(8025, { user: 'me' }), /password/)
  assert.equal(to.findProblem(mailTo(8025)), null)
})
