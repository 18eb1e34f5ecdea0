/** When bids are no longer waited for. */

/** An agent that an event woke, as its flow stands. */
export type AwaitedMember = {
  readonly dfid: string
  /** It has made its bid, waits for a person, or has ended: nothing has to be waited for. */
  readonly isDone: boolean
}

/** The end is inclusive; a window in which everybody has spoken is over at once, one without members too. */
export function isWindowOver(
  closesAt: string,
  now: string,
  members: readonly Pick<AwaitedMember, 'isDone'>[],
): boolean {
  return now >= closesAt || members.every(({ isDone }) => isDone)
}
