/** Codes of setting up the gateway: why a client's file or a set-up is not touched. */
import type { EngineReason } from './engine-reasons.ts'

export const MCP_SETUP_REASONS: Readonly<Record<string, EngineReason>> = {
  MCP_BACKUP_MISSING: {
    means: 'there is no copy of the settings of the client',
    why: 'only `rubicon mcp init --apply` makes it, and `rubicon mcp eject` uses it up',
    fix: 'name the file of the client with --from',
  },
  MCP_BACKUP_THERE: {
    means: 'a copy of other settings of the client is in the way',
    why: 'it may be the only copy of what the client was set to before, and is never replaced',
    fix: '`rubicon mcp eject` puts it back; or move it aside',
  },
  MCP_CLIENT_CHANGED: {
    means: 'the settings of the client were changed meanwhile',
    why: 'what was read is not what would be replaced',
    fix: 'remove the copy that the message names, and try again',
  },
  MCP_CLIENT_FILE: {
    means: 'the file holds no settings of an MCP client',
    why: 'clients keep their servers in `mcpServers` (Claude Desktop, Cursor) or `servers` (VS Code) of a JSON object',
    fix: 'name the right file with --from',
  },
  MCP_CLIENT_UNKNOWN: {
    means: 'it is not clear which client is meant',
    why: 'no settings of an MCP client were found, or those of several',
    fix: 'name the file with --from, or a server by its command: `rubicon mcp init -- COMMAND`',
  },
  MCP_CONTRACT: {
    means: 'the file is not the contract of the agent of the gateway',
    why: 'what is learnt from the calls of one agent is not put into the contract of another',
    fix: 'name the contract with --contract',
  },
  MCP_FILE_LINK: {
    means: 'a symbolic link stands where a file would be written',
    why: 'what it leads to is somebody else’s',
    fix: 'replace the link by a file, or name another place',
  },
  MCP_FILE_THERE: {
    means: 'a file of another set-up is in the way',
    why: 'what you have written is not replaced',
    fix: 'move it aside, or name other places with --mcp and --agent',
  },
  MCP_FOLDER_OWN: {
    means: 'a server of files could reach the keys, the store or the rules of the gateway',
    why: 'a program that can read the keys or write the rules is not bound by them',
    fix: 'give the server another folder, bound it with `--bound folders=FOLDER`, or keep the files elsewhere with --mcp, --store and --state',
  },
  MCP_SERVER_LEFT: {
    means: 'a server of the client cannot be taken over',
    why: 'the client would go on calling it directly, past every rule, and look governed',
    fix: 'correct its entry, or leave it with the client: --without SERVER',
  },
  STORE_PASSWORD: {
    means: 'the password of the store would stand in the settings of the client',
    why: 'others read those, and the list of processes shows them',
    fix: 'put the address into a file, and use --store-file',
  },
}
