/**
 * The import law, as data. A missing edge is a wall.
 *
 * A file below a name on the left (the longest that fits) may import from below the names on the
 * right. `node` and `npm` stand for what is not ours. Tests may also import their own workspace. The rooms
 * inside of a folder have an order of their own: `rooms.ts`.
 */

export const KERNEL = 'kernel/src'
const AGENTS = 'agents/src'
const VERIFIER = 'verifier/src'
const ARTIFACTS = 'artifacts/src'
const RUNTIME = 'runtime/src'
const GATEWAY = 'gateway/src'
const SERVER = 'server/src'
const SCENARIOS = 'scenarios/src'
const SYSTEM_FOLDER = 'runtime/src/adapters/system'
const SYSTEM = `${SYSTEM_FOLDER}/index.ts`
const PORTS = 'runtime/src/ports'
const UNIT = 'runtime/src/adapters/unit'
const PROCESS = 'runtime/src/adapters/process'
const SECRETS = 'runtime/src/adapters/secrets'
const FILES = 'runtime/src/contract-file'
const TOOLS = 'runtime/src/tools'
const CHANNELS = 'runtime/src/channels'
const RECENT = 'runtime/src/recent.ts'
const COMPOSE = 'runtime/src/compose.ts'
const REMAINS = 'runtime/src/adapters/sqlite/page-remains.ts'

/** What the server may hold of the runtime: not adapters, and of capabilities one validator for all schemas. */
const SERVED: readonly string[] = [
  'engine',
  'evidence',
  // Documents that people send are read as files are.
  'contract-file',
  'policies',
  'capabilities/index.ts',
  'ports',
  'recent.ts',
].map((name) => `${RUNTIME}/${name}`)

/** What the command and what it shows may hold. */
const UPPER: readonly string[] = [
  SERVER,
  ...SERVED,
  COMPOSE,
  'runtime/src/reasons',
  ...[TOOLS, GATEWAY, ARTIFACTS, AGENTS, KERNEL, VERIFIER],
  ...['npm', 'node'],
]

export const WALLS: Readonly<Record<string, readonly string[]>> = {
  [KERNEL]: [KERNEL],
  // What anybody needs to ask a server, in Node and in browsers: no runtime, and nothing of Node.
  [AGENTS]: [AGENTS, KERNEL],
  [VERIFIER]: [VERIFIER, KERNEL, 'node'],
  // Parsers are libraries, each in the folder of its format.
  [ARTIFACTS]: [ARTIFACTS, KERNEL],
  'artifacts/src/formats': [ARTIFACTS, KERNEL, 'npm'],
  // What lies on a disk.
  'artifacts/src/files': [ARTIFACTS, KERNEL, 'node'],
  'artifacts/src/store': [ARTIFACTS, KERNEL, 'node'],
  // It starts a process, and is one; values are judged by the library of schemas.
  'artifacts/src/desk': [ARTIFACTS, KERNEL, 'node'],
  'artifacts/src/desk/judge-schema.ts': [ARTIFACTS, KERNEL, 'npm'],
  // Git is a program.
  'artifacts/src/git': [ARTIFACTS, KERNEL, 'node'],
  // In a browser the libraries stand for what Node brings.
  'verifier/src/browser.ts': [VERIFIER, KERNEL],
  'verifier/src/crypto/browser-crypto.ts': [VERIFIER, KERNEL, 'npm'],
  [PORTS]: [PORTS, KERNEL],
  // What a call is for goes with it by the asynchronous context, which is Node's.
  'runtime/src/ports/urgent.ts': ['node'],
  [UNIT]: [UNIT, PORTS, KERNEL],
  'runtime/src/adapters/memory': ['runtime/src/adapters/memory', UNIT, PORTS, KERNEL],
  'runtime/src/adapters/sqlite': ['runtime/src/adapters/sqlite', UNIT, PORTS, KERNEL, 'node'],
  'runtime/src/adapters/postgres': [
    'runtime/src/adapters/postgres',
    UNIT,
    SECRETS,
    PORTS,
    KERNEL,
    'npm',
    'node',
  ],
  // Tokens are counted as a model does, by the library that has its tables.
  [SYSTEM_FOLDER]: [SYSTEM_FOLDER, RECENT, PORTS, KERNEL, 'node', 'npm'],
  'runtime/src/adapters/ssh-agent': ['runtime/src/adapters/ssh-agent', PORTS, KERNEL, 'node'],
  [PROCESS]: [PROCESS, KERNEL, 'node'],
  [SECRETS]: [SECRETS, PROCESS, PORTS, KERNEL, 'node'],
  'runtime/src/adapters/guard': ['runtime/src/adapters/guard', PORTS, KERNEL],
  // Hashes of what was asked, who waits before it is asked again, and how a key is found in what comes back.
  'runtime/src/adapters/models': [
    'runtime/src/adapters/models',
    ...[SYSTEM_FOLDER, SECRETS, PORTS, KERNEL, 'node'],
  ],
  'runtime/src/adapters/decoders': ['runtime/src/adapters/decoders', PORTS, KERNEL, 'node'],
  'runtime/src/adapters/registry': [
    'runtime/src/adapters/registry',
    SYSTEM_FOLDER,
    PORTS,
    KERNEL,
    'node',
  ],
  'runtime/src/adapters/notify': ['runtime/src/adapters/notify', PORTS, KERNEL, 'node'],
  // Series are kept by the client library of Prometheus.
  'runtime/src/adapters/telemetry': [
    'runtime/src/adapters/telemetry',
    PORTS,
    KERNEL,
    'npm',
    'node',
  ],
  'runtime/src/engine': ['runtime/src/engine', PORTS, KERNEL],
  // A table of what was used last, for whoever keeps something.
  [RECENT]: [],
  'runtime/src/capabilities': [
    'runtime/src/capabilities',
    'runtime/src/tools/hands.ts',
    RECENT,
    PORTS,
    KERNEL,
    'npm',
    'node',
  ],
  'runtime/src/policies': ['runtime/src/policies', PORTS, KERNEL, 'npm', 'node'],
  // What carries out tools that are data: it reaches outside, and nothing that decides.
  [TOOLS]: [TOOLS, PROCESS, SECRETS, FILES, PORTS, KERNEL, 'node'],
  [CHANNELS]: [CHANNELS, TOOLS, FILES, PORTS, KERNEL, 'node'],
  'runtime/src/channels/send-mail.ts': [CHANNELS, PORTS, KERNEL, 'npm', 'node'],
  [FILES]: [FILES, 'runtime/src/reasons/missing-file.ts', KERNEL, 'npm', 'node'],
  // What is done with artifacts: the one room that knows their library.
  'runtime/src/artifacts': ['runtime/src/artifacts', ARTIFACTS, PORTS, KERNEL, 'node'],
  'runtime/src/reasons': ['runtime/src/reasons', KERNEL, 'node'],
  'runtime/src/evidence': ['runtime/src/evidence', 'runtime/src/engine', PORTS, KERNEL],
  // The law is applied again by its own evaluators, to a file.
  'runtime/src/evidence/law': [
    'runtime/src/evidence',
    'runtime/src/capabilities',
    'runtime/src/policies',
    PORTS,
    KERNEL,
    'node',
  ],
  // It starts servers of others and speaks with them; what decides it reaches as any agent does.
  [GATEWAY]: [
    GATEWAY,
    'runtime/src/index.ts',
    'runtime/src/capabilities/index.ts',
    FILES,
    TOOLS,
    SYSTEM,
    PORTS,
    AGENTS,
    KERNEL,
    'npm',
    'node',
  ],
  // Derived from the ledger, for whoever looks; erased words leave pieces in pages of any file of SQLite.
  'server/src/search': ['server/src/search', ...SERVED, REMAINS, KERNEL, 'node'],
  'server/src/http': [
    ...['server/src/http', 'server/src/people', 'server/src/local-socket', 'server/src/search'],
    ...SERVED,
    ...[AGENTS, KERNEL, 'npm', 'node'],
  ],
  // What artifacts consist of lies in blobs; what a text holds is asked of a desk, which has a process of its own.
  'server/src/http/lookups/artifacts': [
    'server/src/http',
    ...SERVED,
    ...['artifacts/src/desk', 'artifacts/src/store'],
    KERNEL,
  ],
  'server/src/http/schemas/artifact.ts': ['server/src/http', 'artifacts/src/desk', KERNEL],
  'server/src/local-socket': ['server/src/local-socket', KERNEL, 'node'],
  // It asks the runtime whether its keys lie open, and is handed what listens.
  'server/src/local-socket/open-socket.ts': ['server/src/local-socket', COMPOSE, KERNEL, 'node'],
  'server/src/people': ['server/src/http', 'server/src/people', ...SERVED, KERNEL, 'npm', 'node'],
  'server/src/cli': UPPER,
  'server/src/mcp': UPPER,
  'server/src/demo': UPPER,
  'server/src/index.ts': [SERVER],
  'server/src/http/serve.ts': [SERVER, COMPOSE, KERNEL, 'node'],
  'server/src/people/issue-token.ts': [SERVER, COMPOSE, SYSTEM],
  // A thread beside the one that decides: it reads and shows, and has no engine.
  'server/src/http/lookups/lookup-thread.ts': [SERVER, COMPOSE, PORTS, KERNEL, 'node'],
  'server/src/http/lookups/lookup-worker.ts': [
    SERVER,
    COMPOSE,
    'runtime/src/open-store.ts',
    SYSTEM,
    PORTS,
    'node',
  ],
  'runtime/src/index.ts': [COMPOSE, 'runtime/src/end-failed-program.ts', ...SERVED, KERNEL],
  'runtime/src/build-deps.ts': [RUNTIME, KERNEL, 'node'],
  'runtime/src/rule-book.ts': ['runtime/src/capabilities', 'runtime/src/policies', PORTS, KERNEL],
  'runtime/src/held-rules.ts': [
    'runtime/src/rule-book.ts',
    'runtime/src/rubicon-error.ts',
    SYSTEM_FOLDER,
    'runtime/src/policies',
    'runtime/src/engine',
    PORTS,
    KERNEL,
  ],
  'runtime/src/known-capabilities.ts': ['runtime/src/capabilities', 'runtime/src/policies', KERNEL],
  'runtime/src/runtime.ts': [
    'runtime/src/artifacts/options.ts',
    'runtime/src/policies/policy-form.ts',
    'runtime/src/extension-options.ts',
    'runtime/src/flow.ts',
    'runtime/src/engine',
    PORTS,
    KERNEL,
  ],
  'runtime/src/flow.ts': ['runtime/src/rubicon-error.ts', 'runtime/src/engine', KERNEL],
  'runtime/src/rubicon-error.ts': [KERNEL, 'runtime/src/contract-file/placed-problem.ts'],
  'runtime/src/end-failed-program.ts': [
    'runtime/src/rubicon-error.ts',
    ...['runtime/src/contract-file/placed-problem.ts', PORTS, KERNEL],
  ],
  'runtime/src/extension-options.ts': ['runtime/src/rubicon-error.ts', PORTS, KERNEL],
  'runtime/src/compose.ts': [RUNTIME, KERNEL, VERIFIER, 'node'],
  // Parts of the composition: which adapter stands behind keys and stores.
  'runtime/src/open-keys.ts': [RUNTIME, KERNEL, 'node'],
  'runtime/src/open-store.ts': [RUNTIME, KERNEL, 'node'],
  'runtime/src/open-artifacts.ts': [RUNTIME, 'node'],
  // Nothing of Node, nothing of the engine: what it knows, it asks the server for.
  'console/src': ['console/src', AGENTS, 'verifier/src/browser.ts', KERNEL, 'npm'],
  'console/docs': ['console/docs', 'console/src/docs-pages', 'scripts', KERNEL, 'node', 'npm'],
  [SCENARIOS]: [SCENARIOS, SERVER, RUNTIME, AGENTS, ARTIFACTS, KERNEL, VERIFIER, 'node'],
  // A client of the protocol in front of the gateway, as people have one.
  'scenarios/src/mcp-desk-place.ts': [
    ...[SCENARIOS, RUNTIME, GATEWAY, AGENTS, KERNEL, VERIFIER],
    ...['npm', 'node'],
  ],
  'scenarios/src/mcp-desk.ts': [SCENARIOS, SERVER, RUNTIME, GATEWAY, KERNEL, 'node'],
  'sim/src': [
    ...['sim/src', ARTIFACTS, SCENARIOS, SERVER, GATEWAY, RUNTIME, AGENTS, KERNEL, VERIFIER],
    ...['node', 'npm'],
  ],
  // Chance from a seed is the simulator's.
  'bench/src': [
    'bench/src',
    'sim/src/rng.ts',
    'sim/src/differential/differing-atoms.ts',
    ...[SCENARIOS, SERVER, RUNTIME, AGENTS, ARTIFACTS, KERNEL, VERIFIER],
    ...['node', 'npm'],
  ],
  // Peers are measured apart: they share no code with ours.
  'bench/peers': ['bench/peers', 'node', 'npm'],
  'bench/artifacts-peers': ['bench/artifacts-peers', 'node', 'npm'],
  scripts: [
    'scripts',
    'console/docs',
    'console/src/browser/machine-browser.test-support.ts',
    'bench/src',
    'sim/src/patches',
    'sim/src/rng.ts',
    SCENARIOS,
    SERVER,
    RUNTIME,
    AGENTS,
    KERNEL,
    VERIFIER,
    'node',
    'npm',
  ],
  // Which mistakes a storm or a trick is to notice.
  'scripts/patch-guards.ts': [
    'scripts',
    'sim/src/patches',
    'sim/src/planted.ts',
    'sim/src/hostile/all-tricks.ts',
  ],
  'tidy.test.ts': ['scripts', 'node'],
  examples: [
    'examples',
    'agents/src/index.ts',
    'runtime/src/index.ts',
    'server/src/index.ts',
    'kernel/src/index.ts',
    'node',
  ],
}

/** They judge the engine and the kernel, so they share no code with either. */
export const JUDGES: readonly string[] = ['sim/src/audit', 'sim/src/reference', 'sim/reference']

/** Tests of the runtime hand what it exports to the auditor. */
export const FOR_TESTS: Readonly<Record<string, readonly string[]>> = {
  runtime: [VERIFIER],
  // A server in a test is held against the rooms below it.
  server: [SCENARIOS, RUNTIME, ARTIFACTS, AGENTS, VERIFIER],
  // In a real browser, on a real runtime.
  console: [SCENARIOS, SERVER, RUNTIME, AGENTS, VERIFIER],
  // What looks at the console is held against its own lists of pages.
  scripts: ['console/src'],
}
