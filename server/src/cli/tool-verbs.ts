/** The verbs about tools that are data. */
import type { Option, VerbSpec } from './verb-spec.ts'

const TOOLS: Option = ['--tools <file>', 'the tools file (default: tools.yaml)']

export const TOOL_VERBS: readonly VerbSpec[] = [
  {
    verb: 'tool list',
    summary:
      'list the tools of a tools file, with destinations, secrets and whether they are allowed',
    options: [TOOLS],
    load: async () => (await import('./tool-list.ts')).listTools,
  },
  {
    verb: 'tool check',
    args: '<file...>',
    summary: 'check manifests, and tools files with the manifests that they list',
    load: async () => (await import('./tool-check.ts')).checkTools,
  },
  {
    verb: 'tool add',
    args: '<manifest>',
    summary: 'add a manifest to a tools file, and show what has to be allowed before it loads',
    options: [TOOLS],
    load: async () => (await import('./tool-add.ts')).addToolFile,
  },
  {
    verb: 'tool import',
    args: '<document>',
    summary: 'draft manifests from an OpenAPI document; each is refused until it is reviewed',
    options: [
      [
        '--operations <names>',
        'their names, separated by commas; without it, all operations are listed',
      ],
      ['--out <folder>', 'the folder to write to (default: the current one)'],
    ],
    load: async () => (await import('./tool-import.ts')).importTools,
  },
]
