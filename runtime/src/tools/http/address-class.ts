/**
 * What kind of place an address is. What is in no table of public addresses is not public: a new range has to be
 * understood before it is connected to.
 */
import { type IpAddress, parseIp } from './ip-address.ts'

/** `forbidden`: nobody can allow it. Metadata services of clouds hand out credentials there. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'forbidden'

type Range = readonly [network: string, bits: number, is: AddressClass]

/** IANA's special-purpose registry, and metadata services that stand outside of it. The first that fits counts. */
const IPV4: readonly Range[] = [
  // Azure's and Alibaba's metadata.
  ['168.63.129.16', 32, 'forbidden'],
  ['100.100.100.200', 32, 'forbidden'],
  ['0.0.0.0', 8, 'forbidden'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'forbidden'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'forbidden'],
  ['192.0.2.0', 24, 'forbidden'],
  ['192.88.99.0', 24, 'forbidden'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'forbidden'],
  ['198.51.100.0', 24, 'forbidden'],
  ['203.0.113.0', 24, 'forbidden'],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3, 'forbidden'],
  ['0.0.0.0', 0, 'public'],
]

const IPV6: readonly Range[] = [
  ['::1', 128, 'loopback'],
  // Metadata of Amazon, Google, Oracle and Scaleway, inside of the unique local addresses.
  ['fd00:ec2::', 32, 'forbidden'],
  ['fd20:ce::', 32, 'forbidden'],
  ['fd00:c1::', 32, 'forbidden'],
  ['fd00:42::', 32, 'forbidden'],
  ['fc00::', 7, 'private'],
  // Teredo, ORCHID and other protocol assignments; 6to4; documentation. Those of IPv4 inside of IPv6 (mapped,
  // compatible, NAT64) lie outside of 2000::/3 and fall to the last line.
  ['2001::', 23, 'forbidden'],
  ['2001:db8::', 32, 'forbidden'],
  ['2002::', 16, 'forbidden'],
  ['3fff::', 20, 'forbidden'],
  ['2000::', 3, 'public'],
  ['::', 0, 'forbidden'],
]

const TABLES = new Map([
  [4, IPV4.map(readRange)],
  [16, IPV6.map(readRange)],
])

export function findAddressClass(text: string): AddressClass {
  const address = parseIp(text)
  if (address === undefined) return 'forbidden'
  const table = TABLES.get(address.length) ?? []
  return table.find(({ network, bits }) => isWithin(address, network, bits))?.is ?? 'forbidden'
}

function readRange([network, bits, is]: Range): {
  readonly network: IpAddress
  readonly bits: number
  readonly is: AddressClass
} {
  return { network: parseIp(network) ?? [], bits, is }
}

function isWithin(address: IpAddress, network: IpAddress, bits: number): boolean {
  return address.every((byte, index) => {
    const counted = Math.min(8, Math.max(0, bits - 8 * index))
    const mask = 0xff & (0xff << (8 - counted))
    return (byte & mask) === ((network[index] ?? 0) & mask)
  })
}
