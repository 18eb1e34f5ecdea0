/** The verbs about merging in git by symbols. */
import type { Option, VerbSpec } from './verb-spec.ts'

const SCOPE: readonly Option[] = [
  ['--local', 'for one repository (default)'],
  ['--global', 'for all repositories of this user'],
  ['--folder <path>', 'a folder of the repository (default: the current one)'],
]

export const MERGE_DRIVER_VERBS: readonly VerbSpec[] = [
  {
    verb: 'merge-driver install',
    summary: 'let git merge code, JSON and YAML by symbols: its configuration, and .gitattributes',
    options: SCOPE,
    load: async () => (await import('./merge-driver-install.ts')).installMergeDriver,
  },
  {
    verb: 'merge-driver uninstall',
    summary: 'undo `merge-driver install`',
    options: SCOPE,
    load: async () => (await import('./merge-driver-install.ts')).removeMergeDriver,
  },
  {
    verb: 'merge-driver run',
    args: '<base> <ours> <theirs> <path> [marker-size]',
    summary: 'merge three files by symbols into <ours>; git calls it with %O %A %B %P %L',
    load: async () => (await import('./merge-driver-run.ts')).runMergeDriver,
  },
]
