/** What is done to the server in `bench hold`: between the bench and its attacking process. */
import type { Credentials } from './hold-caller.ts'

export const HOLD_PARTS: readonly string[] = ['slow', 'pipelining', 'drafts', 'noise']

export type Attack = {
  readonly url: string
  /** Of `HOLD_PARTS`. */
  readonly parts: readonly string[]
  readonly auditors: readonly Credentials[]
  readonly noisy: Credentials
}

/** What was done, by kind; of requests by what came of them. */
export type AttackReport = Readonly<Record<string, number>>
