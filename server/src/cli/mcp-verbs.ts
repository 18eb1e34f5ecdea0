/** The verbs about the gateway in front of MCP servers. */
import { LIMIT, type Option, type VerbSpec } from './verb-spec.ts'

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
    verb: 'mcp init',
    args: '[command...]',
    summary: 'put the gateway between an MCP client and its servers; shows what it would do',
    options: [
      ['--from <file>', 'the settings of the client (default: those that are found)'],
      ['--apply', 'do it, and approve the tools as they are proposed'],
      ['--agent <name>', 'in whose name the client calls (default: desk)'],
      ['--owner <person>', 'who answers for the agent (default: operator)'],
      ['--second-person', 'somebody else approves: leave `self_approval` out of the contract'],
      ['--name <name>', 'with a command: the name of the server'],
      ['--client <file>', 'with a command: settings of a client are written there'],
      ['--without <server...>', 'servers that stay with the client, past the gateway'],
      ['--bound <name=value...>', 'what arguments may name, such as hosts=example.com'],
      [
        '--sinks',
        'ask for a known fact behind every argument by which data leaves; calls that name none are refused',
      ],
      MCP_FILE,
    ],
    load: async () => (await import('./mcp-init.ts')).setUpGateway,
  },
  {
    verb: 'mcp eject',
    summary: 'put the settings of an MCP client back as they were before `mcp init`',
    options: [['--from <file>', 'the settings of the client (default: those that are found)']],
    load: async () => (await import('./mcp-eject.ts')).removeGateway,
  },
  {
    verb: 'mcp learn',
    args: '[needs...]',
    summary: 'show what refused and waiting calls would need, as a change of the contract',
    options: [
      ['--apply', 'take the needs that are named, or `all`: change the contract and deploy it'],
      ['--contract <file>', 'the contract of the agent (default: beside the MCP file)'],
      LIMIT,
      MCP_FILE,
    ],
    remote: true,
    load: async () => (await import('./mcp-learn.ts')).learnFromCalls,
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
