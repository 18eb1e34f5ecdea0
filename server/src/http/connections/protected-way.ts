/**
 * Whether nobody else can read what travels on a connection, as far as the server can know: it does not leave this machine,
 * or it comes from a proxy that was named, in front of which people use TLS.
 */
import { BlockList, isIP } from 'node:net'
import type { Proxies } from './proxies.ts'

export type ProtectedParts = { readonly publicUrl?: URL; readonly proxies?: Proxies }

const THIS_MACHINE = new BlockList()
THIS_MACHINE.addSubnet('127.0.0.0', 8, 'ipv4')
THIS_MACHINE.addAddress('::1', 'ipv6')

/** `peer`: the other end of the connection; null: it is inside of this machine. */
export function isProtectedWay(
  peer: string | null,
  { publicUrl, proxies }: ProtectedParts,
): boolean {
  if (peer === null || isThisMachine(peer)) return true
  return publicUrl?.protocol === 'https:' && proxies?.isProxy(peer) === true
}

function isThisMachine(peer: string): boolean {
  // IPv4 as IPv6 writes it.
  const plain = peer.toLowerCase().startsWith('::ffff:') ? peer.slice('::ffff:'.length) : peer
  const version = isIP(plain)
  return version !== 0 && THIS_MACHINE.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}
