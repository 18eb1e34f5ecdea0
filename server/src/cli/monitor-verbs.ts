/** The verbs about monitors. */
import { REASON, type VerbSpec, YES } from './verb-spec.ts'

export const MONITOR_VERBS: readonly VerbSpec[] = [
  {
    verb: 'monitors list',
    summary: 'what is watched, and what each monitor says now',
    remote: true,
    load: async () => (await import('./monitors.ts')).listMonitors,
  },
  {
    verb: 'monitors deploy',
    args: '<file...>',
    summary: 'put monitors in force; one of the same name takes the place of the other',
    remote: true,
    load: async () => (await import('./monitors.ts')).deployMonitors,
  },
  {
    verb: 'monitors withdraw',
    args: '<name>',
    summary: 'end a monitor',
    options: [REASON, YES],
    remote: true,
    load: async () => (await import('./monitors.ts')).withdrawMonitor,
  },
  {
    verb: 'monitors dry-run',
    args: '[file...]',
    summary: 'what monitors, or a changed contract, would have done over the history of the store',
    options: [
      ['--contract <file>', 'the thresholds of this contract, and its verdicts'],
      ['--rules <module>', 'a module that exports `capabilities` and `policies`, for the verdicts'],
      ['--trajectory <name>', 'whose verdicts; main when nobody says'],
    ],
    load: async () => (await import('./monitors-dry-run.ts')).runDryRun,
  },
]
