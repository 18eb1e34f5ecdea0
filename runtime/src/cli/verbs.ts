/** Every verb: what is typed, what it does in one line, and where it is. One file a verb. */
import type { Verb } from './call.ts'

export type VerbSpec = {
  /** The words that are typed. */
  readonly verb: string
  readonly args?: string
  readonly summary: string
  readonly options?: readonly (readonly [flags: string, description: string])[]
  readonly load: () => Promise<Verb>
}

export const GROUPS: Readonly<Record<string, string>> = {
  contract: 'what agents may do: check, deploy, diff, revoke',
  agents: 'registered agents and their lifecycle',
  keys: 'registered public keys',
  writ: 'signed authority documents',
  flows: 'decision flows',
  executions: 'effects on the outside',
  ledger: 'the record itself',
}

const YES = ['--yes', 'do not ask'] as const
const REASON = ['--reason <text>', 'why; it is signed and recorded'] as const
const LIMIT = ['--limit <n>', 'at most so many'] as const
const MODULE = ['--rules <module>', 'a module that exports `capabilities` and `policies`'] as const

export const VERBS: readonly VerbSpec[] = [
  {
    verb: 'quickstart',
    summary: 'four proposals, four answers, one ledger that cannot be edited; takes a second',
    load: async () => (await import('./quickstart.ts')).quickstart,
  },
  {
    verb: 'demo',
    args: '[name]',
    summary: 'run one scenario and check that it ends as it should',
    options: [['--list', 'show all of them']],
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    verb: 'verify',
    args: '[file-or-store]',
    summary: 'check every hash, link and signature of a ledger, a bundle or a store',
    options: [
      ['--trust <key-or-checkpoint>', 'a public key or checkpoint that you got elsewhere'],
      ['--signatures <which>', 'all or none'],
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    verb: 'replay',
    args: '<trajectory>',
    summary: 'fold a trajectory again, from the record alone',
    options: [
      ['--full', 'from the first entry on, without World snapshots'],
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
    verb: 'export',
    args: '<dfid> [file]',
    summary: 'one flow as a bundle that an auditor verifies offline',
    load: async () => (await import('./export.ts')).exportFlow,
  },
  {
    verb: 'explain',
    args: '[code]',
    summary: 'what a reason code means, why it exists, how to fix it',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    verb: 'contract check',
    args: '<file...>',
    summary: 'read contracts and name every problem with file and line',
    load: async () => (await import('./contract.ts')).checkContracts,
  },
  {
    verb: 'contract deploy',
    args: '<file...>',
    summary: 'put contracts in force; a version is immutable',
    options: [['--revoke-previous', 'end open flows of earlier versions']],
    load: async () => (await import('./contract.ts')).deployContracts,
  },
  {
    verb: 'contract diff',
    args: '<file...>',
    summary: 'what deploying would change',
    load: async () => (await import('./contract.ts')).diffContracts,
  },
  {
    verb: 'contract revoke',
    args: '<agent>',
    summary: 'end a contract at once, open flows included (`AGENT@vVERSION` for one version)',
    options: [REASON, YES],
    load: async () => (await import('./contract.ts')).revokeContract,
  },
  {
    verb: 'agents list',
    summary: 'who is registered, and in which state',
    load: async () => (await import('./agents.ts')).listAgents,
  },
  {
    verb: 'agents show',
    args: '<agent>',
    summary: 'an agent: its contract in force, versions, recent flows',
    load: async () => (await import('./agents.ts')).showAgent,
  },
  {
    verb: 'agents suspend',
    args: '<agent>',
    summary: 'stop an agent; only an operator starts it again',
    options: [REASON, YES],
    load: async () => (await import('./agents.ts')).suspendAgent,
  },
  {
    verb: 'agents reactivate',
    args: '<agent>',
    summary: 'start a suspended agent again',
    options: [REASON],
    load: async () => (await import('./agents.ts')).reactivateAgent,
  },
  {
    verb: 'agents retire',
    args: '<agent>',
    summary: 'end an agent for good',
    options: [REASON, YES],
    load: async () => (await import('./agents.ts')).retireAgent,
  },
  {
    verb: 'keys list',
    summary: 'registered public keys',
    load: async () => (await import('./keys.ts')).listKeys,
  },
  {
    verb: 'keys show',
    args: '<key-id>',
    summary: 'one key, with its public key as `verify --trust` takes it',
    load: async () => (await import('./keys.ts')).showKey,
  },
  {
    verb: 'keys register',
    args: '[file]',
    summary: 'register a key that proves its possession; without a file, make one',
    options: [
      ['--purpose <purpose>', 'operator, issuer, agent, approver, kernel, checkpoint or witness'],
      ['--subject <who>', 'whose key it is'],
      ['--out <file>', 'where the private key goes when one is made'],
    ],
    load: async () => (await import('./key-register.ts')).register,
  },
  {
    verb: 'keys retire',
    args: '<key-id>',
    summary: 'from now on its signatures do not count',
    options: [YES],
    load: async () => (await import('./keys.ts')).retire,
  },
  {
    verb: 'keys compromise',
    args: '<key-id>',
    summary: 'its signatures do not count from an authority seq on',
    options: [['--since <seq>', 'the first authority seq that is in doubt'], YES],
    load: async () => (await import('./keys.ts')).compromise,
  },
  {
    verb: 'writ issue',
    args: '<agent>',
    summary: 'the largest writ that the contract of an agent allows',
    options: [
      ['--audience <service>', 'for another service'],
      ['--hours <n>', 'how long it counts'],
    ],
    load: async () => (await import('./writ.ts')).issue,
  },
  {
    verb: 'writ inspect',
    args: '[id-or-file]',
    summary: 'one writ, or a list of those issued by hand',
    load: async () => (await import('./writ.ts')).inspect,
  },
  {
    verb: 'writ attenuate',
    args: '<id>',
    summary: 'a narrower writ under another one',
    options: [
      ['--subject <agent>', 'to whom'],
      ['--kind <kind...>', 'only these kinds'],
      ['--budget <measure=amount...>', 'at most this much'],
      ['--hours <n>', 'how long it counts'],
    ],
    load: async () => (await import('./writ.ts')).attenuate,
  },
  {
    verb: 'writ revoke',
    args: '<id>',
    summary: 'end a writ and everything under it',
    options: [REASON, YES],
    load: async () => (await import('./writ.ts')).revokeWrit,
  },
  {
    verb: 'flows list',
    summary: 'decision flows, newest first',
    options: [
      ['--in <state...>', 'only in these states'],
      ['--agent <agent>', 'only of this agent'],
      LIMIT,
    ],
    load: async () => (await import('./flows.ts')).listFlows,
  },
  {
    verb: 'flows show',
    args: '<dfid>',
    summary: 'a flow from trigger to outcome',
    load: async () => (await import('./flow-show.ts')).showFlow,
  },
  {
    verb: 'flows cancel',
    args: '<dfid>',
    summary: 'end a flow of which nothing was sent',
    options: [REASON, YES],
    load: async () => (await import('./flows.ts')).cancel,
  },
  {
    verb: 'flows watch',
    summary: 'entries as they are written',
    options: [
      ['--from <leaf>', 'start at this leaf'],
      ['--until-idle', 'end when nothing more is there'],
    ],
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    verb: 'executions list',
    summary: 'effects, uncertain ones first',
    options: [['--status <status...>', 'only these'], LIMIT],
    load: async () => (await import('./executions.ts')).listExecutions,
  },
  {
    verb: 'executions reconcile',
    summary: 'find out what became of uncertain effects',
    options: [MODULE],
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
  {
    verb: 'ledger show',
    args: '[trajectory]',
    summary: 'trajectories, or the entries of one',
    options: [['--from <seq>', 'start at this seq'], LIMIT],
    load: async () => (await import('./ledger.ts')).showLedger,
  },
  {
    verb: 'ledger export',
    args: '<file>',
    summary: 'the whole ledger as NDJSON (`-` for stdout)',
    load: async () => (await import('./ledger.ts')).exportWhole,
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
    load: async () => (await import('./branch.ts')).branch,
  },
  {
    verb: 'doctor',
    summary: 'check this machine, the store and the keys; say how to fix what is wrong',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    verb: 'schema',
    args: '[verb...]',
    summary: 'what a verb prints with --json, as JSON Schema',
    load: async () => (await import('./schema.ts')).schema,
  },
]
