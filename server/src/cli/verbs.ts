/** Every verb: what is typed, what it does in one line, and where it is. One file a verb. */
import { ESCALATION_VERBS } from './escalation-verbs.ts'
import { FLOW_VERBS } from './flow-verbs.ts'
import { MONITOR_VERBS } from './monitor-verbs.ts'
import { PERSON_VERBS } from './person-verbs.ts'
import { REGISTRY_VERBS } from './registry-verbs.ts'
import { SOURCE_VERBS } from './source-verbs.ts'
import { type Option, REASON, type VerbSpec, YES } from './verb-spec.ts'

export const GROUPS: Readonly<Record<string, string>> = {
  contract: 'what agents may do: check, deploy, diff, revoke',
  agents: 'registered agents and their lifecycle',
  keys: 'registered public keys',
  writ: 'signed authority documents',
  flows: 'decision flows',
  person: 'people: who is who, and by which names and logins',
  source: 'who may say what is so',
  escalations: 'what waits for somebody to decide',
  executions: 'effects on the outside',
  monitors: 'what watches the sum of what agents do',
  policy: 'rules: check, test',
  ledger: 'the record itself',
  clock: 'the clock of the machine that works on a store',
}

const LIMIT = ['--limit <n>', 'at most so many'] as const
const MODULE = [
  '--rules <module>',
  'a module that exports `capabilities` and `policies`, or a tools file',
] as const

/** A provider that vouches for people. */
const OIDC: readonly Option[] = [
  ['--oidc-issuer <url>', 'people may sign in with this OpenID provider'],
  ['--oidc-client-id <id>', 'as which it knows this server'],
  ['--oidc-client-secret-file <path>', 'what the server proves that with'],
  ['--oidc-scope <words>', 'what it is asked for; openid, email and profile when nobody says'],
  ['--oidc-roles-claim <name>', 'the claim that gives roles; groups when nobody says'],
  ['--oidc-role <list>', 'which of its values give which: operator=ops,approver=managers'],
  ['--oidc-tenant-claim <name>', 'the claim that names tenants; without one it is the first'],
  ['--oidc-trust-email', 'an address that it verified says who somebody is'],
]

export const VERBS: readonly VerbSpec[] = [
  {
    verb: 'quickstart',
    summary:
      'four proposals, four answers, one ledger that cannot be edited; takes a second; in a new store where --store says, else in a folder of its own',
    load: async () => (await import('./quickstart.ts')).runQuickstart,
  },
  {
    verb: 'init',
    args: '[folder]',
    summary:
      'a project in an empty folder: an agent with a scripted model, its contract, a capability and a test',
    options: [
      ['--packages <folder>', 'take the packages from these tarballs; from npm when nobody says'],
    ],
    load: async () => (await import('./create-project.ts')).createProject,
  },
  {
    verb: 'up',
    summary: 'the runtime behind its HTTP server, until it is told to stop',
    options: [
      ['--port <n>', 'where it listens; 7420 when nobody says'],
      ['--host <address>', 'what it is bound to; 127.0.0.1 when nobody says'],
      ['--insecure-host', 'bind beyond this machine, in clear text'],
      ['--public-url <url>', 'where people find it behind a proxy with TLS: https://HOST'],
      ['--proxy-hops <n>', 'proxies in front of it, each of which adds to X-Forwarded-For: 0'],
      ['--proxy-from <list>', 'addresses or networks that they come from: this machine'],
      ['--tenants <list>', 'serve several; the first is the one of requests that name none'],
      ['--role <role>', 'all; or engine (decides) and executor (carries out), on one Postgres'],
      MODULE,
      ['--accept-rules <hash>', 'agree to the change of rules that was printed under this hash'],
      ['--previous-for <seconds>', 'with it: how long the rules before count too'],
      ['--demo', 'an agent that asks every few seconds'],
      ['--log', 'one line of JSON for each thing that happens, on stderr'],
      ['--traces <place>', 'where spans go: http://host:4318, or file:PATH'],
      ['--new-token', 'make a token, in place of the one before'],
      ['--token-file <path>', 'take the token from a file instead'],
      ['--principal <name>', 'whose token it is; operator when nobody says'],
      ['--roles <list>', 'of operator, approver, auditor; all when nobody says'],
      ['--in <tenants>', 'where they may ask; in all that are served when nobody says'],
      ...OIDC,
    ],
    load: async () => (await import('./up.ts')).serveRuntime,
  },
  {
    verb: 'rules',
    summary: 'the rules in force, how they came to be, and what a module would change',
    options: [MODULE],
    remote: true,
    load: async () => (await import('./rules.ts')).showRules,
  },
  {
    verb: 'token',
    args: '[name]',
    summary: 'a token for somebody, in place of the one before; a running server takes it at once',
    options: [
      [
        '--role <list>',
        'of operator, approver, auditor, or source alone; who has a token keeps theirs when nobody says',
      ],
      ['--in <tenants>', 'where they may ask; as before when nobody says, else in the first'],
    ],
    load: async () => (await import('./token.ts')).makeToken,
  },
  {
    verb: 'shell',
    args: '[url]',
    summary: 'a terminal on a running server: inbox, decisions, flows, agents, a live tail',
    options: [
      ['--token-file <path>', 'the token; else RUBICON_TOKEN, else it is asked for'],
      ['--insecure-host', 'send the token to another machine in clear text'],
    ],
    load: async () => (await import('./shell/shell.ts')).runShell,
  },
  {
    verb: 'demo',
    args: '[name]',
    summary:
      'in the repository: run one scenario and check that it ends as it should; in a new store where --store says, else in a folder of its own',
    options: [
      ['--list', 'show all of them'],
      ['--http', 'agents and people ask over HTTP, on loopback'],
    ],
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    verb: 'verify',
    args: '[file-or-store]',
    summary: 'check a ledger, a bundle or a store: hashes, signatures, and what was done',
    options: [
      [
        '--trust <key-or-checkpoint>',
        'a key or checkpoint that you got elsewhere, or a file with one',
      ],
      ['--depth <depth>', 'structure, signatures or fold (default)'],
      ['--signatures <which>', 'all or none'],
      ['--law', 'also apply the law again to the facts of every decision'],
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    verb: 'replay',
    args: '<trajectory>',
    summary:
      'fold a trajectory again, from its first entry on and from the record alone, and compare the World with the one that the store has',
    options: [
      ['--full', 'also every resource in the store, and every signature of the ledger'],
      ['--world-hash <hash>', 'report any other World than this one'],
      ['--require-compiler <version>', 'report entries of any other compiler'],
    ],
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    verb: 'recompile',
    args: '<trajectory>',
    summary: 'run recorded decisions through other rules; list verdicts that differ',
    options: [MODULE],
    load: async () => (await import('./recompile.ts')).recompile,
  },
  {
    verb: 'policy check',
    args: '[file...]',
    summary:
      'read policies in Cedar or TypeScript, and say what in them cannot be, or is known to nobody',
    options: [
      [
        '--rules <module>',
        'a module with the capabilities; without files its policies are checked',
      ],
    ],
    load: async () => (await import('./policy-check.ts')).checkPolicies,
  },
  {
    verb: 'policy test',
    args: '<file...>',
    summary: 'hold rules against decisions that were kept as tests',
    options: [MODULE],
    load: async () => (await import('./policy-test.ts')).testPolicies,
  },
  {
    verb: 'export',
    args: '[dfid] [file]',
    summary: 'one flow as a bundle that an auditor verifies offline, or flows to learn from',
    options: [
      [
        '--trajectories',
        'flows as a dataset for training and evaluation, one a line; takes [file]',
      ],
      ['--agent <agent>', 'with --trajectories: of this agent only'],
      ['--limit <count>', 'with --trajectories: at most so many, the newest'],
    ],
    remote: true,
    load: async () => (await import('./export.ts')).exportRecord,
  },
  {
    verb: 'explain',
    args: '[code]',
    summary: 'what a reason code means, why it exists, how to fix it',
    load: async () => (await import('./explain.ts')).explain,
  },
  ...REGISTRY_VERBS,
  ...PERSON_VERBS,
  ...FLOW_VERBS,
  ...ESCALATION_VERBS,
  {
    verb: 'executions list',
    summary: 'effects, uncertain ones first, and flows that did half of their job',
    options: [['--status <status...>', 'only these'], LIMIT],
    remote: true,
    load: async () => (await import('./executions.ts')).listExecutions,
  },
  {
    verb: 'executions reconcile',
    summary: 'find out what became of uncertain effects',
    options: [MODULE],
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
  {
    verb: 'executions resolve',
    args: '<dfid> [step]',
    summary: 'settle, as a person, an effect under review; without a step, a dirty flow',
    options: [
      ['--outcome <outcome>', 'applied, not_applied or abandon'],
      ['--evidence <text>', 'what was found, and where'],
      ['--by <person>', 'who says so'],
      REASON,
      YES,
    ],
    remote: true,
    load: async () => (await import('./resolve.ts')).resolve,
  },
  ...MONITOR_VERBS,
  ...SOURCE_VERBS,
  {
    verb: 'ledger show',
    args: '[trajectory]',
    summary: 'trajectories, or the entries of one',
    options: [['--from <seq>', 'start at this seq'], LIMIT],
    remote: true,
    load: async () => (await import('./ledger.ts')).showLedger,
  },
  {
    verb: 'ledger export',
    args: '<file>',
    summary: 'the whole ledger as NDJSON (`-` for stdout)',
    remote: true,
    load: async () => (await import('./ledger-export.ts')).exportWholeLedger,
  },
  {
    verb: 'clock confirm',
    summary: 'confirm, signed and for ever visible, a clock that was set back or far forward',
    options: [REASON],
    remote: true,
    load: async () => (await import('./clock.ts')).confirmClockOf,
  },
  {
    verb: 'ledger accept-restore',
    summary: 'accept, signed and for ever visible, that entries are lost',
    options: [REASON],
    load: async () => (await import('./ledger.ts')).acceptLoss,
  },
  {
    verb: 'branch',
    args: '<trajectory>',
    summary: 'a new trajectory from an entry of another, with its World',
    options: [
      ['--at <seq>', 'the entry it starts from'],
      ['--name <name>', 'what it is called'],
      ['--note <text>', 'why'],
    ],
    remote: true,
    load: async () => (await import('./branch.ts')).runBranch,
  },
  {
    verb: 'doctor',
    summary: 'check this machine, the store and the keys; say how to fix what is wrong',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    verb: 'schema',
    args: '[verb...]',
    summary: 'what a verb prints with --json, as JSON Schema',
    load: async () => (await import('./schema.ts')).showSchema,
  },
]
