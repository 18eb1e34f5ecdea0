/** Mistakes about artifacts that name each other. */
import type { Patch } from './patch.ts'

const RENAMES = 'artifacts/src/project/plan-project-rename.test.ts'

export const PROJECT_PATCHES: readonly Patch[] = [
  {
    name: 'rename-of-names-that-others-chose',
    test: {
      file: RENAMES,
      title: 'a symbol of a generated project has its new name everywhere and nowhere else',
    },
    edits: [
      {
        file: 'artifacts/src/project/rename-splices.ts',
        function: 'listRenameSplices',
        before: 'uses.filter(({ isAliased }) => !isAliased)',
        after: 'uses',
      },
    ],
  },
  {
    name: 'rename-captured-within-the-symbol',
    test: {
      file: RENAMES,
      title: 'a use within the symbol itself is not captured by a local name',
    },
    edits: [
      {
        file: 'artifacts/src/project/plan-project-rename.ts',
        function: 'findLost',
        before: 'lost === null || lost === undefined',
        after: 'true',
      },
    ],
  },
  {
    name: 'rename-past-a-module-handed-on',
    test: {
      file: RENAMES,
      title: 'a module that is handed on as a whole where the name stands is refused',
    },
    edits: [
      {
        file: 'artifacts/src/project/plan-project-rename.ts',
        function: 'findUnknown',
        before: 'found !== undefined && hasWord(found, old)',
        after: 'found === undefined',
      },
    ],
  },
  {
    name: 'hash-without-the-version-of-a-package',
    test: {
      file: 'artifacts/src/project/hash-project.test.ts',
      title: 'a hash follows references, and those who refer to each other are one unit',
    },
    edits: [
      {
        file: 'artifacts/src/project/hash-project.ts',
        function: 'writeEdge',
        before: 'to.external.name, to.external.hash',
        after: 'to.external.name',
      },
    ],
  },
  {
    name: 'enum-member-numbered-by-nobody',
    test: {
      file: 'artifacts/src/project/semantic-conflicts.test.ts',
      title:
        'a new member of an enum is a conflict with what counts on all members or on their numbers',
    },
    edits: [
      {
        file: 'artifacts/src/project/enum-use.ts',
        function: 'findValue',
        before: 'count += 1',
        after: 'count += 0',
      },
    ],
  },
]
