/**
 * A host in the one spelling in which it is written, listed and compared. Readers of URLs disagree on all others:
 * `localhost.`, `LOCALHOST`, `0x7f.1`, `a@b`, full-width letters.
 */
import { parseIp } from './ip-address.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** A name whose last label begins like this is read as an IPv4 address by browsers and C libraries. */
const NUMERIC = /^(\d+|0x[0-9a-f]*)$/

/** What is wrong with it, or null. */
export function findHostProblem(host: string): string | null {
  if (host.startsWith('[')) return findIpv6Problem(host)
  if (parseIp(host) !== undefined && !host.includes(':')) return null
  if (host.length > 253) return 'is longer than 253 characters'
  const labels = host.split('.')
  if (!labels.every((label) => LABEL.test(label)))
    return 'is no host name in lower-case ASCII letters, digits and hyphens, without a final dot'
  if (NUMERIC.test(labels.at(-1) ?? ''))
    return 'ends in a number and is no IPv4 address in four plain decimals'
  return null
}

function findIpv6Problem(host: string): string | null {
  const inside = host.slice(1, -1)
  if (!host.endsWith(']') || parseIp(inside) === undefined || !inside.includes(':'))
    return 'is no IPv6 address in brackets'
  // The spelling of RFC 5952, which URL gives.
  return new URL(`http://${host}/`).hostname === host ? null : 'is not in its shortest spelling'
}

/** The address that a host in the form of one is; undefined for a name. */
export function toLiteralAddress(host: string): string | undefined {
  if (host.startsWith('[')) return host.slice(1, -1)
  return parseIp(host) === undefined ? undefined : host
}
