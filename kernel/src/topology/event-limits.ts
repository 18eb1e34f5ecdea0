/** Every limit of topics, events and wake-ups, beside those of `../limits.ts`. */
export const EVENT_LIMITS = {
  /** Rows that say what holds for topics. */
  topicRows: 256,
  /** Steps in a table of admission. */
  admissionSteps: 64,
  /** How long proposals to one event are collected, where nobody says. */
  windowMs: 2_000,
  /** The longest that they are. */
  windowMostMs: 60_000,
  /** Agents that one event wakes at most. */
  agents: 1_024,
  /** How long whoever works on a flow that was woken has it for itself. */
  claimMs: 60_000,
  /** How long a flow that was woken waits for somebody to work on it. */
  wakeMs: 300_000,
  /** How long it is kept who won in an event, and who halted it, at least. No flow lasts for that long. */
  keepMs: 604_800_000,
  /** State paths of the one reading that the flows of an event share. */
  statePaths: 2_048,
  /** How long whoever closes windows waits for one event before it looks at the next. */
  settleWaitMs: 500,
  /** Events whose windows one process closes at the same time. */
  settling: 64,
  /** How often a message is tried before it is a dead letter. */
  busAttempts: 8,
} as const
