/** The verbs about tools that are data. */
import type { Option, VerbSpec } from './verb-spec.ts'

const TOOLS: Option = ['--tools <file>', 'the tools file; tools.yaml when nobody says']

export const TOOL_VERBS: readonly VerbSpec[] = [
  {
    verb: 'tool list',
    summary: 'the tools of a tools file: what each does, where it goes, and whether it may',
    options: [TOOLS],
    load: async () => (await import('./tool-list.ts')).listTools,
  },
  {
    verb: 'tool check',
    args: '<file...>',
    summary: 'judge manifests, and tools files with all that they list, as loading would',
    load: async () => (await import('./tool-check.ts')).checkTools,
  },
  {
    verb: 'tool add',
    args: '<manifest>',
    summary: 'list a manifest in a tools file, and say what has to be allowed before it loads',
    options: [TOOLS],
    load: async () => (await import('./tool-add.ts')).addToolFile,
  },
  {
    verb: 'tool import',
    args: '<document>',
    summary: 'draft manifests of operations in OpenAPI; each is refused until somebody has decided',
    options: [
      ['--operations <names>', 'which, between commas; without it all are listed'],
      ['--out <folder>', 'where they are written; here when nobody says'],
    ],
    load: async () => (await import('./tool-import.ts')).importTools,
  },
]
