/** Verbs of whoever has nothing yet: a look, and a project of their own. */
import type { VerbSpec } from './verb-spec.ts'

export const FIRST_VERBS: readonly VerbSpec[] = [
  {
    verb: 'quickstart',
    summary:
      'run a demo agent that makes four proposals, and verify its ledger; in a new store (--store) or in a temporary folder',
    load: async () => (await import('./quickstart.ts')).runQuickstart,
  },
  {
    verb: 'init',
    args: '[folder]',
    summary:
      'create a project in an empty folder: an agent with a scripted model, its contract, a capability and a test',
    options: [
      ['--packages <folder>', 'a folder of tarballs to take the packages from (default: npm)'],
    ],
    load: async () => (await import('./create-project.ts')).createProject,
  },
]
