/** What looks at the ledger and exports it, and keeps its payloads elsewhere. */
import { ARCHIVE, ARCHIVE_VERBS } from './archive-verbs.ts'
import { LIMIT, type VerbSpec } from './verb-spec.ts'

export const LEDGER_VERBS: readonly VerbSpec[] = [
  {
    verb: 'ledger show',
    args: '[trajectory]',
    summary: 'list trajectories, the entries of one, or one of them (main/5)',
    options: [
      ['--from <seq>', 'start at this entry, by its number in the trajectory (seq)'],
      LIMIT,
    ],
    remote: true,
    load: async () => (await import('./ledger.ts')).showLedger,
  },
  {
    verb: 'ledger export',
    args: '<file>',
    summary: 'export the whole ledger as NDJSON (`-` for stdout)',
    options: [ARCHIVE],
    remote: true,
    load: async () => (await import('./ledger-export.ts')).exportWholeLedger,
  },
  ...ARCHIVE_VERBS,
]
