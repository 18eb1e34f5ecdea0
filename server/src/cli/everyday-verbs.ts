/** Verbs of whoever writes a project: serve it while it changes, throw its store away, look at a finished demo. */
import { SCENARIOS_PACKAGE } from './repository-verb.ts'
import { type Option, type VerbSpec, YES } from './verb-spec.ts'

const NO_OPEN: Option = ['--no-open', 'do not open the browser']

export const EVERYDAY_VERBS: readonly VerbSpec[] = [
  {
    verb: 'dev',
    args: '[folder]',
    summary:
      'serve a project while you write it: every change is checked, and deployed to a separate dev store (.rubicon/dev)',
    options: [
      [
        '--rules <module>',
        'the module with `capabilities` and `policies` (default: rules.ts, rules.js or tools.yaml in the folder)',
      ],
      ['--port <n>', 'the port to listen on (default: 7420)'],
      NO_OPEN,
    ],
    load: async () => (await import('./dev/dev.ts')).serveDevProject,
  },
  {
    verb: 'reset',
    summary:
      'delete a store that `dev`, `quickstart` or `up --demo` created: the dev store of this folder, or the one that --store names',
    options: [['--dev', 'the dev store of this folder (default)'], YES],
    load: async () => (await import('./reset.ts')).resetStore,
  },
  {
    verb: 'open',
    args: '[demo]',
    summary:
      'run a demo to its end and show it in the console until you stop it; without a name, list the demos',
    options: [['--port <n>', 'the port to listen on (default: 7420)'], NO_OPEN],
    load: async () => (await import('./open-demo.ts')).openDemo,
  },
  {
    verb: 'demo',
    args: '[name]',
    summary:
      'run a scenario and check its end (repository only); in a new store (--store) or in a temporary folder',
    options: [
      ['--list', 'list the scenarios'],
      ['--http', 'agents and people use HTTP, on loopback'],
    ],
    workspace: SCENARIOS_PACKAGE,
    load: async () => (await import('./demo.ts')).runDemo,
  },
]
