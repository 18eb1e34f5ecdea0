/**
 * Listens to the server under load, hangs up again and again in the middle of it, comes back to where
 * it was, and keeps count of what was missing and of what came twice.
 */
import { type ClientRequest, get, type IncomingMessage } from 'node:http'

export type EarReport = {
  readonly received: number
  readonly lost: number
  readonly doubled: number
  readonly reconnects: number
}

const RETRY_MS = 100

export class Ear {
  readonly #url: string
  readonly #token: string
  /** How long an event was on its way, by the clock that both sides share. */
  readonly delays: number[] = []
  #request: ClientRequest | null = null
  #leaf: number | null = null
  #received = 0
  #lost = 0
  #doubled = 0
  #connections = 0
  #isStopped = false

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  /** Until hello. */
  connect(): Promise<void> {
    this.#connections += 1
    const place = this.#leaf === null ? {} : { 'last-event-id': String(this.#leaf) }
    const headers = { authorization: `Bearer ${this.#token}`, ...place }
    return new Promise((resolve) => {
      const request = get(`${this.#url}/v1/events`, { headers, agent: false }, (response) => {
        this.#take(response, resolve)
      })
      this.#request = request
      request.on('error', () => this.#reconnectLater(request))
    })
  }

  hangUp(): void {
    this.#request?.destroy()
  }

  stop(): void {
    this.#isStopped = true
    this.#request?.destroy()
  }

  get leaf(): number {
    return this.#leaf ?? -1
  }

  /** `last`: the leaf that everybody should have heard of by now. */
  report(last: number): EarReport {
    return {
      received: this.#received,
      lost: this.#lost + Math.max(0, last - this.leaf),
      doubled: this.#doubled,
      reconnects: this.#connections - 1,
    }
  }

  #take(response: IncomingMessage, greeted: () => void): void {
    const request = this.#request
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      // What comes after it hung up is not heard: only then is coming back tried in earnest.
      if (this.#request !== request || request?.destroyed === true) return
      const blocks = `${rest}${text}`.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) this.#hear(block, greeted)
    })
    response.on('close', () => this.#reconnectLater(request))
    response.on('error', () => {})
  }

  #hear(block: string, greeted: () => void): void {
    const leaf = Number(/^id: (-?\d+)$/m.exec(block)?.[1] ?? this.leaf)
    if (block.includes('event: hello')) {
      this.#leaf ??= leaf
      greeted()
    }
    if (!block.includes('event: entry')) return
    this.#received += 1
    if (leaf <= this.leaf) this.#doubled += 1
    else this.#lost += leaf - this.leaf - 1
    this.#leaf = Math.max(leaf, this.leaf)
    const at = /"at":"([^"]+)"/.exec(block)?.[1]
    if (at !== undefined) this.delays.push(Date.now() - Date.parse(at))
  }

  #reconnectLater(request: ClientRequest | null): void {
    if (this.#isStopped || this.#request !== request) return
    this.#request = null
    setTimeout(() => void this.connect(), RETRY_MS)
  }
}
