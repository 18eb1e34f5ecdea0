/**
 * The proxies in front of the server, and for whom they ask. Each adds to the right of `X-Forwarded-For` who
 * came to it; what stands further left, anybody may have written.
 */
import { BlockList, isIP } from 'node:net'
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { toAddressOwner } from './connections.ts'

export type ProxyOptions = {
  /** How many there are, one behind the other. */
  readonly hops: number
  /** Addresses or networks that the last one comes from; this machine when nobody says. */
  readonly from?: readonly string[]
}

export type Proxies = {
  readonly hops: number
  /** Whether what comes from this address comes through them. */
  isProxy(address: string): boolean
}

export const NO_PROXIES: Proxies = { hops: 0, isProxy: () => false }

const MOST_HOPS = 16
const THIS_MACHINE: readonly string[] = ['127.0.0.0/8', '::1']

export function parseProxies({
  hops,
  from = THIS_MACHINE,
}: ProxyOptions): Result<Proxies, Failure> {
  if (!Number.isInteger(hops) || hops < 0 || hops > MOST_HOPS) return err(createHopsFailure(hops))
  const known = new BlockList()
  for (const place of from) if (!addTo(known, place)) return err(createProxyFailure(place))
  const isProxy = (address: string): boolean => {
    const plain = stripMappedPrefix(address)
    return isIP(plain) !== 0 && known.check(plain, getAddressFamily(plain))
  }
  return ok({ hops, isProxy: hops === 0 ? () => false : isProxy })
}

/**
 * The address that a request is counted under: who came to the outermost of our proxies. Whoever did not
 * come through all of them is counted under the address that the connection has.
 */
export function resolveClientAddress(
  peer: string,
  forwarded: string | readonly string[] | undefined,
  { hops, isProxy }: Proxies,
): string {
  if (hops === 0 || !isProxy(peer)) return toAddressOwner(peer)
  const said =
    String(forwarded ?? '')
      .split(',')
      .at(-hops)
      ?.trim() ?? ''
  return toAddressOwner(isIP(said) === 0 ? peer : said)
}

function addTo(list: BlockList, place: string): boolean {
  const [address = '', bits, ...more] = place.split('/')
  const width = isIP(address) === 4 ? 32 : 128
  const prefix = bits === undefined ? width : /^[0-9]{1,3}$/.test(bits) ? Number(bits) : -1
  if (isIP(address) === 0 || more.length > 0 || prefix < 0 || prefix > width) return false
  list.addSubnet(address, prefix, getAddressFamily(address))
  return true
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** Of a socket that speaks both, an address of IPv4 comes as one of IPv6. */
function stripMappedPrefix(address: string): string {
  const bare = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  return isIP(bare) === 4 ? bare : address
}

function createHopsFailure(hops: number): Failure {
  return {
    code: 'PROXIES_INVALID',
    summary: `\`${hops}\` is not a valid number of proxies`,
    why: 'they are counted from the right of `X-Forwarded-For`',
    fix: `use 0 to ${MOST_HOPS} in --proxy-hops`,
  }
}

function createProxyFailure(place: string): Failure {
  return {
    code: 'PROXIES_INVALID',
    summary: `\`${place}\` is neither an address nor a network`,
    fix: 'name addresses or networks such as 10.0.0.7 or 10.0.0.0/24 in --proxy-from',
  }
}
