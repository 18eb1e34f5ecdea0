/**
 * A route, as data: who may ask, what may be asked, and what is done. The schema that validates a
 * request is the one that describes it.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { Principal, Role } from './principal.ts'

export type Route = {
  readonly method: 'GET' | 'POST'
  /** `/v1/flows/:dfid` */
  readonly path: string
  readonly summary: string
  /** Any of these; `anyone`: no token is asked for. */
  readonly roles: readonly Role[] | 'anyone'
  /** JSON Schema 2020-12 of the query; its values are text. */
  readonly query?: JsonObject
  /** Of the body. `bytes`: they are handed over as they came, for the engine to read. */
  readonly body?: JsonObject | 'bytes'
  /** It needs an `Idempotency-Key`. */
  readonly once?: true
  readonly handle: (asked: Asked) => Promise<Reply> | Reply
}

export type Asked = {
  readonly principal: Principal
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** As its schema says; an empty object where the route takes none, or bytes. */
  readonly body: JsonValue
  readonly bytes: Uint8Array
}

export type Reply = {
  readonly status: number
  /** Text is sent as it is. */
  readonly body: JsonValue | object
  readonly headers?: Readonly<Record<string, string>>
}

export function done(body: object, status = 200): Reply {
  return { status, body }
}
