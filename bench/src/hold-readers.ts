/**
 * What those who may read do in `bench hold`: they ask for answers that they do not take, try single decisions
 * with all that a request may hold, and have bundles made.
 */
import type { Socket } from 'node:net'
import type { Attacker } from './hold-attacker.ts'
import { Caller } from './hold-caller.ts'
import { LONG_TEXT } from './hold-cast.ts'
import type { Attack } from './hold-parts.ts'

/** Of strangers, from so many addresses, and of each reader. */
const UNREAD = 512
const UNREAD_ADDRESSES = 4
const UNREAD_EACH = 60
/** On one connection: together more than the system takes of them. */
const ASKED_TOGETHER = 8
const AGAIN_MS = 3_000
const TRIALS_AT_ONCE = 60
const BUNDLES_AT_ONCE = 30
const PATIENCE_MS = 30_000

/** Long answers, asked for by whoever comes and by readers, and taken by nobody. */
export function leaveUnread(attacker: Attacker, { readers, dfid }: Attack): void {
  const leave = (address: string, head: string, times: number): void =>
    attacker.keepOpen(address, 'unread connections', 100, (socket) => {
      socket.pause()
      askForEver(socket, head.repeat(times), head)
    })
  const document = `GET /openapi.json HTTP/1.1\r\nHost: ${attacker.host}\r\n\r\n`
  for (let i = 0; i < UNREAD; i += 1)
    leave(`127.8.0.${(i % UNREAD_ADDRESSES) + 1}`, document, ASKED_TOGETHER)
  const paths = [
    '/v1/ledger/export',
    `/v1/bundles/${dfid}`,
    '/v1/flows?limit=200',
    '/v1/ledger/entries?limit=200',
  ]
  for (const [i, { token }] of readers.entries())
    for (let each = 0; each < UNREAD_EACH; each += 1) {
      const path = paths[each % paths.length]
      const head = `GET ${path} HTTP/1.1\r\nHost: ${attacker.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
      leave(`127.9.0.${i + 1}`, head, 1)
    }
}

/** Now and then once more: what was refused is asked for again, and so few times that nobody is cut off for it. */
function askForEver(socket: Socket, first: string, again: string): void {
  socket.write(first)
  const more = setInterval(() => socket.write(again), AGAIN_MS)
  socket.once('close', () => clearInterval(more))
}

/** One decision each, with parameters as large as they may be. */
export function tryLarge(attacker: Attacker, { url, trier, decision }: Attack): void {
  const caller = new Caller(url, '127.10.0.1', trier, PATIENCE_MS)
  const body = { decision, params: { item: 'a'.repeat(LONG_TEXT) } }
  for (let i = 0; i < TRIALS_AT_ONCE; i += 1)
    void attacker.repeat('large trials', () => caller.ask('POST', '/v1/playground', body))
}

/** Of a flow with many steps, again and again. */
export function takeBundles(attacker: Attacker, { url, taker, dfid }: Attack): void {
  const caller = new Caller(url, '127.11.0.1', taker, PATIENCE_MS)
  for (let i = 0; i < BUNDLES_AT_ONCE; i += 1)
    void attacker.repeat('bundles', () => caller.ask('GET', `/v1/bundles/${dfid}`))
}
