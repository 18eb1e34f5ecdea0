/** What is done to the server in `bench hold`: between the bench and its attacking process. */
import type { Credentials } from './hold-caller.ts'

/** What the bar names. */
export const STRANGERS: readonly string[] = ['slow', 'pipelining', 'drafts', 'noise']
/** What auditors can do besides, who are known by name. */
export const READERS: readonly string[] = ['unread', 'trials', 'bundles']
export const HOLD_PARTS: readonly string[] = [...STRANGERS, ...READERS]

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
