/** Where a message goes: a host that the rules let channels reach, at addresses that were looked at. */
import type { Socket } from 'node:net'
import { NotApplied } from '../ports/capability.ts'
import { NotDelivered } from '../ports/channel.ts'
import { findAddressClass } from '../tools/http/address-class.ts'
import type { HttpAllowance } from '../tools/http/allowance.ts'
import { findHostProblem, toLiteralAddress } from '../tools/http/host-name.ts'
import { type ConnectionOptions, openConnection } from '../tools/http/open-connection.ts'
import { type ResolveHost, resolveAllowed } from '../tools/http/resolve-host.ts'
import type { ChannelRules } from './channel-rules.ts'

export type ChannelTarget = Omit<HttpAllowance, 'methods'>

export type ParsedAddress = {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** Path and query. */
  readonly path: string
}

/** What it is, or what is wrong with it. Nothing of it is repeated: it may be a secret. */
export function parseAddress(text: string): ParsedAddress | string {
  const url = URL.parse(text)
  if (url === null) return 'its address is no URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'its address needs https'
  if (url.username !== '' || url.password !== '')
    return 'its address holds a password: use a secret for all of it'
  if (url.hash !== '') return 'its address has a fragment, which is not sent'
  const problem = findHostProblem(url.hostname)
  if (problem !== null) return `the host of its address ${problem}`
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const port = Number(url.port === '' ? (scheme === 'https' ? 443 : 80) : url.port)
  return { scheme, host: url.hostname, port, path: `${url.pathname}${url.search}` }
}

/** Public, unless whoever runs the machine says otherwise of this host and port. */
export function toTarget(
  { allow }: Pick<ChannelRules, 'allow'>,
  { scheme, host, port }: Pick<ParsedAddress, 'scheme' | 'host' | 'port'>,
): ChannelTarget {
  const entry = allow.find((one) => one.host === host && one.port === port)
  return { scheme, host, port, addresses: entry?.addresses ?? 'public' }
}

/** What can be told of it without asking for the addresses of a name; null: it can be tried. */
export function findTargetProblem({ scheme, host, port, addresses }: ChannelTarget): string | null {
  const literal = toLiteralAddress(host)
  const is = literal === undefined ? null : findAddressClass(literal)
  if (is !== null && is !== addresses) return describeDenied(host, port, is)
  if (host === 'localhost' && addresses !== 'loopback')
    return describeDenied(host, port, 'loopback')
  return scheme === 'http' && addresses !== 'loopback' ? 'beyond this machine it needs https' : null
}

function describeDenied(host: string, port: number, is: string): string {
  if (is === 'forbidden') return `\`${host}\` is an address that no channel may reach`
  return `\`${host}\` is ${is}: whoever runs the machine can allow \`${host}:${port}\` in its channels file`
}

/** A connection to one of exactly the addresses that were looked at. */
export async function connectTo(
  target: ChannelTarget,
  resolve: ResolveHost,
  connection: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const allowance = { ...target, methods: [] }
  try {
    const addresses = await resolveAllowed(allowance, resolve)
    return await openConnection(allowance, addresses, signal, connection)
  } catch (error) {
    if (!(error instanceof NotApplied)) throw error
    const { details } = error
    const isDenied = details?.code === 'EGRESS_DENIED' && typeof details.is === 'string'
    const said = isDenied ? describeDenied(target.host, target.port, String(details.is)) : null
    throw new NotDelivered(said ?? error.message)
  }
}
