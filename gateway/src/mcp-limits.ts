/** Bounds of the gateway on what others send it. */
export const MCP_LIMITS = {
  /** What a server says of one tool, in characters of canonical JSON. */
  definitionLength: 65_536,
  /** The file of agreed tools. */
  lockBytes: 16_777_216,
  /** Tools of one server. */
  listed: 1_024,
  /** Tools, resources or prompts that a client is told in one page. */
  page: 250,
  /** How long a server is waited for when a client asks for a list; the others do not wait for it longer. */
  listMs: 10_000,
  /** How often clients are told that a list has changed. */
  changedMs: 100,
  /** Of the progress of one call, and of the log of one server. */
  noticesPerSecond: 20,
  /** For whoever asks for them. */
  keptNotices: 256,
  /** Clients ask again at once. What is said of a call has words of its flow, which no erasure finds here. */
  keptNoticesMs: 60_000,
  /** One line of a log, in characters of canonical JSON. */
  logLength: 8_192,
  /** Of a resource. */
  uriLength: 2_048,
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
