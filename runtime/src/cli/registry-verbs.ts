/** The verbs that change who may do what: contracts, agents, keys and writs. */
import { REASON, type VerbSpec, YES } from './verb-spec.ts'

export const REGISTRY_VERBS: readonly VerbSpec[] = [
  {
    verb: 'contract check',
    args: '<file...>',
    summary: 'read contracts and name every problem with file and line',
    options: [
      ['--rules <module>', 'a module whose `capabilities` must answer what the contracts ask'],
    ],
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
    summary: 'an agent: its contract in force, versions, instances, recent flows',
    load: async () => (await import('./agents.ts')).showAgent,
  },
  {
    verb: 'agents suspend',
    args: '<agent>',
    summary: 'stop an agent; only an operator starts it again',
    options: [REASON, YES],
    load: async () => (await import('./agent-moves.ts')).suspendAgent,
  },
  {
    verb: 'agents reactivate',
    args: '<agent>',
    summary: 'start a suspended agent again',
    options: [REASON],
    load: async () => (await import('./agent-moves.ts')).reactivateAgent,
  },
  {
    verb: 'agents retire',
    args: '<agent>',
    summary: 'end an agent for good',
    options: [REASON, YES],
    load: async () => (await import('./agent-moves.ts')).retireAgent,
  },
  {
    verb: 'agents kill',
    args: '<agent>',
    summary: 'suspend an agent and revoke its contract at once; its flows end',
    options: [REASON, YES],
    load: async () => (await import('./agent-moves.ts')).killAgent,
  },
  {
    verb: 'agents spawn',
    args: '<class> <instance>',
    summary: 'make an instance of an agent, under its contract or less',
    options: [
      ['--narrowing <file>', 'what is narrower than in the contract of the class'],
      ['--parent <agent>', 'to whom it escalates: the class, or the parent of the class'],
    ],
    load: async () => (await import('./agent-spawn.ts')).spawnAgent,
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
    load: async () => (await import('./key-register.ts')).registerKeyOf,
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
]
