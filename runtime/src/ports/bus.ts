/**
 * Carries hints that something happened, between processes and to agents in process.
 *
 * B1 a message is a hint: who hears one looks into the store, and does only what stands there. It may be lost, come twice,
 *    late, in another order, or from somebody else.
 * B2 nothing is published without the flow and the snapshot that it is about.
 * B3 a handler that fails or hangs holds nobody up, neither who publishes nor another handler.
 */
import type { JsonObject } from 'rubicon-kernel'

/** What a message is about. */
export type BusTags = {
  /** The flow. */
  readonly dfid: string
  /** What is known there: of an event the one reading of State. */
  readonly snapshot_id: string
}

/** A message as somebody hears it: untrusted, whoever sent it. */
export type BusDelivery = BusTags & {
  /** Where it was published. */
  readonly topic: string
  /** What it says. */
  readonly message: JsonObject
}

/** Hears messages. What it returns or throws is nobody's business. */
export type BusHandler = (delivery: BusDelivery) => unknown

/** Ends a subscription. */
export type Unsubscribe = () => Promise<void>

/** Carries messages by topic. */
export interface Bus {
  /** Which one it is, for people. */
  readonly name: string
  /** Resolves once the bus has taken the message; rejects where it could not. */
  publish(topic: string, message: JsonObject, tags: BusTags): Promise<void>
  /** `topic` may be a prefix ending in `*`. `agent_id`: who hears; null: the runtime itself. */
  subscribe(
    topic: string,
    handler: BusHandler,
    by: { readonly agent_id: string | null },
  ): Promise<Unsubscribe>
  /** Nothing is delivered any more. */
  close(): Promise<void>
}
