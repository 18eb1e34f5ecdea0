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
} as const
