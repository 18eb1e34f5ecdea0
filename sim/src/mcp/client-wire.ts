/**
 * A client of the gateway, byte by byte: what it sends is text, so that it can send what no library would. It reads all
 * that it is told and believes nothing of it.
 */
import { PassThrough } from 'node:stream'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { serveStreams } from 'rubicon-mcp'

type CreateServer = Parameters<typeof serveStreams>[0]

export type ClientId = number | string

export class ClientWire {
  /** Messages in the order in which they came. */
  readonly heard: JsonObject[] = []
  readonly #input = new PassThrough()
  readonly #output = new PassThrough()
  readonly #served: { close(): Promise<void> }
  #rest = ''
  #told = Promise.withResolvers<void>()

  constructor(create: CreateServer) {
    this.#output.on('data', (chunk: Buffer) => this.#read(chunk.toString('utf8')))
    this.#served = serveStreams(create, this.#input, this.#output)
  }

  /** As a client begins. */
  async greet(): Promise<void> {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
      clientInfo: { name: 'hostile', version: '1' },
    }
    this.say({ id: 'greeting', method: 'initialize', params })
    await this.waitFor('greeting')
    this.say({ method: 'notifications/initialized' })
  }

  say(message: JsonObject): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  write(text: string): void {
    this.#input.write(text)
  }

  /** The first answer to an id that came after `after` messages; null: none in time. */
  async waitFor(id: ClientId, after = 0, withinMs = 15_000): Promise<JsonObject | null> {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), withinMs)
    try {
      for (;;) {
        const found = this.heard.slice(after).find((one) => isAnswerTo(one, id))
        if (found !== undefined) return found
        if ((await Promise.race([this.#told.promise, late.promise])) === null) return null
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Goes away without a word. */
  async leave(): Promise<void> {
    this.#input.end()
    this.#input.destroy()
    await this.#served.close()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.heard.push(JSON.parse(line) as JsonObject)
    this.#told.resolve()
    this.#told = Promise.withResolvers()
  }
}

function isAnswerTo(message: JsonObject, id: ClientId): boolean {
  return message.id === id && message.method === undefined
}

/** What an answer says: `ANSWERED`, `ERROR` of the tool, codes, or the number of an error of the protocol. */
export function readWords(answer: JsonObject | null): readonly string[] {
  if (answer === null) return ['SILENCE']
  const { error, result } = answer as { error?: JsonObject; result?: JsonObject }
  if (error !== undefined) return [String(error.code as JsonValue)]
  const meta = result?._meta as JsonObject | undefined
  const code = meta?.['rubicon/code']
  if (typeof code !== 'string') {
    const withheld = JSON.stringify(result?.content ?? '').match(/[A-Z]+_[A-Z_]+/)
    return [result?.isError === true ? (withheld?.[0] ?? 'ERROR') : 'ANSWERED']
  }
  const named = JSON.stringify(result?.content ?? '').match(/\b[A-Z]{2,}(_[A-Z]+)+\b/g) ?? []
  return [...new Set([code, ...named])]
}
