/**
 * A mail by SMTP, on a connection to an address that was looked at. The library speaks the protocol and writes the
 * message; it opens no connection, reads no file and fetches nothing.
 */
import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { LIMITS } from 'rubicon-kernel'
import { type MailPlace, NotDelivered } from '../ports/channel.ts'
import type { MessageWords } from './message-words.ts'
import { formatLine } from './slack-body.ts'

export type MailOptions = {
  readonly place: MailPlace
  readonly words: MessageWords
  /** Null: nobody signs in. */
  readonly password: string | null
  /** Beside those that the system trusts. */
  readonly certificates?: readonly string[]
}

/** What the server answered to the message. */
export async function sendMail(
  socket: Socket,
  { place, words, password, certificates }: MailOptions,
  signal: AbortSignal,
): Promise<string> {
  const { host, port, security, from, to, user } = place
  const transport = createTransport({
    connection: socket,
    host,
    port,
    name: 'rubicon',
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: {
      // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED says nothing.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(certificates === undefined ? {} : { ca: [...certificates] }),
    },
    ...(user === undefined || password === null ? {} : { auth: { user, pass: password } }),
    connectionTimeout: LIMITS.channelMs,
    greetingTimeout: LIMITS.channelMs,
    socketTimeout: LIMITS.channelMs,
    maxResponseSize: LIMITS.channelAnswerBytes,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The library waits for a connection that is gone until its own time is over.
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(new NotDelivered('no answer in time'))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const sent = transport.sendMail({
      from,
      to: [...to],
      subject: words.title,
      text: formatMailText(words),
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    })
    return (await Promise.race([sent, isLate])).response
  } catch (error) {
    throw error instanceof NotDelivered ? error : new NotDelivered(describeMailError(error))
  } finally {
    signal.removeEventListener('abort', abort)
    transport.close()
    socket.destroy()
  }
}

function formatMailText({ lines, more }: MessageWords): string {
  const texts = [...lines.map(formatLine), ...(more === null ? [] : [more])]
  return `${texts.join('\n\n')}\n`
}

/** The answer of the server, or the code of what went wrong on the way. */
function describeMailError(error: unknown): string {
  if (!(error instanceof Error)) return 'the mail could not be sent'
  const response = 'response' in error && typeof error.response === 'string' ? error.response : null
  const code = 'code' in error ? String(error.code) : error.name
  return response === null
    ? `the mail could not be sent: ${code}`
    : `the mail server answered: ${response}`
}
