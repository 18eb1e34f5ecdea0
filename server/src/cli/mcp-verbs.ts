/** The verbs about the gateway in front of MCP servers. */
import { LIMIT, type Option, type VerbSpec } from './verb-spec.ts'

const MCP_FILE: Option = ['--mcp <file>', 'the MCP file (default: mcp.yaml)']

export const MCP_VERBS: readonly VerbSpec[] = [
  {
    verb: 'mcp',
    summary: 'run the gateway for an MCP client, over standard input and output',
    options: [
      MCP_FILE,
      ['--key <file>', 'the private key of the agent (default: in the state directory)'],
    ],
    load: async () => (await import('./mcp-stdio.ts')).serveMcpClient,
  },
  {
    verb: 'mcp tools',
    summary: 'list the tools of all MCP servers, compared with their approved definitions',
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
      ['--agent <name>', 'the agent that the client acts as (default: desk)'],
      ['--owner <person>', 'the owner of the agent (default: operator)'],
      ['--second-person', 'a second person approves: leave `self_approval` out of the contract'],
      ['--name <name>', 'with a command: the name of the server'],
      ['--client <file>', 'with a command: the file to write the settings of the client to'],
      [
        '--without <server...>',
        'servers that the client keeps calling directly, without the gateway',
      ],
      ['--bound <name=value...>', 'the values that arguments may have, such as hosts=example.com'],
      [
        '--sinks',
        'require a known fact for every argument that sends data out; calls without one are refused',
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
    summary: 'show the change of the contract that would let refused and waiting calls pass',
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
      'create a token for MCP clients over HTTP, which act as that agent (default: the agent of the MCP file)',
    options: [MCP_FILE],
    load: async () => (await import('./mcp-token.ts')).makeMcpToken,
  },
]
