/**
 * IP addresses as bytes, in one spelling each. `0x7f.1`, `0177.0.0.1` and `2130706433` are 127.0.0.1 to some
 * resolvers and a name to others; here they are no addresses.
 */
import { isIPv6 } from 'node:net'

/** Four bytes or sixteen. */
export type IpAddress = readonly number[]

export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.')
  const isPlain = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255
  return parts.length === 4 && parts.every(isPlain) ? parts.map(Number) : undefined
}

/** With a zone (`fe80::1%eth0`) it is an address of one interface only, and none here. */
function parseIpv6(text: string): IpAddress | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined
  const dotted = /[^:]+\.[^:]+$/.exec(text)?.[0]
  const last = dotted === undefined ? undefined : parseIpv4(dotted)
  if (dotted !== undefined && last === undefined) return undefined
  const tail = last ?? []
  const rest = dotted === undefined ? text : text.slice(0, -dotted.length)
  const [before = '', after] = rest.split('::')
  const head = toBytes(before)
  const end = [...toBytes(after ?? ''), ...tail]
  const gap = 16 - head.length - end.length
  return gap < 0 ? undefined : [...head, ...new Array<number>(gap).fill(0), ...end]
}

function toBytes(groups: string): readonly number[] {
  return groups
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 0xff]
    })
}
