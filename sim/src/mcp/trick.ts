/** One thing that a hostile server or client tries, and what must come of it. */
import type { JsonObject } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import type { ClientWire } from './client-wire.ts'
import type { ServerPlan } from './server-plan.ts'

export type TrickStage = {
  readonly rng: Rng
  /** As clients see the tools of the hostile server: `s7__`. */
  readonly prefix: string
  readonly wire: ClientWire
  /** One more client of the same agent. */
  connect(): Promise<ClientWire>
  /** A reference that no other call has. */
  drawRef(): string
  /** A call as a client writes it, and the answer; a reference is added. */
  buildCall(tool: string, args?: JsonObject): JsonObject & { readonly id: number }
  call(tool: string, args?: JsonObject): Promise<JsonObject | null>
  /** What an answer says counts towards what the trick comes to. */
  addWords(answer: JsonObject | null): void
  /** A person agrees to what waits under an answer. */
  approve(answer: JsonObject | null): Promise<void>
}

export type McpTrick = {
  readonly name: string
  readonly by: 'client' | 'server'
  /** Of the hostile server; without it, an honest one. */
  readonly plan?: (rng: Rng) => Partial<ServerPlan>
  /** How long the gateway waits for the server, and for an answer of the tool. */
  readonly timeoutMs?: number
  /** The server runs before the first call, so that none of that time goes by while it starts. */
  readonly isStarted?: true
  /** Without it one payment is made, within the contract. */
  readonly play?: (stage: TrickStage) => Promise<void>
  /** Codes and states, in what the client hears or the ledger says: each of them, and one of those in a list. */
  readonly comesTo: readonly (string | readonly string[])[]
  /** How often something happens outside: at least, at most. */
  readonly effects: readonly [number, number]
  /** It says that it did what it did not: nobody can know. */
  readonly isLying?: true
}
