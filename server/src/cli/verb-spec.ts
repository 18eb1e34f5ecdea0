import type { Verb } from './call.ts'

/** What is typed, and what it does. */
export type Option = readonly [flags: string, description: string]

export type VerbSpec = {
  /** The words that are typed. */
  readonly verb: string
  readonly args?: string
  readonly summary: string
  readonly options?: readonly Option[]
  /** It asks the routes, of this process or of a server that runs: it takes `--server`. */
  readonly remote?: true
  /** It works only where this workspace of the repository is; elsewhere the help does not show it. */
  readonly workspace?: string
  readonly load: () => Promise<Verb>
}

/** The options of a verb, with those of whoever asks a server. */
export function listOptions({ options = [], remote }: VerbSpec): readonly Option[] {
  return remote === true ? [...options, ...SERVER] : options
}

/** How a server that runs is asked. A token is never an argument, which all can read. */
const SERVER: readonly Option[] = [
  ['--server <url>', 'use the server at this address instead of the store'],
  [
    '--token-file <path>',
    'with --server: a file with the token (default: RUBICON_TOKEN, else a prompt)',
  ],
  ['--insecure-host', 'with --server: allow sending the token to another machine in clear text'],
]

/** Options that several verbs take. */
export const YES: Option = ['--yes', 'do not ask for confirmation']
export const REASON: Option = ['--reason <text>', 'why; it is signed and recorded']
export const LIMIT: Option = ['--limit <n>', 'the maximum number of rows']
