/**
 * One connection to an agent: it answers one request after the other. Whatever goes wrong ends the connection
 * and fails what waits on it; the next request makes another.
 */
import { connect, type Socket } from 'node:net'
import { extractMessageBody, LONGEST_MESSAGE, readMessageLength } from './agent-message.ts'

type Waiting = {
  readonly done: (reply: Uint8Array) => void
  readonly failed: (error: Error) => void
}

const LENGTH_BYTES = 4

export class AgentConnection {
  readonly #path: string
  readonly #answerMs: number
  #socket: Socket | null = null
  #waiting: Waiting[] = []
  #received: Buffer = Buffer.alloc(0)

  /** `answerMs`: an agent may ask somebody, and must not hold everybody for ever. */
  constructor(path: string, answerMs: number) {
    this.#path = path
    this.#answerMs = answerMs
  }

  ask(request: Uint8Array): Promise<Uint8Array> {
    if (request.length - LENGTH_BYTES > LONGEST_MESSAGE)
      return Promise.reject(new Error('it is too long for an agent to sign'))
    const socket = this.#socket ?? this.#open()
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => socket.destroy(new Error('it did not answer')), this.#answerMs)
      const settle = <T>(settled: (value: T) => void) => {
        return (value: T): void => {
          clearTimeout(late)
          settled(value)
        }
      }
      this.#waiting.push({ done: settle(resolve), failed: settle(reject) })
      socket.write(request)
    })
  }

  #open(): Socket {
    const socket = connect(this.#path)
    // An idle agent keeps no process alive.
    socket.unref()
    let problem = new Error('it ended the connection')
    socket.on('data', (chunk) => this.#receive(socket, chunk))
    socket.on('error', (error) => {
      problem = error
    })
    socket.on('close', () => {
      if (this.#socket !== socket) return
      const failed = this.#waiting
      this.#socket = null
      this.#waiting = []
      this.#received = Buffer.alloc(0)
      for (const { failed: fail } of failed) fail(problem)
    })
    this.#socket = socket
    return socket
  }

  #receive(socket: Socket, chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      const length = readMessageLength(this.#received)
      if (length === null) return
      if (length > LONGEST_MESSAGE)
        return void socket.destroy(new Error('what it says is too long'))
      if (this.#received.length < LENGTH_BYTES + length) return
      const reply = extractMessageBody(this.#received, length)
      this.#received = this.#received.subarray(LENGTH_BYTES + length)
      this.#waiting.shift()?.done(reply)
    }
  }
}
