/** Mistakes of the gateway about what passes between clients and servers. */
import type { Edit, Patch } from './patch.ts'

const FRONT = 'gateway/src/front'
const BEHIND = 'gateway/src/behind'
const UPSTREAM = 'gateway/src/upstream'

function plant(name: string, title: string, edit: Edit): Patch {
  return { name, test: { file: `${FRONT}/hostile-pass.test.ts`, title }, edits: [edit] }
}

export const MCP_FRONT_PATCHES: readonly Patch[] = [
  plant(
    'mcp-meta-of-servers-passed-on',
    'what a client writes into _meta reaches no server, and what a server writes there no client',
    {
      ...{ file: `${UPSTREAM}/strip-meta.ts`, function: 'stripPart' },
      before: 'const stripped: Record<string, JsonValue> = { ...others }',
      after: 'const stripped: Record<string, JsonValue> = { ...part }',
    },
  ),
  plant('mcp-cancelled-calls-sent', 'nothing is sent for a call that was cancelled before', {
    file: 'agents/src/in-process/connect-in-process.ts',
    function: 'connectInProcess',
    before: 'signal?.throwIfAborted()',
    after: 'void signal',
  }),
  plant(
    'mcp-drifted-tools-listed',
    'a tool whose definition has changed is not listed, and clients are told of the change',
    {
      ...{ file: `${BEHIND}/create-servers-behind.ts`, function: 'listTools' },
      before: 'pins.get(name) === computePin(agreed, sha256)',
      after: 'pins.has(name) && computePin(agreed, sha256) !== null',
    },
  ),
  plant(
    'mcp-absent-servers-forgotten',
    'tools of a server that is gone are not listed, and come back with it',
    {
      ...{ file: `${BEHIND}/create-servers-behind.ts`, function: 'askEach' },
      before: 'if (found === null) absent.awaitList({ server, list, ask: () => ask(server) })',
      after: 'void absent',
    },
  ),
  plant(
    'mcp-logs-passed-in-a-flood',
    'lines of a log reach the client that called, at the level that it asked for, and not in a flood',
    {
      file: 'gateway/src/notices/server-notices.ts',
      function: '#isOften',
      before: 'return counted.count > MCP_LIMITS.noticesPerSecond',
      after: 'return false',
    },
  ),
  plant(
    'mcp-lost-answers-told-as-nothing',
    'an error of the runtime is a result with a code, and says that nothing happened only where that is known',
    {
      ...{ file: `${FRONT}/connection-error.ts`, function: 'isRefusal' },
      before: 'error.status >= 400 && error.status < 500',
      after: 'error.status !== 500',
    },
  ),
  plant(
    'mcp-outcomes-not-found-told-as-nothing',
    'whoever asks what became of a call is never told that nothing was sent, because that could not be found out',
    {
      ...{ file: `${FRONT}/call-tool.ts`, function: 'tellResult' },
      before: "describeConnectionError(error, 'question')",
      after: "describeConnectionError(error, 'call')",
    },
  ),
  plant(
    'mcp-accepted-calls-told-as-nothing',
    'a call that was sent is never told as nothing having been sent, because its outcome could not be heard',
    {
      ...{ file: `${FRONT}/perform-act.ts`, function: 'performAct' },
      before: '.catch(() => answer)',
      after: '',
    },
  ),
  plant(
    'mcp-lists-told-again-and-again',
    'clients are not told again and again of a list that its server never gives',
    {
      ...{ file: `${BEHIND}/create-servers-behind.ts`, function: 'askEach' },
      before: 'ask: () => ask(server)',
      after: 'ask: () => server.listTools()',
    },
  ),
  plant(
    'mcp-things-listed-for-everybody',
    'what a server offers is not listed for an agent that may read nothing of it',
    {
      ...{ file: `${BEHIND}/create-servers-behind.ts`, function: 'listThings' },
      before: ' && mayRead(toMcpReadKind(name, method))',
      after: ' && (mayRead !== undefined || toMcpReadKind(name, method) !== undefined)',
    },
  ),
  {
    name: 'mcp-lists-for-agents-that-nobody-knows',
    test: {
      file: 'server/src/mcp/may-read.test.ts',
      title: 'an agent may read what its contract names, and one that nobody knows nothing',
    },
    edits: [
      {
        file: 'server/src/mcp/may-read.ts',
        function: 'loadMayRead',
        before: 'kinds.includes(kind)',
        after: 'contract === undefined || kinds.includes(kind)',
      },
    ],
  },
  plant(
    'mcp-resources-without-scope',
    'a contract that lets an agent read and names no URI lets it read nothing',
    {
      file: 'gateway/src/lock/build-read-manifest.ts',
      function: 'buildReadManifest',
      before: '...READS[method],',
      after: '...READS[method], scopes: {},',
    },
  ),
  {
    name: 'acts-sent-after-they-were-given-up',
    test: {
      file: 'sim/src/sdk/connect-agent.test.ts',
      title: 'an act that was given up is not sent, nor sent again where its answer was lost',
    },
    edits: [
      {
        file: 'agents/src/http/agent-wire.ts',
        function: 'askOnce',
        before: 'signal?.throwIfAborted()',
        after: 'void signal',
      },
    ],
  },
  {
    name: 'mcp-newer-servers-not-reached',
    test: {
      file: `${FRONT}/modern-server.test.ts`,
      title:
        'a server of the newer era is called, tells of its changes, and gets no input that it asks for',
    },
    edits: [
      {
        file: `${UPSTREAM}/upstream.ts`,
        function: 'MODERN_VERSION',
        before: '2026-07-28',
        after: '2025-11-25',
      },
    ],
  },
  {
    name: 'mcp-uris-that-lead-elsewhere',
    test: {
      file: `${UPSTREAM}/uri-problem.test.ts`,
      title: 'a URI that a server would take for another place than its text says is not sent',
    },
    edits: [
      {
        file: `${UPSTREAM}/uri-problem.ts`,
        function: 'findUriProblem',
        before: 'const place = decodeDots(uri)',
        after: 'const place = uri',
      },
    ],
  },
  {
    name: 'mcp-notices-told-across-tenants',
    test: {
      file: `${FRONT}/tenants-apart.test.ts`,
      title:
        'what a server says of a call is not told to the agent of the same name in another tenant',
    },
    edits: [
      {
        file: `${UPSTREAM}/mcp-hands.ts`,
        function: 'createMcpHands',
        before: 'isBeside ? NOBODY : agent_id',
        after: 'agent_id',
      },
    ],
  },
  {
    name: 'mcp-logs-told-across-agents',
    test: {
      file: 'gateway/src/notices/server-notices.test.ts',
      title: 'a line of a log that may be about the call of another agent is told to nobody',
    },
    edits: [
      {
        file: 'gateway/src/notices/server-notices.ts',
        function: 'tellLog',
        before: 'agent === undefined || other !== undefined',
        after: 'agent === undefined || other === agent',
      },
    ],
  },
]
