/** Server-sent events from pieces of text, however they were cut. */
export type SseMessage = {
  readonly event: string
  readonly data: string
  /** What stood in `id:` last, here or before. */
  readonly id: string
}

export class SseParser {
  #rest = ''
  #event = ''
  #data: string[] = []
  #id = ''
  #nextId = ''

  /** The messages that are whole now. A message without data only moves `id` on. */
  push(text: string): readonly SseMessage[] {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#parseLine(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  /** Of the last message that was whole. */
  get id(): string {
    return this.#id
  }

  #parseLine(line: string): readonly SseMessage[] {
    if (line === '') return this.#end()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') this.#nextId = value
    if (field === 'event') this.#event = value
    if (field === 'data') this.#data.push(value)
    return []
  }

  #end(): readonly SseMessage[] {
    this.#id = this.#nextId
    const message = { event: this.#event, data: this.#data.join('\n'), id: this.#id }
    const isEmpty = this.#data.length === 0
    this.#event = ''
    this.#data = []
    return isEmpty ? [] : [message]
  }
}
