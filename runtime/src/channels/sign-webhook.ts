import { createHmac } from 'node:crypto'
import { NotDelivered } from '../ports/channel.ts'

const PREFIX = 'whsec_'

/** The headers of standardwebhooks.com: an id by which repeats are dropped, a time, and a signature over both and the body. */
export function signWebhook(
  secret: string | null,
  id: string,
  at: string,
  body: string,
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(Date.parse(at) / 1_000))
  const said = { 'webhook-id': id, 'webhook-timestamp': seconds }
  if (secret === null) return said
  const key = secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8')
  if (key.length === 0) throw new NotDelivered('the secret that signs is empty')
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { ...said, 'webhook-signature': `v1,${digest}` }
}
