/** What all parts of the attack in `bench hold` have: connections that come again, requests without end, and a count. */
import { connect, type Socket } from 'node:net'
import type { CallerReply } from './hold-caller.ts'

/** Whoever is refused asks again, and not as fast as it can: what floods cost is not looked at here. */
const BACK_OFF_MS = 20
const REFUSED: ReadonlySet<number> = new Set([0, 429, 503])

export class Attacker {
  readonly host: string
  readonly #port: number
  /** What was done so far, by kind. */
  readonly done: Record<string, number> = {}

  constructor(url: string) {
    const { port, host } = new URL(url)
    this.host = host
    this.#port = Number(port)
  }

  count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1
  }

  /** Opened again a while after it was ended. */
  keepOpen(
    localAddress: string,
    what: string,
    againMs: number,
    use: (socket: Socket) => void,
  ): void {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress })
    socket.once('connect', () => {
      this.count(what)
      use(socket)
    })
    socket.on('error', () => {})
    const openAgain = (): void => this.keepOpen(localAddress, what, againMs, use)
    socket.once('close', () => setTimeout(openAgain, againMs))
  }

  async repeat(what: string, work: () => Promise<CallerReply>): Promise<void> {
    for (;;) {
      const { status } = await work()
      this.count(`${what} ${status}`)
      if (REFUSED.has(status)) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS))
    }
  }
}
