/** Options that take a value, so that the value is not mistaken for a verb. */
import { listOptions } from './verb-spec.ts'
import { VERBS } from './verbs.ts'

export const VALUE_OPTIONS: ReadonlySet<string> = new Set([
  '--store',
  '--store-file',
  '--state',
  '--passphrase-file',
  '--key-agent',
  '--tenant',
  ...VERBS.flatMap(listOptions)
    .filter(([flags]) => flags.includes('<'))
    .map(([flags]) => flags.split(' ')[0] ?? ''),
])
