/** What is done to the server in `bench hold`: between the bench and its attacking process. */
import type { Credentials } from './hold-caller.ts'

export const HOLD_PARTS: readonly string[] = [
  'slow',
  'pipelining',
  'drafts',
  'noise',
  'unread',
  'trials',
  'bundles',
]

export type Attack = {
  readonly url: string
  /** Of `HOLD_PARTS`. */
  readonly parts: readonly string[]
  readonly auditors: readonly Credentials[]
  /** Auditors, too: who leave their answers unread, try what is large, and take bundles. */
  readonly readers: readonly Credentials[]
  readonly trier: Credentials
  readonly taker: Credentials
  readonly noisy: Credentials
  /** A flow of many steps, and a decision in it. */
  readonly dfid: string
  readonly decision: { readonly trajectory: string; readonly seq: number }
}

/** What was done, by kind; of requests by what came of them. */
export type AttackReport = Readonly<Record<string, number>>
