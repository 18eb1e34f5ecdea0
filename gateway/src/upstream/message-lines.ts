/**
 * Lines of a program's output, each within a bound. Every byte is looked at once: a long message that comes in many pieces
 * costs no more than its length.
 */
const NEWLINE = 0x0a

export class MessageLines {
  readonly #mostBytes: number
  #parts: Buffer[] = []
  #length = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** The lines that end in this piece; undefined: one of them is too long, and nothing after it can be told apart. */
  take(chunk: Buffer): readonly string[] | undefined {
    const lines: string[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (!this.#add(chunk.subarray(from, at))) return undefined
      lines.push(Buffer.concat(this.#parts).toString('utf8'))
      this.clear()
      from = at + 1
    }
    return this.#add(chunk.subarray(from)) ? lines : undefined
  }

  clear(): void {
    this.#parts = []
    this.#length = 0
  }

  #add(part: Buffer): boolean {
    this.#length += part.length
    if (this.#length > this.#mostBytes) return false
    if (part.length > 0) this.#parts.push(part)
    return true
  }
}
