/** Asks a server from an address of its own, so that what others do there is not counted for it. */
import { createPrivateKey, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { RequestToSign } from 'rubicon-agents'
import { type HeldKey, signNow } from './sign-now.ts'

export type Credentials = {
  readonly token?: string
  /** Of an agent. */
  readonly key_id?: string
  /** PKCS #8, PEM. */
  readonly private_key?: string
}

/** Status 0: the connection broke. */
export type CallerReply = {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
  readonly ms: number
}

const NONCE_BYTES = 16
/** Whoever wants something done hangs up by then, and has been kept from it. */
const PATIENCE_MS = 5_000

export class Caller {
  readonly #url: string
  readonly #token: string | undefined
  readonly #key: HeldKey | null
  readonly #agent: Agent
  readonly #localAddress: string
  readonly #patienceMs: number

  constructor(
    url: string,
    localAddress: string,
    { token, key_id, private_key }: Credentials = {},
    patienceMs: number = PATIENCE_MS,
  ) {
    this.#url = url
    this.#token = token
    this.#patienceMs = patienceMs
    this.#localAddress = localAddress
    this.#key =
      key_id === undefined || private_key === undefined
        ? null
        : { key_id, privateKey: createPrivateKey(private_key) }
    this.#agent = new Agent({ keepAlive: true })
  }

  close(): void {
    this.#agent.destroy()
  }

  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<CallerReply> {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const key = randomBytes(NONCE_BYTES).toString('hex')
    const started = performance.now()
    const createBrokenReply = (): CallerReply => {
      return { status: 0, body: null, ms: performance.now() - started }
    }
    return new Promise((resolve) => {
      const sent = request(
        `${this.#url}${path}`,
        {
          method,
          agent: this.#agent,
          localAddress: this.#localAddress,
          timeout: this.#patienceMs,
          headers: {
            ...this.#buildHeaders({ method, target: path, bytes, key }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            'content-length': bytes.length,
            'idempotency-key': key,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', () => resolve(createBrokenReply()))
          response.on('end', () => {
            const ms = performance.now() - started
            resolve({ status: response.statusCode ?? 0, body: parseBody(chunks), ms })
          })
        },
      )
      sent.on('timeout', () => sent.destroy())
      sent.on('error', () => resolve(createBrokenReply()))
      sent.end(bytes)
    })
  }

  #buildHeaders(asked: Omit<RequestToSign, 'authorization'>): Record<string, string> {
    if (this.#token === undefined) return {}
    const authorization = `Bearer ${this.#token}`
    if (this.#key === null) return { authorization }
    return { authorization, ...signNow(this.#key, { ...asked, authorization }) }
  }
}

function parseBody(chunks: readonly Buffer[]): CallerReply['body'] {
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
