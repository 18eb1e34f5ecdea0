/** A wire between a store and its server that can be cut at a chosen moment. */
import { createServer, type Server, Socket } from 'node:net'

/**
 * `answered`: the server commits, and its answer is lost. `unheard`: the COMMIT never arrives, and
 * the server's end stays open, as when a cable is pulled.
 */
export type Cut = 'answered' | 'unheard'

/** A simple query of this text, and the answer to it, as they go over the wire. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1')
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

export class Loopback {
  readonly #listener: Server
  readonly #port: number
  readonly #pairs: Set<readonly [Socket, Socket]> = new Set()
  #cut: Cut | undefined
  #isOpen = true
  /** COMMITs that were cut off. */
  cuts = 0

  constructor(port: number) {
    this.#port = port
    this.#listener = createServer((client) => this.#accept(client))
  }

  /** The port to connect to. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#listener.listen(0, '127.0.0.1', () => {
        const address = this.#listener.address()
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
      })
    })
  }

  /** The next COMMIT that passes is the last of its connection. */
  arm(cut: Cut): void {
    this.#cut = cut
  }

  /** Cuts everything; until `restore` nobody gets through. */
  isolate(): void {
    this.#isOpen = false
    for (const [client, server] of this.#pairs) {
      client.destroy()
      server.destroy()
    }
  }

  restore(): void {
    this.#isOpen = true
  }

  close(): void {
    this.isolate()
    this.#listener.close()
  }

  #accept(client: Socket): void {
    const server = new Socket()
    const pair = [client, server] as const
    client.on('error', () => {})
    server.on('error', () => {})
    if (!this.#isOpen) return void client.destroy()
    this.#pairs.add(pair)
    let dropsAnswer = false
    client.on('data', (data) => {
      const at = this.#cut === undefined ? -1 : data.indexOf(COMMIT)
      if (at === -1) return void server.write(data)
      this.cuts += 1
      dropsAnswer = this.#cut === 'answered'
      if (dropsAnswer) server.write(data)
      else {
        server.write(data.subarray(0, at))
        this.#pairs.delete(pair)
        client.destroy()
      }
      this.#cut = undefined
    })
    server.on('data', (data) => {
      if (!dropsAnswer) return void client.write(data)
      if (!data.includes(COMMITTED)) return
      client.destroy()
      server.destroy()
    })
    client.on('close', () => {
      if (this.#pairs.delete(pair)) server.destroy()
    })
    server.on('close', () => client.destroy())
    server.connect(this.#port, '127.0.0.1')
  }
}
