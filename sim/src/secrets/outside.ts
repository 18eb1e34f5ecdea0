/**
 * What the runtime speaks with, on loopback: three providers of models, a provider behind a tool, a receiver of
 * notices, an OpenID provider. They answer as they are asked to in the name of a model or in a path, and mostly badly:
 * whatever they were sent they say again, in every coding in which servers quote headers.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net'
import { createTellingMail } from './telling-mail.ts'

/** How it answers. `hang`: not at all. */
export const OUTSIDE_CASES = [
  'ok',
  'said',
  'denied',
  'limited',
  'broken',
  'nonsense',
  'page',
  'moved',
  'cut',
  'long',
] as const

export type OutsideCase = (typeof OUTSIDE_CASES)[number] | 'hang'

export type LeakyOutside = {
  readonly url: string
  readonly port: number
  /** Where nobody listens. */
  readonly closedUrl: string
  /** A Postgres that asks for the password, and says it again when it refuses. */
  readonly postgresPort: number
  /** A mail server that does the same. */
  readonly mailPort: number
  /** How many requests carried this. */
  countHeard(value: string): number
  /** How many wait for an answer that never comes. */
  countHanging(): number
  close(): Promise<void>
}

export async function startLeakyOutside(): Promise<LeakyOutside> {
  const heard: string[] = []
  let hanging = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      heard.push(`${request.url} ${JSON.stringify(request.headers)} ${decodeForm(body)}`)
      if (answer(request, body, response) === 'hang') hanging += 1
    })
  })
  const port = await listen(server)
  const postgres = createTellingPostgres((said) => heard.push(said))
  const postgresPort = await listen(postgres)
  const mail = createTellingMail((said) => heard.push(said))
  const mailPort = await listen(mail)
  const closedUrl = `http://127.0.0.1:${await findClosedPort()}`
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    closedUrl,
    postgresPort,
    mailPort,
    countHanging: () => hanging,
    countHeard(value) {
      const quoted = JSON.stringify(value).slice(1, -1)
      return heard.filter((one) => one.includes(quoted) || one.includes(value)).length
    },
    async close() {
      server.closeAllConnections()
      await Promise.all([server, postgres, mail].map(closeServer))
    },
  }
}

/** A client secret comes in a form. */
function decodeForm(body: string): string {
  return [...new URLSearchParams(body).values()].join(' ')
}

function closeServer(server: Server): Promise<unknown> {
  return new Promise((resolve) => {
    server.close(resolve)
  })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

async function findClosedPort(): Promise<number> {
  const server = createRawServer()
  const port = await listen(server)
  await closeServer(server)
  return port
}

const ASK_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

/** It speaks as much of the protocol as it takes to be told a password in clear text. */
function createTellingPostgres(record: (said: string) => void): Server {
  return createRawServer((socket) => {
    let messages = 0
    socket.on('error', () => {})
    socket.on('data', (data) => {
      messages += 1
      const isStart = messages === 1
      if (isStart) return void socket.write(ASK_PASSWORD)
      const said = data.subarray(5, -1).toString('utf8')
      record(said)
      const fields = `SFATAL\0VFATAL\0C28P01\0Mpassword ${said} is wrong\0\0`
      const head = Buffer.alloc(5)
      head.write('E')
      head.writeInt32BE(fields.length + 4, 1)
      socket.end(Buffer.concat([head, Buffer.from(fields)]))
    })
  })
}

/** How it answered; undefined where nobody chose. */
function answer(
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): OutsideCase | undefined {
  const url = request.url ?? ''
  const echo = buildEcho(request, body)
  if (url.startsWith('/oidc/')) {
    answerSignIn(request, url, echo, response)
    return undefined
  }
  if (url.startsWith('/hook')) {
    send(response, 500, JSON.stringify({ url, coded: encodeURIComponent(url), echo }))
    return undefined
  }
  const chosen = findCase(url, body)
  const good = url.startsWith('/tool/')
    ? JSON.stringify({ id: 're_1', you_sent: echo })
    : buildModelReply(url, chosen === 'said' ? `you sent ${echo.plain}` : 'fine')
  answerCase(chosen, good, echo, response)
  return chosen
}

function answerCase(
  chosen: OutsideCase,
  good: string,
  echo: Readonly<Record<string, string>>,
  response: ServerResponse,
): void {
  const error = JSON.stringify({ error: { message: JSON.stringify(echo) } })
  const page = { 'content-type': `text/${echo.hex}` }
  const answers: Readonly<Record<OutsideCase, () => void>> = {
    ok: () => send(response, 200, good, { 'x-request-id': echo.base64 ?? '' }),
    said: () => send(response, 200, good, { 'x-request-id': echo.plain ?? '' }),
    denied: () => send(response, 422, error),
    limited: () => send(response, 429, error, { 'retry-after': '1' }),
    broken: () => send(response, 500, `${echo.plain} ${echo.percent}`, page),
    nonsense: () => send(response, 200, `{"said": ${echo.plain}`),
    page: () => send(response, 200, error, page),
    moved: () => send(response, 302, error, { location: `/elsewhere?key=${echo.percent}` }),
    // A text that is cut leaves the beginning of a key behind.
    long: () => send(response, 500, `${'.'.repeat(LONG)}${echo.plain}`),
    cut: () => breakOff(response, `{"said": ${JSON.stringify(echo)}`),
    hang: () => {},
  }
  answers[chosen]()
}

function breakOff(response: ServerResponse, beginning: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': 9_999 }
  response.writeHead(200, headers)
  response.write(beginning, () => response.destroy())
}

/** A little less than what is kept of an error. */
const LONG = 1_018

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

/** All that came, as it is and coded as a whole: what stands before a key shifts its base64. */
function buildEcho({ headers }: IncomingMessage, body: string): Readonly<Record<string, string>> {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'x-tool-key']
  const sent = names.flatMap((name) => headers[name] ?? [])
  const plain = [...sent, ...new URLSearchParams(body).getAll('client_secret')].join(' ')
  const bytes = Buffer.from(plain)
  return {
    plain,
    json: JSON.stringify(plain),
    percent: encodeURIComponent(plain),
    hex: bytes.toString('hex'),
    upper: bytes.toString('hex').toUpperCase(),
    base64: bytes.toString('base64'),
    shifted: Buffer.from(`x${plain}`).toString('base64'),
    basic: Buffer.from(`me:${plain}`).toString('base64url'),
  }
}

/** Of a model by its name, which Google has in the path; of a tool by its path. */
function findCase(url: string, body: string): OutsideCase {
  const [, named] = /^\/tool\/([a-z]+)/.exec(url) ?? /\/models\/([a-z]+):/.exec(url) ?? []
  const [, model] = /"model":"([a-z]+)"/.exec(body) ?? []
  return (named ?? model ?? 'broken') as OutsideCase
}

/** A whole reply in the format of whoever is asked. */
function buildModelReply(url: string, text: string): string {
  if (url.startsWith('/openai/'))
    return JSON.stringify({
      model: 'ok',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
  if (url.startsWith('/anthropic/'))
    return JSON.stringify({
      type: 'message',
      role: 'assistant',
      model: 'ok',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 2 },
    })
  return JSON.stringify({
    modelVersion: 'ok',
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  })
}

/** It describes itself well, and refuses whoever comes with a code in words that hold the client's secret. */
function answerSignIn(
  { headers }: IncomingMessage,
  url: string,
  echo: Readonly<Record<string, string>>,
  response: ServerResponse,
): void {
  const issuer = `http://${headers.host}/oidc`
  const refusal = { error: 'invalid_client', error_description: JSON.stringify(echo) }
  const description = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }
  if (url.includes('openid-configuration')) send(response, 200, JSON.stringify(description))
  else send(response, 401, JSON.stringify(refusal))
}
