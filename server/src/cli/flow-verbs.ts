/** The verbs about decision flows. */
import { REASON, type VerbSpec, YES } from './verb-spec.ts'

export const FLOW_VERBS: readonly VerbSpec[] = [
  {
    verb: 'flows list',
    summary: 'list flows, newest first',
    options: [
      ['--in <state...>', 'only in these states'],
      ['--agent <agent>', 'only of this agent'],
      ['--reason <code>', 'only those whose last verdict, or end, has this reason'],
      ['--kind <kind>', 'only those whose last proposal is of this kind'],
      ['--tag <tag>', 'only with this tag, such as NEEDS_REVIEW'],
      ['--conversation <name>', 'only calls of this conversation of the agent'],
      ['--limit <n>', 'the maximum number of rows'],
    ],
    remote: true,
    load: async () => (await import('./flows.ts')).listFlows,
  },
  {
    verb: 'flows show',
    args: '<dfid>',
    summary: 'show a flow from trigger to outcome',
    remote: true,
    load: async () => (await import('./flow-show.ts')).showFlow,
  },
  {
    verb: 'flows open',
    args: '<agent>',
    summary:
      'open a flow for an agent in a branch: its steps change only the recorded state (World), not other systems',
    options: [
      ['--branch <name>', 'the branch that the flow is in'],
      ['--trigger <text>', 'the reason for opening the flow'],
      ['--many', 'for several steps; its agent closes it'],
    ],
    remote: true,
    load: async () => (await import('./flow-open.ts')).openBranchFlow,
  },
  {
    verb: 'flows cancel',
    args: '<dfid>',
    summary: 'cancel a flow of which nothing was sent',
    options: [REASON, YES],
    remote: true,
    load: async () => (await import('./flows.ts')).cancel,
  },
  {
    verb: 'flows review',
    args: '<dfid>',
    summary: 'clear NEEDS_REVIEW: you have looked at the flagged flow, and it needs no change',
    options: [['--by <person>', 'the person who has looked at the flow'], REASON, YES],
    remote: true,
    load: async () => (await import('./flow-review.ts')).reviewFlow,
  },
  {
    verb: 'flows watch',
    summary: 'show entries as they are written',
    options: [
      ['--from <leaf>', 'start at this entry, by its number in the ledger (leaf)'],
      ['--until-idle', 'exit when there are no more entries'],
    ],
    remote: true,
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    verb: 'erase',
    args: '<dfid>',
    summary: 'erase the payloads of an ended flow permanently; signed and recorded',
    options: [
      REASON,
      ['--by <person>', 'who asks for it'],
      ['--dry-run', 'only show what would be erased'],
      YES,
    ],
    remote: true,
    load: async () => (await import('./erase.ts')).erase,
  },
]
