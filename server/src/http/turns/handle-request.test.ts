import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, ok } from 'rubicon-kernel'
import { type Reply, toReply } from '../schemas/route.ts'
import { type Arrived, handleRequest } from './handle-request.ts'
import { LargeRequests } from './large-requests.ts'

const LARGE = new Uint8Array(LIMITS.largeRequestBytes + 1)

/** A request that is read, and handled, when it is let go; and what was begun of all. */
class Requests {
  readonly begun: string[] = []
  readonly #large = new LargeRequests({ monotonic: () => 0 })
  readonly #held = new Map<string, () => void>()

  arrive(name: string, route: Arrived['route'], bytes: Uint8Array = LARGE): Promise<Reply | null> {
    const read: Arrived['read'] = async () => {
      await this.#hold(`read ${name}`)
      return ok(async () => {
        await this.#hold(`handle ${name}`)
        return toReply({})
      })
    }
    const request = { route, asker: 'mallory', bytes, isGone: () => false, read }
    return handleRequest(this.#large, request)
  }

  async until(what: string): Promise<void> {
    while (!this.begun.includes(what)) await new Promise((resolve) => setImmediate(resolve))
  }

  async letGo(what: string): Promise<void> {
    await this.until(what)
    this.#held.get(what)?.()
  }

  #hold(what: string): Promise<void> {
    this.begun.push(what)
    return new Promise((resolve) => void this.#held.set(what, resolve))
  }
}

test('Q2: large requests of one asker are all read at once where their work is done beside decisions', async () => {
  const requests = new Requests()
  const both = ['a', 'b'].map((name) => requests.arrive(name, { beside: true }))
  const small = requests.arrive('small', { beside: true }, new Uint8Array(1))
  const stop = requests.arrive('stop', { stops: true })
  await requests.until('read a')
  for (const name of ['small', 'stop']) {
    await requests.letGo(`read ${name}`)
    await requests.letGo(`handle ${name}`)
  }
  await Promise.all([small, stop])
  assert.ok(!requests.begun.includes('read b'), requests.begun.join(', '))
  await requests.letGo('read a')
  await requests.until('handle a')
  // Its work goes on, and holds up nothing.
  await requests.letGo('read b')
  await requests.letGo('handle b')
  await requests.letGo('handle a')
  assert.deepEqual(await Promise.all(both), [toReply({}), toReply({})])
})

test('Q2: requests of one asker that look much up are handled at the same time', async () => {
  const requests = new Requests()
  const small = new Uint8Array(0)
  const both = ['a', 'b'].map((name) => requests.arrive(name, { heavy: true }, small))
  await requests.letGo('read a')
  await requests.until('handle a')
  // What ends authority waits for nothing.
  const stop = requests.arrive('stop', { stops: true, heavy: true }, small)
  await requests.letGo('read stop')
  await requests.letGo('handle stop')
  await stop
  assert.ok(!requests.begun.includes('read b'), requests.begun.join(', '))
  await requests.letGo('handle a')
  await requests.letGo('read b')
  await requests.letGo('handle b')
  assert.deepEqual(await Promise.all(both), [toReply({}), toReply({})])
})

test('a large request is read while the one before it is handled', async () => {
  const requests = new Requests()
  const both = ['a', 'b'].map((name) => requests.arrive(name, {}))
  await requests.letGo('read a')
  await requests.until('handle a')
  const small = requests.arrive('small', {}, new Uint8Array(1))
  await requests.letGo('read small')
  await requests.letGo('handle small')
  await small
  assert.ok(!requests.begun.includes('read b'), requests.begun.join(', '))
  await requests.letGo('handle a')
  await requests.letGo('read b')
  await requests.letGo('handle b')
  assert.deepEqual(await Promise.all(both), [toReply({}), toReply({})])
})
