/** Mistakes about merging by symbols: what would be lost, doubled, or merged without a word. */
import type { Patch } from './patch.ts'

const TEXTS = 'artifacts/src/merge/merge-texts.test.ts'
const LAWS = 'artifacts/src/merge/merge.laws.test.ts'

export const MERGES_PATCHES: readonly Patch[] = [
  {
    name: 'merge-forgets-new-callers',
    test: { file: TEXTS, title: 'a rename against a new caller' },
    edits: [
      {
        file: 'artifacts/src/merge/find-use-conflicts.ts',
        function: 'findBreak',
        before: "return 'rename'",
        after: 'return null',
      },
    ],
  },
  {
    name: 'merge-numbers-enums-otherwise',
    test: {
      file: TEXTS,
      title: 'an enum that is numbered otherwise against a new use, and against another member',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-use-conflicts.ts',
        function: 'computeNumbers',
        before: 'behind += 1',
        after: 'behind += 0',
      },
    ],
  },
  {
    name: 'merge-orders-what-has-an-order',
    test: {
      file: TEXTS,
      title: 'members whose order means something and that both insert at one place are a conflict',
    },
    edits: [
      {
        file: 'artifacts/src/merge/compose-hunks.ts',
        function: 'isCompatible',
        before: 'reader.isFixed(one) && reader.isFixed(other)',
        after: 'reader.isFixed(one) && !reader.isFixed(other)',
      },
    ],
  },
  {
    name: 'merge-depends-on-who-is-ours',
    test: {
      file: LAWS,
      title: 'changes to different members are all there, and nothing else: a.ts',
    },
    edits: [
      {
        file: 'artifacts/src/merge/compose-hunks.ts',
        function: 'compareTexts',
        before: 'return one < other ? -1 : one > other ? 1 : 0',
        after: 'return one === other ? 0 : 0',
      },
    ],
  },
  {
    name: 'merge-leaves-out-a-comma',
    test: {
      file: TEXTS,
      title: 'keys of JSON that both sides add get the comma that they need, and no other',
    },
    edits: [
      {
        file: 'artifacts/src/merge/piece.ts',
        function: 'addSeparator',
        before: "separator ?? { from: 'made', text }",
        after: '...(separator === null ? [] : [separator])',
      },
    ],
  },
]
