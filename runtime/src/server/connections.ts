/** Bounds how many connections one stranger holds: he takes a share of them, and leaves others theirs. */
import type { Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'

/** `isProxy`: through that address everybody comes, so that it is not counted. */
export function limitConnections(
  server: Server,
  most: number,
  isProxy: (address: string) => boolean,
): void {
  const held = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address)) return
    const owner = ownerOf(address)
    const count = (held.get(owner) ?? 0) + 1
    // Nothing is answered: an answer would be something to wait for.
    if (count > most) return void socket.destroy()
    held.set(owner, count)
    socket.once('close', () => {
      const left = (held.get(owner) ?? 1) - 1
      if (left === 0) held.delete(owner)
      else held.set(owner, left)
    })
  })
}

/** Of IPv6 whoever has one address has all of its network of 64 bits. */
export function ownerOf(address: string): string {
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  if (!isIPv6(mapped)) return mapped
  const [front = '', back] = mapped.split('::')
  const groups = front === '' ? [] : front.split(':')
  if (back === undefined) return groups.slice(0, 4).join(':')
  const behind = back === '' ? [] : back.split(':')
  const zeros = Array.from({ length: 8 - groups.length - behind.length }, () => '0')
  return [...groups, ...zeros, ...behind].slice(0, 4).join(':')
}
