/**
 * The least of HTTP that a load needs: requests as text over connections that are kept, and of each answer
 * the status, with the body where it is a problem. It shares the cores with the server that it measures:
 * what it does not do, it does not take away.
 */
import { connect, type Socket } from 'node:net'

/** Status 0: the connection broke. */
export type WireReply = { readonly status: number; readonly text: string }

type Answered = (reply: WireReply) => void
type Waiting = { readonly request: string; readonly answered: Answered }

const BROKEN: WireReply = { status: 0, text: '' }
const HEAD_END = '\r\n\r\n'

/** What was read is looked at before anything else is: one is enough for all. */
const buffer = Buffer.alloc(256 * 1024)

export class Wire {
  readonly #port: number
  readonly #most: number
  #lines = 0
  readonly #free: Line[] = []
  readonly #waiting: Waiting[] = []

  constructor(port: number, most: number) {
    this.#port = port
    this.#most = most
  }

  ask(request: string, answered: Answered): void {
    const line = this.#free.pop() ?? this.#openLine()
    if (line === null) this.#waiting.push({ request, answered })
    else this.#askOver(line, request, answered)
  }

  close(): void {
    for (const line of this.#free) line.close()
  }

  #openLine(): Line | null {
    if (this.#lines >= this.#most) return null
    this.#lines += 1
    return new Line(this.#port)
  }

  #askOver(line: Line, request: string, answered: Answered): void {
    line.ask(request, (reply) => {
      if (line.isOpen) this.#free.push(line)
      else this.#lines -= 1
      answered(reply)
      const next = this.#waiting.shift()
      if (next !== undefined) this.ask(next.request, next.answered)
    })
  }
}

/** One connection, one request after the other. */
class Line {
  readonly #socket: Socket
  #answered: Answered | null = null
  #head = ''
  #text = ''
  #status = 0
  /** Bytes of the body that are yet to come; null: the head is. */
  #left: number | null = null
  isOpen = true

  constructor(port: number) {
    const handleRead = (length: number): boolean => this.#read(length)
    this.#socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: handleRead } })
    this.#socket.setNoDelay(true)
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.isOpen = false
      this.#end(BROKEN)
    })
  }

  ask(request: string, answered: Answered): void {
    this.#answered = answered
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(length: number): boolean {
    const from = this.#left === null ? this.#readHead(length) : 0
    if (this.#left === null) return true
    this.#left -= length - from
    if (this.#status >= 400) this.#text += buffer.toString('utf8', from, length)
    if (this.#left <= 0) this.#end({ status: this.#status, text: this.#text })
    return true
  }

  /** Where the body begins. */
  #readHead(length: number): number {
    const end = buffer.subarray(0, length).indexOf(HEAD_END)
    this.#head += buffer.toString('latin1', 0, end === -1 ? length : end)
    if (end === -1) return length
    this.#status = Number(this.#head.slice(9, 12))
    this.#left = parseLength(this.#head)
    return end + HEAD_END.length
  }

  #end(reply: WireReply): void {
    const answered = this.#answered
    this.#answered = null
    this.#head = ''
    this.#text = ''
    this.#left = null
    answered?.(reply)
  }
}

/** Answers that go on are not for this: whoever asks for one would wait for ever. */
function parseLength(head: string): number {
  const [, length] = /\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`an answer does not say how long it is:\n${head}`)
  return Number(length)
}
