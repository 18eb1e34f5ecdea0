/** An answer that did not come through `fetch`, as one that did. */
import { Readable } from 'node:stream'

export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  /** It may go on: it is read while it comes. */
  readonly body: Readable
}

/** Statuses that a response has no body with. */
const WITHOUT_BODY: readonly number[] = [204, 304]

export function buildResponse({ status, headers: raw, body }: RawAnswer): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw))
    if (value !== undefined) headers.set(name, String(value))
  return new Response(WITHOUT_BODY.includes(status) ? null : Readable.toWeb(body), {
    status,
    headers,
  })
}
