/** Every verb: what is typed, what it does in one line, and where it is. One file a verb. */
import { ARCHIVE } from './archive-verbs.ts'
import { ARTIFACT_VERBS } from './artifact-verbs.ts'
import { BUS_VERBS } from './bus-verbs.ts'
import { CHANNEL_VERBS } from './channel-verbs.ts'
import { ESCALATION_VERBS } from './escalation-verbs.ts'
import { EVERYDAY_VERBS } from './everyday-verbs.ts'
import { FIRST_VERBS } from './first-verbs.ts'
import { FLOW_VERBS } from './flow-verbs.ts'
import { LEDGER_VERBS } from './ledger-verbs.ts'
import { MCP_VERBS } from './mcp-verbs.ts'
import { MERGE_DRIVER_VERBS } from './merge-driver-verbs.ts'
import { MONITOR_VERBS } from './monitor-verbs.ts'
import { PERSON_VERBS } from './person-verbs.ts'
import { REGISTRY_VERBS } from './registry-verbs.ts'
import { SOURCE_VERBS } from './source-verbs.ts'
import { TOOL_VERBS } from './tool-verbs.ts'
import { ARTIFACTS, CHANNELS, OIDC_OPTIONS, REGISTRY_OPTIONS } from './up-options.ts'
import { LIMIT, REASON, type VerbSpec, YES } from './verb-spec.ts'

const MODULE = [
  '--rules <module>',
  'a module that exports `capabilities`, and optionally `policies`, `topics` and `topologies`; or a tools file',
] as const

/** A provider that vouches for people. */
export const VERBS: readonly VerbSpec[] = [
  ...FIRST_VERBS,
  ...EVERYDAY_VERBS,
  {
    verb: 'up',
    summary: 'run the runtime and its HTTP server until it is stopped',
    options: [
      ['--port <n>', 'the port to listen on (default: 7420)'],
      ['--host <address>', 'the address to bind to (default: 127.0.0.1)'],
      ['--insecure-host', 'allow an address that other machines can reach, in clear text'],
      ['--public-url <url>', 'the public address, if a proxy with TLS is in front: https://HOST'],
      [
        '--proxy-hops <n>',
        'the number of proxies in front that add to X-Forwarded-For (default: 0)',
      ],
      ['--proxy-from <list>', 'addresses or networks of those proxies (default: this machine)'],
      ['--tenants <list>', 'serve several tenants; the first is the default of requests'],
      [
        '--role <role>',
        'all (default), engine (decides) or executor (carries out); the last two need Postgres',
      ],
      MODULE,
      [
        '--mcp <file>',
        'run the gateway: a file that names MCP servers, whose approved tools become capabilities',
      ],
      ARTIFACTS,
      CHANNELS,
      ['--accept-rules <hash>', 'accept the change of rules that was printed with this hash'],
      [
        '--previous-for <seconds>',
        'with --accept-rules: how long the previous rules stay valid too',
      ],
      [
        '--demo',
        'run a demo company: agents at work, with a history of a week, and a project whose files some of them change',
      ],
      ['--log', 'log events as JSON lines on stderr'],
      ['--traces <place>', 'where to export traces: http://host:4318 (OTLP), or file:PATH'],
      ...REGISTRY_OPTIONS,
      ['--new-token', 'create a new token; the previous one becomes invalid'],
      ['--token-file <path>', 'read the token from a file'],
      ['--principal <name>', 'the person with that token (default: operator)'],
      ['--roles <list>', 'operator, approver, auditor (default: all)'],
      ['--in <tenants>', 'the tenants they may use (default: all that are served)'],
      ...OIDC_OPTIONS,
    ],
    load: async () => (await import('./up.ts')).serveRuntime,
  },
  {
    verb: 'rules',
    summary: 'show the rules in force, their history, and what a module would change',
    options: [MODULE],
    remote: true,
    load: async () => (await import('./rules.ts')).showRules,
  },
  {
    verb: 'token',
    args: '[name]',
    summary:
      'create a token for a person; the previous one becomes invalid at once, also on a running server',
    options: [
      ['--role <list>', 'operator, approver, auditor; or only source (default: the present roles)'],
      [
        '--in <tenants>',
        'the tenants they may use (default: as before; for a new person the first)',
      ],
    ],
    load: async () => (await import('./token.ts')).makeToken,
  },
  {
    verb: 'shell',
    args: '[url]',
    summary:
      'an interactive shell on a running server: inbox, decisions, flows, agents, live events',
    options: [
      ['--token-file <path>', 'a file with the token (default: RUBICON_TOKEN, else a prompt)'],
      ['--insecure-host', 'send the token to another machine in clear text'],
    ],
    load: async () => (await import('./shell/shell.ts')).runShell,
  },
  {
    verb: 'verify',
    args: '[file-or-store]',
    summary:
      'check a ledger, a bundle or a store: hashes, signatures, and whether every effect was allowed',
    options: [
      [
        '--trust <key-or-checkpoint>',
        'a key or checkpoint that you got from another place, or a file with one',
      ],
      [
        '--depth <depth>',
        'how much is checked: structure, signatures, or also that each entry follows from those before it (fold, the default)',
      ],
      ['--signatures <which>', 'all or none'],
      ['--law', 'also decide every proposal again from its recorded facts and rules'],
      ARCHIVE,
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    verb: 'replay',
    args: '<trajectory>',
    summary:
      'compute the state of all resources (World) again from the entries of a trajectory, and compare it with the store',
    options: [
      [
        '--full',
        'also compare every resource in the store, and check every signature of the ledger',
      ],
      ['--world-hash <hash>', 'report it if the World has another hash'],
      ['--require-compiler <version>', 'report entries of other compiler versions'],
      ARCHIVE,
    ],
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    verb: 'recompile',
    args: '<trajectory>',
    summary: 'decide recorded proposals again with other rules; list the verdicts that differ',
    options: [MODULE],
    load: async () => (await import('./recompile.ts')).recompile,
  },
  {
    verb: 'policy check',
    args: '[file...]',
    summary: 'check policies in Cedar or TypeScript: errors, and names that no capability has',
    options: [
      [
        '--rules <module>',
        'a module with the capabilities; without files its policies are checked',
      ],
    ],
    load: async () => (await import('./policy-check.ts')).checkPolicies,
  },
  {
    verb: 'policy save',
    summary: 'save the last recorded decisions as cases for `policy test`, one file each',
    options: [
      ['--out <folder>', 'where the files are written; those that are there stay'],
      ['--last <n>', 'how many decisions (default: 20)'],
      ['--agent <agent>', 'only of this agent'],
    ],
    load: async () => (await import('./policy-save.ts')).savePolicyCases,
  },
  {
    verb: 'policy test',
    args: '<file...>',
    summary: 'test rules against decisions that were saved as cases, or against a folder of them',
    options: [MODULE, ['--update', 'write what the rules say into the cases, instead']],
    load: async () => (await import('./policy-test.ts')).testPolicies,
  },
  {
    verb: 'export',
    args: '[dfid] [file]',
    summary: 'write one flow as a bundle that can be verified offline, or flows as a dataset',
    options: [
      [
        '--trajectories',
        'write flows as a dataset for training and evaluation, one a line, to [file]',
      ],
      [
        '--in-toto',
        'write what the flow proved, as an in-toto statement in a DSSE envelope signed by the kernel key',
      ],
      ['--agent <agent>', 'with --trajectories: of this agent only'],
      ['--limit <count>', 'with --trajectories: at most this many, the newest'],
      ARCHIVE,
    ],
    remote: true,
    load: async () => (await import('./export.ts')).exportRecord,
  },
  {
    verb: 'explain',
    args: '[code]',
    summary: 'explain a reason code: what it means, why it exists, how to fix it',
    load: async () => (await import('./explain.ts')).explain,
  },
  ...REGISTRY_VERBS,
  ...PERSON_VERBS,
  ...FLOW_VERBS,
  ...ESCALATION_VERBS,
  {
    verb: 'executions list',
    summary: 'list effects, uncertain ones first, and flows that were only partly carried out',
    options: [['--status <status...>', 'only with these statuses'], LIMIT],
    remote: true,
    load: async () => (await import('./executions.ts')).listExecutions,
  },
  {
    verb: 'executions reconcile',
    summary: 'find out the outcome of uncertain effects',
    options: [MODULE],
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
  {
    verb: 'executions resolve',
    args: '<dfid> [step]',
    summary: 'settle an effect under manual review; without a step, a partly carried out flow',
    options: [
      ['--outcome <outcome>', 'applied, not_applied or abandon'],
      ['--evidence <text>', 'your evidence: what was found, and where'],
      ['--by <person>', 'who says so'],
      REASON,
      YES,
    ],
    remote: true,
    load: async () => (await import('./resolve.ts')).resolve,
  },
  ...MONITOR_VERBS,
  ...BUS_VERBS,
  ...SOURCE_VERBS,
  ...CHANNEL_VERBS,
  ...TOOL_VERBS,
  ...MCP_VERBS,
  ...ARTIFACT_VERBS,
  ...MERGE_DRIVER_VERBS,
  ...LEDGER_VERBS,
  {
    verb: 'clock confirm',
    summary: 'confirm a clock that was set back or far forward; signed and recorded',
    options: [REASON],
    remote: true,
    load: async () => (await import('./clock.ts')).confirmClockOf,
  },
  {
    verb: 'ledger accept-restore',
    summary: 'accept that entries are lost after a restore; signed and recorded',
    options: [REASON],
    load: async () => (await import('./ledger.ts')).acceptLoss,
  },
  {
    verb: 'branch',
    args: '<trajectory>',
    summary:
      'create a branch: a trajectory that begins at an entry of another, with the state that it had there',
    options: [
      ['--at <seq>', 'the number (seq) of the entry that it starts from'],
      ['--name <name>', 'the name of the new trajectory'],
      ['--note <text>', 'why'],
    ],
    remote: true,
    load: async () => (await import('./branch.ts')).runBranch,
  },
  {
    verb: 'doctor',
    summary:
      'check this machine, the store, the keys and the registry; say how to fix what is wrong',
    options: [
      ['--fix', 'repair what can be repaired without losing anything, then check again'],
      ARTIFACTS,
      ...REGISTRY_OPTIONS,
    ],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    verb: 'schema',
    args: '[verb...]',
    summary: 'print the JSON Schema of the output of a command with --json',
    load: async () => (await import('./schema.ts')).showSchema,
  },
]
