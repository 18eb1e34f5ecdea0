import { MCP_LIMITS } from '../mcp-limits.ts'
import { Pace } from './pace.ts'
import type { SendRequest } from './send-pinned.ts'

const NEWLINE = 0x0a
const RETURN = 0x0d

/** `fetch` for a server at an address that cannot fill the memory: what is longer than a message may be ends in an error. */
export async function fetchBounded(
  url: string | URL,
  init?: RequestInit,
  send: SendRequest = fetch,
): Promise<Response> {
  const response = await send(url, init)
  const { body, headers, status, statusText } = response
  if (body === null) return response
  const isEvents = headers.get('content-type')?.includes('text/event-stream') ?? false
  const bounded = body.pipeThrough(createBound(isEvents))
  return new Response(bounded, { headers, status, statusText })
}

/** A stream of events may go on for ever; each ends with an empty line, and more than anybody needs are read later. */
function createBound(isEvents: boolean): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const pace = new Pace(MCP_LIMITS.unaskedPerSecond)
  let length = 0
  let isLineEmpty = false
  const passChunk = async (
    chunk: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): Promise<void> => {
    let events = 0
    for (const byte of chunk) {
      length += 1
      if (!isEvents || byte === RETURN) continue
      if (byte === NEWLINE && isLineEmpty) {
        length = 0
        events += 1
      }
      isLineEmpty = byte === NEWLINE
    }
    if (length > MCP_LIMITS.messageBytes) controller.error(new Error('its answer is too long'))
    else controller.enqueue(new Uint8Array(chunk))
    const pauseMs = pace.take(events)
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return new TransformStream({ transform: passChunk })
}
