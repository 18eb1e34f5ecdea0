/** What a server wrote to its standard error: the newest of it, for whoever looks, and never into anything else. */
import type { Stream } from 'node:stream'

const KEPT_CHARACTERS = 16_384

export class ErrorOutput {
  #text = ''

  follow(stream: Stream | null): void {
    stream?.on('data', (chunk: Buffer) => {
      this.#text = (this.#text + chunk.toString('utf8')).slice(-KEPT_CHARACTERS)
    })
  }

  get text(): string {
    return this.#text
  }
}
