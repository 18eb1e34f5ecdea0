/** A mail server on this machine that keeps what it was told, in the clear or after STARTTLS. */
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createSecureContext, createServer as createSecureServer, TLSSocket } from 'node:tls'

export type MailServer = {
  readonly port: number
  /** Every line that came, apart from the TLS below it. */
  readonly lines: string[]
}

export type MailServerOptions = {
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Encrypted from the first byte. */
  readonly isSecure?: boolean
  /** What it answers to the message itself. */
  readonly verdict?: string
  /** It takes a connection and says nothing. */
  readonly isSilent?: boolean
}

export async function listenForMail(
  t: TestContext,
  {
    tls,
    verdict = '250 2.0.0 queued as 4711',
    isSilent = false,
    isSecure = false,
  }: MailServerOptions = {},
): Promise<MailServer> {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const accept = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (isSilent) return
    socket.write('220 mail.test ESMTP\r\n')
    speak(socket, { tls, verdict, lines })
  }
  const server =
    isSecure && tls !== undefined ? createSecureServer(tls, accept) : createServer(accept)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, lines }
}

type Speaking = {
  readonly tls: MailServerOptions['tls']
  readonly verdict: string
  readonly lines: string[]
}

function speak(socket: Socket, speaking: Speaking): void {
  const { tls, verdict, lines } = speaking
  const isSecure = socket instanceof TLSSocket
  let rest = ''
  let isInMessage = false
  const answer = (line: string): void => void socket.write(`${line}\r\n`)
  const hear = (part: Buffer): void => {
    rest += part.toString('latin1')
    for (;;) {
      const end = rest.indexOf('\r\n')
      if (end < 0) return
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      lines.push(line)
      if (isInMessage) {
        if (line !== '.') continue
        isInMessage = false
        answer(verdict)
      } else if (line === 'DATA') {
        isInMessage = true
        answer('354 go on')
      } else if (/^EHLO/.test(line)) {
        const offered = tls !== undefined && !isSecure ? '250-STARTTLS\r\n' : ''
        answer(`250-mail.test\r\n${offered}250 AUTH PLAIN LOGIN`)
      } else if (line === 'STARTTLS' && tls !== undefined) {
        answer('220 go on')
        socket.removeListener('data', hear)
        const secured = new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext(tls),
        })
        secured.on('error', () => {})
        speak(secured, speaking)
        return
      } else if (line === 'STARTTLS') answer('502 not here')
      else if (/^AUTH/.test(line)) answer('235 welcome')
      else if (line === 'QUIT') answer('221 bye')
      else answer('250 ok')
    }
  }
  socket.on('data', hear)
}
