/** What a client of the protocol is connected to, and what is asked of it, whichever library it is. */
import type { JsonObject } from 'rubicon-kernel'

/** A program that is started for the client, or an address. */
export type McpTarget =
  | {
      readonly kind: 'program'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'address'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
    }

export type TriedCall = {
  readonly name: string
  readonly args: JsonObject
  readonly meta?: JsonObject
}

export type TriedSession = {
  listTools(): Promise<readonly string[]>
  /** The result; where the protocol itself answers with an error, `{error}`. */
  call(call: TriedCall): Promise<JsonObject>
  close(): Promise<void>
}

export type TriedClient = {
  readonly name: string
  connect(target: McpTarget): Promise<TriedSession>
}
