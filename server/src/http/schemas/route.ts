/**
 * A route, as data: who may ask, what may be asked, and what is done. The schema that validates a
 * request is the one that describes it.
 */
import type { Writable } from 'node:stream'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { Came } from 'rubicon-runtime/engine/flow'
import type { Unit } from 'rubicon-runtime/ports'
import type { Principal, Role } from '../../people/principal.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Route = {
  readonly method: Method
  /** `/v1/flows/:dfid` */
  readonly path: string
  /** Its name in the API document and in clients: a verb and a noun, `listFlows`. */
  readonly operation: string
  readonly summary: string
  /** Any of these; `anyone`: no token is asked for. */
  readonly roles: readonly Role[] | 'anyone'
  /** It speaks a protocol of its own, which the API document does not describe. */
  readonly undescribed?: true
  /** Also for a login that nobody linked: it changes nothing, or asks itself who it is. */
  readonly unlinked?: true
  /** Strangers are counted when they ask, though they change nothing. */
  readonly costly?: true
  /** Whoever has a cookie is answered by whose it is: to look that up is counted, though anybody may ask. */
  readonly readsCookie?: true
  /** It ends authority: counted by itself, so that nothing else whoever asks has asked for is in its way. */
  readonly stops?: true
  /** JSON Schema 2020-12 of the query; its values are text. */
  readonly query?: JsonObject
  /** Of the body. `bytes`: they are handed over as they came, for the engine to read. */
  readonly body?: JsonObject | 'bytes'
  /** How a body is written that the engine or the kernel reads itself, for the API document. */
  readonly written?: JsonObject
  /** Once it was read, its work is done in another thread or in slices: while it goes on, nothing waits for it. */
  readonly beside?: true
  /** However small it is, it takes the thread for a while: it is handled in the line of its asker, as a large one is. */
  readonly heavy?: true
  /**
   * It needs an `Idempotency-Key`. `claims`: its handler writes the claim of the key with what it does. `erases`: its answer is
   * kept though the flow that it names is erased by then.
   */
  readonly once?: true | 'claims' | 'erases'
  /** JSON Schema 2020-12 of the body of a success; or what else is sent. */
  readonly reply: JsonObject | 'text' | 'events' | 'bytes'
  /** Also as server-sent events, where whoever asks accepts these. */
  readonly streams?: true
  /** Of a success; 200 unless said. */
  readonly status?: number
  /** Another status that comes with the same body. */
  readonly also?: number
  readonly handle: (asked: RouteRequest) => Promise<Reply> | Reply
  /** Of a route that claims its key itself: what has become of the flow that was opened under it. */
  readonly replay?: (asked: RouteRequest, dfid: string) => Promise<Reply>
}

export type RouteRequest = {
  readonly principal: Principal
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** As its schema says; an empty object where the route takes none, or bytes. */
  readonly body: JsonValue
  readonly bytes: Uint8Array
  /** What a browser says of itself; for signing in and out. */
  readonly browser: Browser
  /** When it came, before anything was looked up for it. */
  readonly came: Came
  /** A header that came once; for what speaks a protocol of its own. */
  readonly header: (name: string) => string | undefined
  /** They accept server-sent events, and those first. */
  readonly wantsEvents: boolean
  /** Where whoever comes back to a stream left it. */
  readonly lastEventId?: string
  /** Of a route that claims its key itself. */
  readonly claim?: ClaimUnits
  /** Why whoever asked may no longer ask; null: they may. For what has waited, and answers that go on. */
  readonly ended: () => Promise<Reply | null>
  /** For a request that turns out to be many: so many more of them. False: that is too much, and none is charged. */
  readonly charge: (more: number) => boolean
  /** Whoever asked has hung up: what was not begun need not be. */
  readonly isGone: () => boolean
}

/** A claim that is written with what it is for, in one unit: nothing is done without it, nor it without that. */
export type ClaimUnits = {
  /** What has become of the flow is the answer to whoever asks again. */
  buildFlowClaim(dfid: string): Unit
  /** The answer is known before it is done. */
  buildAnsweredClaim(reply: Reply): Unit
}

export type Browser = {
  readonly host: string | undefined
  readonly cookie: string | undefined
}

export type Reply = {
  readonly status: number
  /** Text and bytes are sent as they are. */
  readonly body: JsonValue | object
  readonly headers?: Readonly<Record<string, string>>
  /** The code of a refusal that the status does not show; for the log. */
  readonly problem?: string
  /** As `Set-Cookie` has them. */
  readonly cookies?: readonly string[]
  /** A session that was opened for whoever asked: whose it is was proven, at their address. */
  readonly opened?: OpenedAgentSession
  /** Instead of the body. */
  readonly stream?: AnswerStream
}

export type OpenedAgentSession = { readonly agent_id: string; readonly token: string }

/** An answer that goes on until somebody ends it. */
export type AnswerStream = {
  start(response: Writable): void
  stop(why: string): void
}

export function toReply(body: object, status = 200): Reply {
  return { status, body }
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const

/** The same, where the body is JSON already. */
export function toJsonReply(json: string): Reply {
  return { status: 200, headers: JSON_TYPE, body: json }
}
