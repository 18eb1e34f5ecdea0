/** `rubicon archive …`, and the option of verbs that read archives. */
import type { Option, VerbSpec } from './verb-spec.ts'

export const ARCHIVE: Option = ['--archive <file...>', 'archives to read together with the store']

const APPLY: Option = ['--apply', 'make the change; without it nothing is written']

export const ARCHIVE_VERBS: readonly VerbSpec[] = [
  {
    verb: 'archive create',
    args: '<file>',
    summary: 'move the payloads of flows that ended long ago into a file',
    options: [
      ['--before <time>', 'flows that ended before: a date, a time, or how long ago (90d)'],
      APPLY,
    ],
    load: async () => (await import('./archive.ts')).createArchive,
  },
  {
    verb: 'archive restore',
    args: '<file>',
    summary: 'put the payloads of a file back into the store',
    options: [APPLY],
    load: async () => (await import('./archive-restore.ts')).restoreArchive,
  },
  {
    verb: 'archive list',
    summary: 'list the files that hold payloads of the store',
    load: async () => (await import('./archive-list.ts')).listArchives,
  },
]
