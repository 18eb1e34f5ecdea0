/** Mistakes about merging by symbols: what would be lost, doubled, or merged without a word. */
import type { Patch } from './patch.ts'

const TEXTS = 'artifacts/src/merge/merge-texts.test.ts'
const MEANING = 'artifacts/src/merge/merge-meaning.findings.test.ts'
const MODULES = 'artifacts/src/merge/merge-modules.findings.test.ts'
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
  {
    name: 'merge-lets-names-be-caught',
    test: {
      file: MEANING,
      title: 'a new declaration of one side does not catch a new use of the other',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-meaning.ts',
        function: 'findMisread',
        before: 'meant.length > 0',
        after: 'meant.length < 0',
      },
    ],
  },
  {
    name: 'merge-leaves-names-without-a-meaning',
    test: {
      file: MEANING,
      title: 'a local that one side removed or renamed is not left to a new use of the other',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-meaning.ts',
        function: 'findMisread',
        before: 'found.thing === null',
        after: 'found.thing === undefined',
      },
    ],
  },
  {
    name: 'merge-declares-names-twice',
    test: {
      file: MEANING,
      title: 'both sides declare one name in one function',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-meaning.ts',
        function: 'findTwice',
        before: 'isTwice && name',
        after: '!isTwice && isTwice && name',
      },
    ],
  },
  {
    name: 'merge-declares-behind-a-use',
    test: {
      file: MEANING,
      title: 'a constant that one side moved is not declared behind what the other makes of it',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-meaning.ts',
        function: 'findMisread',
        before: 'wasBefore && isBehind',
        after: '!wasBefore && isBehind',
      },
    ],
  },
  {
    name: 'merge-drops-a-name-that-is-missed',
    test: {
      file: MODULES,
      title: 'a name that one side takes out of an import stays where the other begins to use it',
    },
    edits: [
      {
        file: 'artifacts/src/merge/merge-imports.ts',
        function: 'keepMissedNames',
        before: '!hasName(side, name) && isMissed',
        after: 'hasName(side, name) && isMissed',
      },
    ],
  },
  {
    name: 'merge-forgets-that-types-are-no-values',
    test: {
      file: MODULES,
      title: 'an import that one side makes one of types is not left to a new use of the other',
    },
    edits: [
      {
        file: 'artifacts/src/merge/read-import.ts',
        function: 'listTypeOnly',
        before: '!were.has(name)',
        after: 'were.has(name)',
      },
    ],
  },
  {
    name: 'merge-exports-a-name-twice',
    test: {
      file: MODULES,
      title: 'a name that both sides export, each in its place, is a conflict',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-meaning.ts',
        function: 'findExportedTwice',
        before: '!known.has(one)',
        after: 'known.has(one)',
      },
    ],
  },
  {
    name: 'merge-tears-overloads',
    test: {
      file: MODULES,
      title: 'nothing is put between an overload and its function',
    },
    edits: [
      {
        file: 'artifacts/src/merge/count-torn.ts',
        function: 'countTorn',
        before: 'before < index - 1',
        after: 'before < 0',
      },
    ],
  },
  {
    name: 'merge-driver-takes-names-for-options',
    test: {
      file: 'server/src/cli/merge-driver.findings.test.ts',
      title: 'a file whose name looks like an option is merged as any other',
    },
    edits: [
      {
        file: 'server/src/cli/merge-driver-install.ts',
        function: 'RUN',
        before: 'run -- %O',
        after: 'run %O',
      },
    ],
  },
  {
    name: 'merge-driver-starts-what-is-gone',
    test: {
      file: 'server/src/cli/merge-driver.test.ts',
      title:
        'a driver whose program is gone leaves out no changes of anybody: git merges the lines',
    },
    edits: [
      {
        file: 'server/src/cli/merge-driver-install.ts',
        function: 'createCommand',
        before: '|| {',
        after: '|| true || {',
      },
    ],
  },
  {
    name: 'merge-gives-keys-other-values',
    test: {
      file: 'artifacts/src/merge/merge-values.findings.test.ts',
      title: 'no key gets a value that neither side gave it, by an anchor or a merge of keys',
    },
    edits: [
      {
        file: 'artifacts/src/merge/find-other-value.ts',
        function: 'isMade',
        before: 'return isSame(merged, theirs)',
        after: 'return true',
      },
    ],
  },
]
