/**
 * Notices by HTTP POST, signed in the form of standardwebhooks.com, for which receivers find
 * libraries: the id stays the same when a notice is sent again, so that repeats can be dropped.
 *
 * H1 only an answer of 2xx says that a notice arrived; a redirect is not followed.
 * H2 the body of the answer is not read: nobody here would know what to do with it.
 * H3 what leaves this machine is encrypted.
 */
import { createHmac } from 'node:crypto'
import type { Notice, Notifier } from '../../ports/notifier.ts'

const TIMEOUT_MS = 5_000
const SECRET_PREFIX = 'whsec_'

/** Where notices are posted. */
export type WebhookOptions = {
  /** An address with https, or http on this machine. */
  readonly url: string
  /** Signs what is sent: `whsec_` and base64, or any text. */
  readonly secret?: string
  /** How long an answer may take; 5 seconds when nobody says. */
  readonly timeoutMs?: number
  /** UTC, epoch milliseconds. */
  readonly now?: () => number
}

/** Posts each notice as JSON, signed as Standard Webhooks are. */
export function webhookNotifier(options: WebhookOptions): Notifier {
  const url = parseAddress(options.url)
  const key = options.secret === undefined ? null : decodeSigningKey(options.secret)
  const { timeoutMs = TIMEOUT_MS, now = Date.now } = options
  return {
    name: `webhook ${url.host}`,
    async send(notice) {
      const body = JSON.stringify(notice)
      const seconds = Math.floor(now() / 1000)
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': notice.id,
          'webhook-timestamp': String(seconds),
          ...(key === null ? {} : { 'webhook-signature': sign(key, notice, seconds, body) }),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the channel answered ${response.status}`)
    },
  }
}

function sign(key: Buffer, { id }: Notice, seconds: number, body: string): string {
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return `v1,${digest}`
}

function decodeSigningKey(secret: string): Buffer {
  const key = secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8')
  if (key.length === 0)
    throw new Error('the secret of a webhook is empty: leave it out, or give one')
  return key
}

function parseAddress(address: string): URL {
  const url = URL.parse(address)
  if (url === null) throw new Error('the address of a webhook is no URL')
  if (url.username !== '' || url.password !== '')
    throw new Error('the address of a webhook holds a password: give a secret instead')
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!safe) throw new Error('a webhook beyond this machine needs https')
  return url
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
