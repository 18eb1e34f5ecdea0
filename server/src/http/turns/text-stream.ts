/** A long text, sent as it is read: no faster than whoever asked takes it. */
import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AnswerStream } from '../schemas/route.ts'

const LISTENERS = 32

/** `report` hears why a text ended early; whoever reads it sees that it is cut. */
export function textStream(
  pieces: AsyncIterable<string | Uint8Array>,
  report: (line: string) => void,
): AnswerStream {
  const source = Readable.from(pieces)
  // Whoever was to take it may be gone already; then nobody else listens, and that would end the process.
  source.on('error', () => {})
  return {
    start(response) {
      // The pipeline adds its own to those of the server: always as many, and more than are warned of.
      response.setMaxListeners(LISTENERS)
      // Whoever takes nothing is cut off. What they send would put that off, and is not read behind a text.
      // Whoever asks in this process has no socket.
      if (response instanceof ServerResponse && response.socket instanceof Socket)
        response.socket.pause()
      pipeline(source, response).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          report(`rubicon: a download was cut: ${error.message}`)
      })
    },
    stop: (why) => void source.destroy(new Error(why)),
  }
}
