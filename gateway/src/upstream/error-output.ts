/**
 * What a server wrote to its standard error: the newest of it, for whoever looks, and never into anything else. Secrets
 * that the server was given are replaced before anything is cut off, so that no half of one is left.
 */
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { LIMITS, shorten } from 'rubicon-kernel'
import { createRedaction, type Redaction } from 'rubicon-runtime/tools'
import { showHiddenCharacters } from '../definition/hidden-characters.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { Pace, pauseFor } from './pace.ts'

/** More than is shown: a secret of which one part is still to come must be whole then. */
const HELD_LENGTH = MCP_LIMITS.errorLength + 2 * LIMITS.secretLength

export class ErrorOutput {
  #text = ''
  #redaction: Redaction = createRedaction([])

  /** Of what the server is given from now on; what was said before keeps what was replaced in it. */
  setRedaction(redaction: Redaction): void {
    this.#text = this.text
    this.#redaction = redaction
  }

  follow(stream: Readable): void {
    const decoder = new StringDecoder('utf8')
    const pace = new Pace(MCP_LIMITS.errorBytesPerSecond)
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      this.#append(decoder.write(chunk))
      pauseFor(stream, pace.take(chunk.length))
    })
  }

  get text(): string {
    return this.#redaction.redactText(this.#text).slice(-MCP_LIMITS.errorLength)
  }

  /** Its last line, for a person who asks why the server is not there; empty: it said nothing. */
  describeNewest(): string {
    const line = this.text.trimEnd().split('\n').at(-1) ?? ''
    return shorten(showHiddenCharacters(line.trim()), LIMITS.wordsLength)
  }

  #append(text: string): void {
    const all = this.#text + text
    this.#text =
      all.length <= HELD_LENGTH ? all : this.#redaction.redactText(all).slice(-HELD_LENGTH)
  }
}
