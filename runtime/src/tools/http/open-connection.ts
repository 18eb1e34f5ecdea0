/**
 * A connection to exactly the address that was looked at. No byte of a request is written here, so that whatever
 * goes wrong here says that nothing happened.
 */
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { LIMITS } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'
import type { HttpAllowance } from './allowance.ts'
import { toLiteralAddress } from './host-name.ts'

export type ConnectionOptions = {
  /** Beside those that the system trusts. */
  readonly certificates?: readonly string[]
}

/** The first of the addresses that accepts. */
export async function openConnection(
  target: HttpAllowance,
  addresses: readonly string[],
  signal: AbortSignal,
  options: ConnectionOptions = {},
): Promise<Socket> {
  let problem = 'NONE'
  for (const address of addresses) {
    if (signal.aborted) break
    const opened = await connectTo(target, address, signal, options)
    if (typeof opened !== 'string') return opened
    problem = opened
  }
  const code = signal.aborted ? 'TIMEOUT' : problem
  throw new NotApplied(`no connection to \`${target.host}\`: ${code}`, {
    transient: !isCertificateProblem(code),
    details: { code: 'CONNECTION_FAILED', host: target.host, problem: code },
  })
}

/** What is wrong with a certificate is wrong a second later too. */
function isCertificateProblem(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|TLS_CERT|SSL/.test(code)
}

function connectTo(
  target: HttpAllowance,
  address: string,
  signal: AbortSignal,
  options: ConnectionOptions,
): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = startConnection(target, address, options)
    const finish = (result: Socket | string): void => {
      clearTimeout(late)
      signal.removeEventListener('abort', abort)
      if (typeof result === 'string') socket.destroy()
      resolve(result)
    }
    const abort = (): void => finish('TIMEOUT')
    const late = setTimeout(abort, LIMITS.toolConnectMs)
    signal.addEventListener('abort', abort, { once: true })
    // It stays: a socket without a listener for its errors would end the process.
    socket.on('error', (error) => finish('code' in error ? String(error.code) : 'FAILED'))
    socket.once(target.scheme === 'https' ? 'secureConnect' : 'connect', () => finish(socket))
  })
}

function startConnection(
  { scheme, host, port }: HttpAllowance,
  address: string,
  { certificates }: ConnectionOptions,
): Socket {
  if (scheme === 'http') return connectPlain({ host: address, port })
  const isName = toLiteralAddress(host) === undefined
  return connectSecurely({
    host: address,
    port,
    // The certificate is held against the name, or else against the address itself.
    ...(isName ? { servername: host } : {}),
    // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED says nothing.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    ...(certificates === undefined ? {} : { ca: [...certificates] }),
  })
}
