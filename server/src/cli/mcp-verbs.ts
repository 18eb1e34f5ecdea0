/** The verbs about the gateway in front of MCP servers. */
import type { Option, VerbSpec } from './verb-spec.ts'

const MCP_FILE: Option = ['--mcp <file>', 'the MCP file (default: mcp.yaml)']

export const MCP_VERBS: readonly VerbSpec[] = [
  {
    verb: 'mcp',
    summary: 'the gateway for an MCP client: its tools over standard input and output',
    options: [
      MCP_FILE,
      ['--key <file>', 'the private key of the agent (default: in the state directory)'],
    ],
    load: async () => (await import('./mcp-stdio.ts')).serveMcpClient,
  },
  {
    verb: 'mcp tools',
    summary: 'list the tools of all MCP servers, against the definitions that were approved',
    options: [MCP_FILE],
    remote: true,
    load: async () => (await import('./mcp-tools.ts')).listMcpTools,
  },
  {
    verb: 'mcp approve',
    args: '<server> [tools...]',
    summary: 'approve tools of a server as they are now; without names, all of them',
    options: [
      MCP_FILE,
      ['--class <class>', 'read, write or destroy (default: as before)'],
      ['--reason <text>', 'why; it is written down with the approval'],
      ['--by <person>', 'who approves'],
    ],
    remote: true,
    load: async () => (await import('./mcp-approve.ts')).approveMcpTools,
  },
  {
    verb: 'mcp token',
    args: '[agent]',
    summary:
      'make a token for MCP clients over HTTP, which act as that agent (default: that of the MCP file)',
    options: [MCP_FILE],
    load: async () => (await import('./mcp-token.ts')).makeMcpToken,
  },
]
