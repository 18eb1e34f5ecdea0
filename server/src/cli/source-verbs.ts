/** The verbs about sources of facts. */
import { type VerbSpec, YES } from './verb-spec.ts'

export const SOURCE_VERBS: readonly VerbSpec[] = [
  {
    verb: 'source list',
    summary: 'list sources of facts, with their labels and paths',
    remote: true,
    load: async () => (await import('./sources.ts')).listSources,
  },
  {
    verb: 'source add',
    args: '<name>',
    summary: 'register a source of facts; one with the same name is replaced',
    options: [
      ['--label <label>', 'trusted, operator or external'],
      ['--paths <paths>', 'the paths it owns, or prefixes ending in *, separated by commas'],
      ['--max-paths <n>', 'the maximum number of paths that it may report'],
      ['--key <base64>', 'its Ed25519 public key: its facts must then be signed'],
    ],
    remote: true,
    load: async () => (await import('./sources.ts')).addSource,
  },
  {
    verb: 'source retire',
    args: '<name>',
    summary: 'retire a source: its facts are absent from now on',
    options: [YES],
    remote: true,
    load: async () => (await import('./sources.ts')).retireSource,
  },
]
