/**
 * A bus that a storm rages around, shared by all processes of a site: messages are lost, come twice, late and in another
 * order, and somebody who reaches the bus forges others.
 *
 * It keeps the promises of the port (B2, B3), and no others: what it delivers is worth nothing by itself.
 *
 * 1. A message that it has taken may never arrive; one that it refused may have been taken.
 * 2. Whoever forges knows every message that was ever taken, and can say anything under any topic.
 */
import type { Bus, BusDelivery, BusHandler } from '../../runtime/src/ports/bus.ts'
import type { VirtualTime } from './clock.ts'
import { drawForgery } from './forged-message.ts'
import type { SimProcess } from './process.ts'
import type { Faults } from './swarm.ts'

export type StormBusOptions = {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly note: (text: string) => void
  /** A message was taken, whatever its sender hears. */
  readonly taken: (delivery: BusDelivery) => void
  /** An agent hears from now on. */
  readonly subscribed: (agent: string, topic: string) => void
}

type Subscriber = {
  readonly topic: string
  readonly handler: BusHandler
  readonly process: SimProcess
}

/** Shorter and longer than a window, a claim, and what a flow that was woken is waited for. */
const DELAYS_MS = [400, 5_000, 70_000, 400_000]
const FORGED_MOST = 3

export class StormBus {
  readonly #options: StormBusOptions
  readonly #subscribers = new Set<Subscriber>()
  readonly #known: BusDelivery[] = []
  /** It comes after the next one. */
  #overtaken: BusDelivery | null = null

  constructor(options: StormBusOptions) {
    this.#options = options
  }

  /** As one process reaches it: what that process subscribed to ends with it. */
  createProcessBus(process: SimProcess): Bus {
    const own = new Set<Subscriber>()
    let isClosed = false
    return {
      name: 'storm',
      publish: async (topic, message, { dfid, snapshot_id }) => {
        if (!process.runs) await process.turn()
        if (isClosed) throw new Error('the bus is closed')
        if (dfid === '' || snapshot_id === '')
          throw new Error('a message names its flow and its snapshot')
        await this.#publish(process, structuredClone({ topic, message, dfid, snapshot_id }))
      },
      subscribe: async (topic, handler, { agent_id }) => {
        const subscriber: Subscriber = { topic, handler, process }
        this.#subscribers.add(subscriber)
        own.add(subscriber)
        if (agent_id !== null) this.#options.subscribed(agent_id, topic)
        return async () => void this.#subscribers.delete(subscriber)
      },
      close: async () => {
        isClosed = true
        for (const subscriber of own) this.#subscribers.delete(subscriber)
      },
    }
  }

  async #publish(process: SimProcess, delivery: BusDelivery): Promise<void> {
    const { faults, time } = this.#options
    await process.wait(time.sleep(faults.drawBetween(0, 5)))
    const isDown = faults.drawFault('bus_down')
    // Half of those who hear that it failed are wrong.
    if (isDown && faults.drawBetween(0, 1) === 0) throw new Error('the bus did not answer')
    this.#take(delivery)
    if (isDown) throw new Error('the connection to the bus was lost')
  }

  #take(delivery: BusDelivery): void {
    const { faults, taken } = this.#options
    taken(delivery)
    this.#known.push(delivery)
    const after = this.#overtaken
    this.#overtaken = null
    if (faults.drawFault('bus_reordered')) this.#overtaken = delivery
    else if (!faults.drawFault('bus_lost')) this.#send(delivery)
    if (faults.drawFault('bus_repeated')) this.#send(delivery)
    if (after !== null) this.#send(after)
    if (faults.drawFault('bus_forged')) this.#forge(delivery)
  }

  #forge(last: BusDelivery): void {
    const { faults, note } = this.#options
    for (let count = faults.drawBetween(1, FORGED_MOST); count > 0; count--) {
      const forged = drawForgery((most) => faults.drawBetween(0, most), this.#known, last)
      note(`forged ${forged.why}`)
      this.#send(forged.delivery)
    }
  }

  #send(delivery: BusDelivery): void {
    const { faults, time } = this.#options
    for (const subscriber of this.#subscribers) {
      if (!isHeard(subscriber.topic, delivery.topic)) continue
      const late = faults.drawFault('bus_late') ? faults.drawBetween(0, DELAYS_MS.length - 1) : null
      const ms = late === null ? faults.drawBetween(0, 20) : (DELAYS_MS[late] ?? 0)
      time.schedule(ms, () => this.#deliver(subscriber, delivery))
    }
  }

  #deliver(subscriber: Subscriber, delivery: BusDelivery): void {
    const { process, handler } = subscriber
    process.deliver(() => {
      if (this.#subscribers.has(subscriber)) void hand(handler, structuredClone(delivery))
    })
  }
}

async function hand(handler: BusHandler, delivery: BusDelivery): Promise<void> {
  try {
    await handler(delivery)
  } catch {
    // What goes wrong in a handler stays there.
  }
}

/** Written from the port, without the kernel's own prefixes. */
function isHeard(pattern: string, topic: string): boolean {
  return pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : pattern === topic
}
