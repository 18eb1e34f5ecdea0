/** Mistakes about deltas on artifacts: what they claim, what they leave behind, and what of them can be undone. */
import type { Patch } from './patch.ts'

const CLAIMS = 'artifacts/src/claims/claim-delta.test.ts'
const HISTORY = 'artifacts/src/text/history.test.ts'

export const DELTAS_PATCHES: readonly Patch[] = [
  {
    name: 'class-read-as-a-whole',
    test: {
      file: CLAIMS,
      title: 'two methods for one class compose, though one of them names the class',
    },
    edits: [
      {
        file: 'artifacts/src/claims/list-reads.ts',
        function: 'readSymbol',
        before: 'if (!isOpen)',
        after: 'if (!isOpen || container !== null)',
      },
    ],
  },
  {
    name: 'body-counted-as-definition',
    test: {
      file: 'artifacts/src/tree/definition-hash.test.ts',
      title: 'comments, white space and what a function does are no part of its definition',
    },
    edits: [
      {
        file: 'artifacts/src/tree/definition-hash.ts',
        function: 'describeAnew',
        before: 'isAll ? null : body',
        after: 'isAll ? null : null',
      },
    ],
  },
  {
    name: 'reference-left-behind',
    test: {
      file: 'artifacts/src/delta/find-dangling.test.ts',
      title: 'what is still referred to is not removed, and it is said where',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-delta.ts',
        function: 'planDelta',
        before: 'if (dangling !== null) return err(dangling)',
        after: 'void dangling',
      },
    ],
  },
  {
    name: 'undone-below-what-stands-on-it',
    test: {
      file: HISTORY,
      title: 'what was taken out does not come back within what another has written over its place',
    },
    edits: [
      {
        file: 'artifacts/src/text/history.ts',
        function: '#splice',
        before: 'chunk.covered = [...chunk.covered, change]',
        after: 'if (isSeen(chunk)) chunk.covered = [...chunk.covered, change]',
      },
    ],
  },
  {
    name: 'import-before-an-effect',
    test: {
      file: 'artifacts/src/delta/imports/plan-add-import.test.ts',
      title: 'nothing is put before what is imported for its effect, and that is not touched',
    },
    edits: [
      {
        file: 'artifacts/src/delta/imports/place-import.ts',
        function: 'placeImport',
        before: "imports.findLastIndex(({ order }) => order === 'fixed') + 1",
        after: '0',
      },
    ],
  },
]
