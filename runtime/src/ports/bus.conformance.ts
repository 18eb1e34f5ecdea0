/** What every bus must do, as tests: an adapter calls `busConformance` from its own test file. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Bus, BusDelivery } from './bus.ts'

const TAGS = { dfid: 'flow-1', snapshot_id: 'sha256:aa' }
const BY = { agent_id: 'trader' }

/** `settle` resolves when everything that was published has been delivered. */
export function busConformance(
  name: string,
  make: () => Promise<Bus>,
  settle: () => Promise<void>,
): void {
  describe(`bus: ${name}`, () => {
    const check = (title: string, play: (bus: Bus) => Promise<void>): void => {
      it(title, async () => {
        const bus = await make()
        try {
          await play(bus)
        } finally {
          await bus.close()
        }
      })
    }

    check(
      'a message reaches whoever subscribed to its topic or to a prefix, whole',
      async (bus) => {
        const heard: [string, BusDelivery][] = []
        for (const topic of ['market.eth', 'market.*', '*', 'weather'])
          await bus.subscribe(topic, (one) => heard.push([topic, one]), BY)
        await bus.publish('market.eth', { event_id: 'e', more: [1] }, TAGS)
        await settle()
        deepEqual(heard.map(([topic]) => topic).toSorted(), ['*', 'market.*', 'market.eth'])
        for (const [, delivery] of heard)
          deepEqual(delivery, {
            topic: 'market.eth',
            message: { event_id: 'e', more: [1] },
            ...TAGS,
          })
      },
    )

    check('nothing is published without its flow and its snapshot', async (bus) => {
      const heard: BusDelivery[] = []
      await bus.subscribe('*', (one) => heard.push(one), BY)
      await rejects(bus.publish('a', {}, { ...TAGS, dfid: '' }))
      await rejects(bus.publish('a', {}, { ...TAGS, snapshot_id: '' }))
      await settle()
      equal(heard.length, 0)
    })

    check('a handler that fails or never ends holds nobody up', async (bus) => {
      let heard = 0
      await bus.subscribe('a', () => Promise.reject(new Error('no')), BY)
      await bus.subscribe('a', () => new Promise(() => {}), BY)
      await bus.subscribe(
        'a',
        () => {
          throw new Error('no')
        },
        BY,
      )
      await bus.subscribe('a', () => (heard += 1), BY)
      for (let index = 0; index < 3; index++) await bus.publish('a', {}, TAGS)
      await settle()
      equal(heard, 3)
    })

    check('what one handler does to a message, no other sees', async (bus) => {
      const heard: unknown[] = []
      const spoil = ({ message }: BusDelivery): void => {
        heard.push(message.word)
        Object.assign(message, { word: 'spoilt' })
      }
      await bus.subscribe('a', spoil, BY)
      await bus.subscribe('a', spoil, BY)
      await bus.publish('a', { word: 'good' }, TAGS)
      await settle()
      deepEqual(heard, ['good', 'good'])
    })

    check('after the end of a subscription, or of the bus, nothing is heard', async (bus) => {
      let heard = 0
      const end = await bus.subscribe('a', () => (heard += 1), BY)
      await end()
      await bus.publish('a', {}, TAGS)
      await settle()
      equal(heard, 0)
      await bus.subscribe('a', () => (heard += 1), BY)
      await bus.close()
      await rejects(bus.publish('a', {}, TAGS))
      await settle()
      equal(heard, 0)
    })

    check('has a name for people', async (bus) => {
      ok(bus.name.length > 0)
    })
  })
}
