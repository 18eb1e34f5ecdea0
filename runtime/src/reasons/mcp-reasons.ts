/** Codes of the gateway: why a tool of an MCP server is not called, or its files are not used. */
import type { EngineReason } from './engine-reasons.ts'
import { MCP_SETUP_REASONS } from './mcp-setup-reasons.ts'

export const MCP_REASONS: Readonly<Record<string, EngineReason>> = {
  ...MCP_SETUP_REASONS,
  MCP_FILE_INVALID: {
    means: 'the MCP file cannot be used',
    why: 'it names an agent, servers and where their secrets come from, each member as documented and no others',
    fix: 'correct what the message names, by its place in the file',
  },
  MCP_LOCK_BUSY: {
    means: 'another approval of MCP tools is in progress',
    why: 'one of two simultaneous approvals would undo the other',
    fix: 'try again; remove `mcp.lock.json.new` if an approval was interrupted',
  },
  MCP_LOCK_INVALID: {
    means: 'the list of approved tools cannot be used',
    why: 'it contains the approved definitions, and an incomplete list cannot be relied on',
    fix: 'restore `mcp.lock.json`; it is written by `rubicon mcp approve`',
  },
  MCP_LOCK_UNWRITABLE: {
    means: 'the list of approved tools cannot be written',
    why: 'the folder of the MCP file is read-only for you, or the disk is full; nothing was approved',
    fix: 'give the user of the server write permission, or approve as a user who has it',
  },
  MCP_NOT_CONFIGURED: {
    means: 'the server has no gateway to MCP servers',
    why: 'it was started without an MCP file',
    fix: 'start it with `rubicon up --mcp FILE`',
  },
  MCP_TOKENS_UNREADABLE: {
    means: 'the list of tokens of MCP clients cannot be used',
    why: 'while it cannot be read, no token of an MCP client is valid',
    fix: 'restore `mcp-tokens.json` of the state directory, or remove it and make new tokens with `rubicon mcp token`',
  },
  MCP_TOOL_CHANGED: {
    means: 'the tool is not the one that was shown',
    why: 'its server has changed the description since it was shown to you, and you can approve only what you have seen',
    fix: 'look at the tool again, and approve what it is now',
  },
  MCP_TOOL_UNKNOWN: {
    means: 'the server has no such tool that could be approved',
    why: 'it lists none of that name, or one that cannot be governed',
    fix: 'see `rubicon mcp tools`',
  },
  AGENT_REFUSED: {
    means: 'the agent of the gateway may not act',
    why: 'its handshake was refused: it is not registered, suspended or retired, or of another version',
    fix: 'look at it with `rubicon agents show`',
  },
  SERVER_NOT_STARTED: {
    means: 'no server runs on the store, and none could be started',
    why: 'it ended or did not answer in time; what it said is in `server.log` of the state directory',
    fix: 'start it with `rubicon up`, and look at what it says',
  },
  OBSERVATION_INVALID: {
    means: 'what the tool answered is not what its definition promises',
    why: 'the call was answered, so that it happened; its answer does not fit its schema and is withheld',
    fix: 'look at the server: another version of it, or another program, answers',
  },
  RESULT_TOO_LARGE: {
    means: 'the answer of the tool is too large',
    why: 'the call was answered, so that it happened; its answer has more bytes than may be recorded and is withheld',
    fix: 'ask for less, or let the server page its answers',
  },
  SERVER_ABSENT: {
    means: 'the MCP server of the tool does not answer',
    why: 'it could not be started or reached, or ended; nothing was sent',
    fix: 'look at what it wrote to its standard error; it is started again after a pause, and the call may be tried again',
  },
  SERVER_REFUSED: {
    means: 'the MCP server did not give what it was asked to read',
    why: 'it answered with an error: there is no such resource or prompt, or it does not give it',
    fix: 'ask for one that is listed',
  },
  URI_INVALID: {
    means: 'the URI of a resource is none that is sent',
    why: 'it is too long, no URI, or spelled so that a server could take it for another place than the contract judged',
    fix: 'write it without `.` and `..` segments, backslashes and hidden characters',
  },
  TOOL_DRIFT: {
    means: 'the tool is not the one that was agreed to',
    why: 'its server now describes it differently, or no longer has it; nothing was sent',
    fix: 'compare the definitions, and agree to the new one if it is meant',
  },
}
