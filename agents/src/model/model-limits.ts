/** How much of a model is heard, in one place. */
export const MODEL_LIMITS = {
  /** Characters of one reply, text and arguments together. */
  replyLength: 1_048_576,
  /** Calls of one reply; what comes behind them is not looked at. */
  callsPerReply: 8,
  /** Characters of the result that a model is told of a call. */
  resultLength: 16_384,
  /** Of the name of a tool, or the id of a call. */
  nameLength: 128,
  /** Replies in one run. */
  rounds: 12,
  /** Replies in a row that call nothing. */
  silentRounds: 2,
  /** What one run may use, input and output. */
  tokens: 200_000,
  /** What one reply may have. */
  maxTokens: 4_096,
  /** A count beyond it is no count. */
  countMost: 1_000_000_000,
  /** How long one reply may take. */
  replyMs: 120_000,
} as const
