/** The verbs about artifacts: files by what they hold. */
import { LIMIT, type Option, type VerbSpec } from './verb-spec.ts'

const ROOT: Option = [
  '--root <folder>',
  'the folder that artifacts are named from (default: the current one)',
]
const BY: Option = ['--by <person>', 'who changes it, for the history (default: the user)']

const TRAJECTORY: Option = ['--trajectory <id>', 'of this trajectory (default: main)']
const AT: Option = ['--at <seq>', 'as it was at this entry (default: the last one)']

export const ARTIFACT_VERBS: readonly VerbSpec[] = [
  {
    verb: 'artifact show',
    args: '<file> [path]',
    summary: 'show the symbols of a file as a tree, or one symbol as it is written',
    options: [ROOT],
    load: async () => (await import('./artifact/show.ts')).showArtifact,
  },
  {
    verb: 'artifact symbols',
    args: '<file-or-folder>',
    summary: 'list symbols with their paths, files and lines',
    options: [
      ROOT,
      ['--kind <kind>', 'only of this kind, such as class, method or key'],
      ['--name <name>', 'only with this name'],
    ],
    load: async () => (await import('./artifact/symbols.ts')).listSymbols,
  },
  {
    verb: 'artifact apply',
    args: '<file>',
    summary: 'change a file by its structure: show the difference, write it, record how to undo it',
    options: [
      ['--delta <json>', 'a delta or a list of them, as JSON, or @FILE'],
      ['--dry-run', 'only show what would change'],
      BY,
      ROOT,
    ],
    load: async () => (await import('./artifact/apply.ts')).applyDeltas,
  },
  {
    verb: 'artifact undo',
    args: '[event]',
    summary:
      'undo a recorded change, by default the last one; an older one only if no later change depends on it',
    options: [['--list', 'list the recorded changes'], BY, ROOT],
    load: async () => (await import('./artifact/undo.ts')).undoEvent,
  },
  {
    verb: 'artifact diff',
    args: '<a> [b]',
    summary: 'compare two files, or a file with its past, by structure',
    options: [
      [
        '--since <event>',
        'with one file: compare with the version after this event (default: the first known version)',
      ],
      ROOT,
    ],
    load: async () => (await import('./artifact/diff.ts')).compareArtifacts,
  },
  {
    verb: 'artifact adopt',
    args: '<file-or-folder...>',
    summary: 'have an agent record the present files in the ledger, or that they were deleted',
    options: [
      ['--agent <name>', 'the agent, whose contract has `artifact.adopt` and these names'],
      ['--key <file>', 'the private key of the agent (default: in the state directory)'],
      ROOT,
    ],
    load: async () => (await import('./artifact/adopt.ts')).adoptArtifacts,
  },
  {
    verb: 'artifact list',
    summary: 'list the artifacts that the ledger knows, with the hashes of their contents',
    options: [TRAJECTORY, AT, LIMIT],
    remote: true,
    load: async () => (await import('./artifact/ledger-lists.ts')).listKnownArtifacts,
  },
  {
    verb: 'artifact changes',
    args: '[name]',
    summary: 'list what agents changed, newest first, in one artifact or in all of them',
    options: [TRAJECTORY, LIMIT],
    remote: true,
    load: async () => (await import('./artifact/ledger-lists.ts')).listKnownChanges,
  },
  {
    verb: 'artifact plans',
    summary: 'list open plans of agents, with the symbols that they claim',
    options: [TRAJECTORY, AT, LIMIT],
    remote: true,
    load: async () => (await import('./artifact/ledger-lists.ts')).listKnownPlans,
  },
]
