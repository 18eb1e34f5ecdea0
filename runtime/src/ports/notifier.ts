/** How somebody hears of what needs him. It may be slow, wrong or down: nothing waits for it. */
import type { JsonObject } from 'rubicon-kernel'

/** What somebody is told: ids, codes and amounts, and nothing that an agent wrote freely. */
export type Notice = {
  /** The same for every attempt, so that a receiver can drop repeats. */
  readonly id: string
  /** What it is about. */
  readonly kind:
    | 'escalation'
    | 'expiry'
    | 'suspension'
    | 'dirty_flow'
    | 'needs_review'
    | 'manual_review'
    | 'drift'
    | 'adviser_budget'
    | 'tool_drift'
  /** Of the agent that it is about. */
  readonly agent_id: string
  /** Of the flow, where there is one. */
  readonly dfid?: string
  /** Why somebody is told. */
  readonly reason_code: string
  /** Where it is told. */
  readonly channel: string
  /** When it happened. */
  readonly at: string
  /** Ids, codes and amounts. */
  readonly details: JsonObject
}

/** Where everything goes that a contract names no channel for. */
export const OPERATOR_CHANNEL = 'operator'

/** How a channel is told. */
export interface Notifier {
  /** For logs. */
  readonly name: string
  /** Resolves once the notice has arrived; rejects when it may not have. */
  send(notice: Notice): Promise<void>
}

/** Which notifier serves a channel: there is one for every name, be it only a log. */
export interface Channels {
  /** Whether whoever started the runtime gave one for it. */
  hasNotifier(channel: string): boolean
  getNotifier(channel: string): Notifier
}
