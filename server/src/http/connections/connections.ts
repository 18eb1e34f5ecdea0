/**
 * What connections may hold: of each address so many, of all so many, and of each one request at a time.
 *
 * C1 one address takes a share of the connections, and leaves others theirs.
 * C2 where all are taken, somebody new takes the place of one on which nothing is asked, of whoever
 *    holds most, else of one whose request has not come whole, and else of one whose answer is there to be
 *    taken: who only holds on keeps nobody out.
 * C3 requests of one connection are begun one after the other, each when the answer before it was taken.
 *    So many wait behind it; a connection with more is ended. What nobody reads bounds what is read.
 * C4 nothing more is read of a connection that is ended so, and its address opens no other for a while:
 *    whoever comes again at once would have each of them read up to there. Through the address of this
 *    machine itself the operator comes too, so that it is never shut: eighteen requests would keep them out.
 * C5 a connection of whose answer nothing is taken for a while is ended. Nothing is read of it meanwhile:
 *    to the timer of a socket, whoever sends a byte now and then is as busy as whoever takes one.
 * C6 where the server stops, a connection on which nothing was asked, or whose request has not come up to the end of its head, is
 *    ended, and none is taken: browsers and HTTP clients open some in advance, and a byte of anybody would hold up the end
 *    until the head of a request is overdue. A body that has not come is waited for a moment: nothing of it was begun.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { Clock } from 'rubicon-runtime/ports'
import { Recent } from 'rubicon-runtime/recent'
import { newcomers } from './newcomers.ts'
import { stopParsing } from './stop-parsing.ts'

export type ConnectionLimits = {
  readonly most: number
  readonly each: number
  /** Requests that wait for the answer of the one before. */
  readonly pipelined: number
  /** For so long an address with a connection of too many opens no other. */
  readonly pipelinedMs: number
  /** So many such addresses are known. */
  readonly remembered: number
  /** An answer of which nothing is taken ends its connection when this has passed, or twice this: it is looked at so often. */
  readonly stallMs: number
  /** A Unix socket: whoever connects has no address to be counted under. */
  readonly isUnix?: boolean
  /** Through that address everybody comes, so that its connections are not counted. */
  readonly isProxy: (address: string) => boolean
}

type BegunRequest = {
  readonly message: Pick<IncomingMessage, 'complete'>
  readonly answer: () => void
}

type Held = {
  readonly owner: string | null
  /** What is begun next; the first of them is under way. */
  readonly requests: BegunRequest[]
  /** All of the answer is there, and waits to be taken. */
  isSent: boolean
}

/** Of a request that was on its way when the server was told to stop. */
const BODY_MS = 2_000

export class Connections {
  readonly #limits: ConnectionLimits
  /** By owner, the oldest first. */
  readonly #owners = new Map<string, Set<Socket>>()
  readonly #held = new Map<Socket, Held>()
  readonly #clock: Pick<Clock, 'monotonic'>
  /** Until when an owner opens no other. */
  readonly #shut: Recent<number>
  #isStopping = false

  constructor(limits: ConnectionLimits, clock: Pick<Clock, 'monotonic'>) {
    this.#limits = limits
    this.#clock = clock
    this.#shut = new Recent(limits.remembered)
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#take(socket))
  }

  stop(): void {
    this.#isStopping = true
    this.#endWhere(({ requests }) => requests.length === 0)
    const endLate = (): void =>
      this.#endWhere(({ requests }) => requests.every(({ message }) => !message.complete))
    setTimeout(endLate, BODY_MS).unref()
  }

  #endWhere(isIdle: (held: Held) => boolean): void {
    for (const [socket, held] of this.#held) if (isIdle(held)) socket.destroy()
  }

  /** Begins a request now, or when those before it on its connection were answered. */
  begin(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    const { socket } = request
    const held = this.#held.get(socket)
    if (held === undefined || socket.destroyed) return
    if (held.requests.length > this.#limits.pipelined) return void this.#cut(socket, held)
    response.once('prefinish', () => {
      held.isSent = true
      socket.setTimeout(this.#limits.stallMs)
      stopReadingUntaken(socket, held)
    })
    response.once('close', () => {
      held.isSent = false
      held.requests.shift()
      const [next] = held.requests
      if (!socket.destroyed) socket.resume()
      if (socket.destroyed || next === undefined) return
      // Its work may take longer than its answer may stay.
      socket.setTimeout(0)
      next.answer()
    })
    held.requests.push({ message: request, answer })
    if (held.requests.length === 1) answer()
  }

  /** Nothing is answered: an answer would be something to wait for. */
  #cut(socket: Socket, { owner }: Held): void {
    stopParsing(socket)
    socket.destroy()
    if (owner === null || THIS_MACHINE.has(owner)) return
    this.#shut.set(owner, this.#clock.monotonic() + this.#limits.pipelinedMs)
  }

  #isShut(owner: string): boolean {
    return this.#clock.monotonic() < (this.#shut.get(owner) ?? 0)
  }

  #take(socket: Socket): void {
    newcomers.add()
    const address = this.#limits.isUnix === true ? null : socket.remoteAddress
    if (address === undefined || this.#isStopping) return void socket.destroy()
    const { each, most, isProxy } = this.#limits
    const owner = address === null || isProxy(address) ? null : toAddressOwner(address)
    if (owner !== null && this.#isShut(owner)) return void socket.destroy()
    const own = owner === null ? undefined : this.#owners.get(owner)
    if ((own?.size ?? 0) >= each) return void socket.destroy()
    if (this.#held.size >= most && !this.#makeRoom()) return void socket.destroy()
    const held: Held = { owner, requests: [], isSent: false }
    this.#held.set(socket, held)
    // The library reads on by itself when a request has come whole.
    socket.on('resume', () => stopReadingUntaken(socket, held))
    if (owner !== null) this.#owners.set(owner, (own ?? new Set()).add(socket))
    socket.once('close', () => this.#release(socket))
  }

  #makeRoom(): boolean {
    let most: Iterable<Socket> = []
    let count = 0
    for (const sockets of this.#owners.values())
      if (sockets.size > count) [most, count] = [sockets, sockets.size]
    const all = [...this.#held.keys()]
    const least =
      this.#findSocket(most, isIdle) ??
      this.#findSocket(all, isIdle) ??
      this.#findSocket(most, isUnfinished) ??
      this.#findSocket(all, isUnfinished) ??
      this.#findSocket(most, isUntaken) ??
      this.#findSocket(all, isUntaken)
    if (least === null) return false
    this.#release(least)
    least.destroy()
    return true
  }

  #findSocket(sockets: Iterable<Socket>, isWanted: (held: Held) => boolean): Socket | null {
    for (const socket of sockets) {
      const held = this.#held.get(socket)
      if (held !== undefined && held.owner !== null && isWanted(held)) return socket
    }
    return null
  }

  #release(socket: Socket): void {
    const owner = this.#held.get(socket)?.owner ?? null
    this.#held.delete(socket)
    if (owner === null) return
    const own = this.#owners.get(owner)
    own?.delete(socket)
    if (own?.size === 0) this.#owners.delete(owner)
  }
}

function stopReadingUntaken(socket: Socket, { isSent }: Held): void {
  if (isSent && socket.writableLength > 0) socket.pause()
}

function isIdle({ requests }: Held): boolean {
  return requests.length === 0
}

/** Its head has come, and its body has not. */
function isUnfinished({ requests: [first] }: Held): boolean {
  return first !== undefined && !first.message.complete
}

function isUntaken({ isSent }: Held): boolean {
  return isSent
}

/** What clients on this machine come from, unless they choose another. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['127.0.0.1', '0:0:0:0'])

/** Of IPv6 whoever has one address has all of its network of 64 bits. */
export function toAddressOwner(address: string): string {
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  if (!isIPv6(mapped)) return mapped
  const [front = '', back] = mapped.split('::')
  const groups = front === '' ? [] : front.split(':')
  if (back === undefined) return groups.slice(0, 4).join(':')
  const behind = back === '' ? [] : back.split(':')
  const zeros = Array.from({ length: 8 - groups.length - behind.length }, () => '0')
  return [...groups, ...zeros, ...behind].slice(0, 4).join(':')
}
