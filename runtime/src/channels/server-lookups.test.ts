import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import {
  createServerLookups,
  resolveByNameServers,
  resolveBySystem,
} from '../tools/http/resolve-host.ts'
import { chooseLookup } from './messenger.ts'

/** A name server that answers once it may; which names it was asked for. */
async function startNameServer(
  t: TestContext,
  answer: (query: Buffer) => Buffer,
  mayAnswer: Promise<void> = Promise.resolve(),
): Promise<{
  readonly address: string
  readonly asked: Set<string>
  heard(n: number): Promise<void>
}> {
  const socket = createSocket('udp4')
  const asked = new Set<string>()
  socket.on('message', async (query: Buffer, { port, address }: RemoteInfo) => {
    const length = query[12] ?? 0
    asked.add(query.subarray(13, 13 + length).toString('latin1'))
    await mayAnswer
    socket.send(answer(query), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  const heard = async (n: number): Promise<void> => {
    while (asked.size < n) await once(socket, 'message')
  }
  return { address: `127.0.0.1:${socket.address().port}`, asked, heard }
}

/** To a question for IPv4 addresses, one; to any other, that there is none. */
function answerWith(address: readonly number[]): (query: Buffer) => Buffer {
  return (query) => {
    const end = query.indexOf(0, 12) + 5
    const isIpv4 = query.readUInt16BE(end - 4) === 1
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isIpv4 ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const found = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address])
    return isIpv4 ? Buffer.concat([head, found]) : head
  }
}

test('names that nobody answers for keep no other name waiting', async (t) => {
  const waits = Promise.withResolvers<void>()
  const server = await startNameServer(t, answerWith([192, 0, 2, 7]), waits.promise)
  const resolve = createServerLookups([server.address])
  const names = Array.from({ length: 8 }, (_, n) => `name${n}.example.com`)
  const found = Promise.all(names.map((name) => resolve(name)))
  // All of them, while none has an answer.
  await server.heard(names.length)
  waits.resolve()
  assert.deepEqual(
    await found,
    names.map(() => ['192.0.2.7']),
  )
})

test('a name has the addresses that its name server says', async (t) => {
  const { address } = await startNameServer(t, answerWith([192, 0, 2, 7]))
  const resolve = createServerLookups([address])
  assert.deepEqual(await resolve('hooks.example.com'), ['192.0.2.7'])
})

test('what an operator typed takes no thread of the system, and what the machine names is asked of it', () => {
  assert.equal(chooseLookup({ addresses: 'public' }), resolveByNameServers)
  assert.equal(chooseLookup({ addresses: 'private' }), resolveBySystem)
  assert.equal(chooseLookup({ addresses: 'loopback' }), resolveBySystem)
})
