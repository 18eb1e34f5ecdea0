/** The verbs about sources of facts. */
import { type VerbSpec, YES } from './verb-spec.ts'

export const SOURCE_VERBS: readonly VerbSpec[] = [
  {
    verb: 'source list',
    summary: 'who may say what is so: sources, their labels and their paths',
    remote: true,
    load: async () => (await import('./sources.ts')).listSources,
  },
  {
    verb: 'source add',
    args: '<name>',
    summary: 'register a source of facts; one of the same name takes its place',
    options: [
      ['--label <label>', 'trusted, operator or external'],
      ['--paths <paths>', 'paths it owns, and prefixes ending in *, between commas'],
      ['--max-paths <n>', 'the most paths that it may speak of'],
      ['--key <base64>', 'its Ed25519 public key: what it says must then be signed'],
    ],
    remote: true,
    load: async () => (await import('./sources.ts')).addSource,
  },
  {
    verb: 'source retire',
    args: '<name>',
    summary: 'end a source: what it said is absent from then on',
    options: [YES],
    remote: true,
    load: async () => (await import('./sources.ts')).retireSource,
  },
]
