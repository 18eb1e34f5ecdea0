/** A bus inside of one process. What is not delivered when the process ends is lost, as a message may be. */
import { isPrefixMatch } from 'rubicon-kernel'
import type { Bus, BusDelivery, BusHandler, Unsubscribe } from '../../ports/bus.ts'

/** More are not held for handlers that do not come round; a message may be lost. */
const WAITING_MOST = 10_000

async function hand(handler: BusHandler, delivery: BusDelivery): Promise<void> {
  try {
    await handler(delivery)
  } catch {
    // What goes wrong in a handler stays there.
  }
}

type Subscriber = { readonly topic: string; readonly handler: BusHandler }

export function createMemoryBus(): Bus {
  const subscribers = new Set<Subscriber>()
  let waiting = 0
  let isClosed = false

  const deliver = (subscriber: Subscriber, delivery: BusDelivery): void => {
    if (waiting >= WAITING_MOST) return
    waiting += 1
    setImmediate(() => {
      waiting -= 1
      if (isClosed || !subscribers.has(subscriber)) return
      // Each has a copy of its own: what one does with it is no other's business.
      void hand(subscriber.handler, structuredClone(delivery))
    })
  }

  return {
    name: 'memory',
    async publish(topic, message, { dfid, snapshot_id }) {
      if (isClosed) throw new Error('the bus is closed')
      if (dfid === '' || snapshot_id === '')
        throw new Error('a message names its flow and its snapshot')
      const delivery = { topic, message, dfid, snapshot_id }
      for (const subscriber of subscribers)
        if (isPrefixMatch(subscriber.topic, topic)) deliver(subscriber, delivery)
    },
    async subscribe(topic, handler): Promise<Unsubscribe> {
      const subscriber: Subscriber = { topic, handler }
      subscribers.add(subscriber)
      return async () => void subscribers.delete(subscriber)
    },
    async close() {
      isClosed = true
      subscribers.clear()
    },
  }
}
