import { MCP_LIMITS } from '../mcp-limits.ts'

const NEWLINE = 0x0a
const RETURN = 0x0d

/** `fetch` for a server at an address that cannot fill the memory: what is longer than a message may be ends in an error. */
export async function fetchBounded(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const { body, headers, status, statusText } = response
  if (body === null) return response
  const isEvents = headers.get('content-type')?.includes('text/event-stream') ?? false
  const bounded = body.pipeThrough(createBound(isEvents))
  return new Response(bounded, { headers, status, statusText })
}

/** A stream of events may go on for ever; each ends with an empty line. */
function createBound(isEvents: boolean): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  let length = 0
  let isLineEmpty = false
  const passChunk = (
    chunk: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): void => {
    for (const byte of chunk) {
      length += 1
      if (!isEvents || byte === RETURN) continue
      if (byte === NEWLINE && isLineEmpty) length = 0
      isLineEmpty = byte === NEWLINE
    }
    if (length > MCP_LIMITS.messageBytes) controller.error(new Error('its answer is too long'))
    else controller.enqueue(new Uint8Array(chunk))
  }
  return new TransformStream({ transform: passChunk })
}
