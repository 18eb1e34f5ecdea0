/** The verbs about decision flows. */
import { REASON, type VerbSpec, YES } from './verb-spec.ts'

export const FLOW_VERBS: readonly VerbSpec[] = [
  {
    verb: 'flows list',
    summary: 'decision flows, newest first',
    options: [
      ['--in <state...>', 'only in these states'],
      ['--agent <agent>', 'only of this agent'],
      ['--limit <n>', 'at most so many'],
    ],
    remote: true,
    load: async () => (await import('./flows.ts')).listFlows,
  },
  {
    verb: 'flows show',
    args: '<dfid>',
    summary: 'a flow from trigger to outcome',
    remote: true,
    load: async () => (await import('./flow-show.ts')).showFlow,
  },
  {
    verb: 'flows cancel',
    args: '<dfid>',
    summary: 'end a flow of which nothing was sent',
    options: [REASON, YES],
    remote: true,
    load: async () => (await import('./flows.ts')).cancel,
  },
  {
    verb: 'flows watch',
    summary: 'entries as they are written',
    options: [
      ['--from <leaf>', 'start at this leaf'],
      ['--until-idle', 'end when nothing more is there'],
    ],
    remote: true,
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    verb: 'erase',
    args: '<dfid>',
    summary: 'take out what an ended flow said, for good; signed and recorded',
    options: [
      REASON,
      ['--by <person>', 'who asks for it'],
      ['--dry-run', 'only say what would go'],
      YES,
    ],
    remote: true,
    load: async () => (await import('./erase.ts')).erase,
  },
]
