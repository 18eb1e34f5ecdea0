/** Bounds of the gateway on what others send it. */
export const MCP_LIMITS = {
  /** What a server says of one tool, in characters of canonical JSON. */
  definitionLength: 65_536,
  /** The file of agreed tools. */
  lockBytes: 16_777_216,
  /** Tools of one server. */
  listed: 1_024,
  /** One message of a server. */
  messageBytes: 10_485_760,
  /** Messages of a server that answer nothing, such as notifications. More are read in the next second. */
  unaskedPerSecond: 1_000,
  /** What a server writes to its standard error: how much is read in a second, and how many characters are kept. */
  errorBytesPerSecond: 1_048_576,
  errorLength: 16_384,
  /** Until a server is connected. Some are downloaded before they run. */
  connectMs: 60_000,
} as const
