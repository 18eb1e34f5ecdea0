/** The verbs about monitors. */
import { REASON, type VerbSpec, YES } from './verb-spec.ts'

export const MONITOR_VERBS: readonly VerbSpec[] = [
  {
    verb: 'monitors list',
    summary: 'list monitors and their current results',
    remote: true,
    load: async () => (await import('./monitors.ts')).listMonitors,
  },
  {
    verb: 'monitors deploy',
    args: '<file...>',
    summary: 'deploy monitors; one with the same name is replaced',
    remote: true,
    load: async () => (await import('./monitors.ts')).deployMonitors,
  },
  {
    verb: 'monitors withdraw',
    args: '<name>',
    summary: 'withdraw a monitor',
    options: [REASON, YES],
    remote: true,
    load: async () => (await import('./monitors.ts')).withdrawMonitor,
  },
  {
    verb: 'monitors dry-run',
    args: '[file...]',
    summary:
      'show what monitors, or a changed contract, would have done over the history of the store',
    options: [
      ['--contract <file>', 'use the thresholds of this contract, and its verdicts'],
      ['--rules <module>', 'a module that exports `capabilities` and `policies`, for the verdicts'],
      ['--trajectory <name>', 'the trajectory with the verdicts (default: main)'],
    ],
    load: async () => (await import('./monitors-dry-run.ts')).runDryRun,
  },
]
