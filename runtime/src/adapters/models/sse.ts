/**
 * Server-sent events, as the HTML standard has them (9.2.6), from bytes that come in pieces of any size.
 *
 * E1 where the bytes are cut changes nothing: also inside a character, or between CR and LF.
 * E2 an event that its empty line does not end is no event: whoever reads is told of whole ones alone.
 * E3 bytes that are not UTF-8 end the stream. The standard would replace them, and a replaced character can
 *    change what a tool is called with.
 */
export type SseEvent = {
  /** `message` where the stream does not say. */
  readonly event: string
  readonly data: string
}

export class SseReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #line = ''
  #event = ''
  #data: string[] = []
  /** The last piece ended with CR: an LF that follows belongs to it. */
  #afterCr = false

  /** Throws a TypeError where the bytes are not UTF-8. */
  push(bytes: Uint8Array): readonly SseEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    const events: SseEvent[] = []
    // Only what is new is searched: a line that comes byte by byte costs what it is long.
    let from = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit !== CR && unit !== LF) {
        this.#afterCr = false
        continue
      }
      const ended = text.slice(from, at)
      from = at + 1
      if (unit === LF && this.#afterCr) {
        this.#afterCr = false
        continue
      }
      this.#afterCr = unit === CR
      const event = this.#takeLine(this.#line + ended)
      this.#line = ''
      if (event !== null) events.push(event)
    }
    this.#line += text.slice(from)
    return events
  }

  #takeLine(line: string): SseEvent | null {
    if (line === '') return this.#takeEvent()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') this.#event = value
    if (field === 'data') this.#data.push(value)
    return null
  }

  #takeEvent(): SseEvent | null {
    const event = this.#event === '' ? 'message' : this.#event
    const data = this.#data
    this.#event = ''
    this.#data = []
    return data.length === 0 ? null : { event, data: data.join('\n') }
  }
}

const LF = 0x0a
const CR = 0x0d
