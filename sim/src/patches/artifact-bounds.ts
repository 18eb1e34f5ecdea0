/** Mistakes about what a change of an artifact may reach: what it put in, what is left of what it did not touch. */
import type { Patch } from './patch.ts'

export const ARTIFACT_BOUNDS_PATCHES: readonly Patch[] = [
  {
    name: 'body-goes-on-behind-its-symbol',
    test: {
      file: 'artifacts/src/delta/plan-replace-body.findings.test.ts',
      title: 'a body that ends its symbol and goes on behind it is refused',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-delta.ts',
        function: 'checkBody',
        before: 'tokens.length === 0',
        after: 'tokens.length >= 0',
      },
    ],
  },
  {
    name: 'undo-takes-what-is-no-text-for-nothing',
    test: {
      file: 'server/src/cli/artifact/undo.findings.test.ts',
      title: 'an undo does not overwrite a file that is no text any more',
    },
    edits: [
      {
        file: 'server/src/cli/artifact/undo.ts',
        function: 'planFiles',
        before: 'if (now.text === null)',
        after: 'if (now.text === undefined)',
      },
      {
        file: 'server/src/cli/artifact/undo.ts',
        function: 'planFiles',
        before: 'planUndo(past, event.seq, now.text)',
        after: "planUndo(past, event.seq, now.text ?? '')",
      },
    ],
  },
  {
    name: 'directive-taken-for-a-statement',
    test: {
      file: 'artifacts/src/formats/typescript/directives.findings.test.ts',
      title: 'nothing is put before a directive, which would be one no more',
    },
    edits: [
      {
        file: 'artifacts/src/formats/typescript/statements.ts',
        function: 'drawStatement',
        before: "typeof statement.directive === 'string'",
        after: "typeof statement.directive === 'number'",
      },
    ],
  },
  {
    name: 'definition-is-a-text-in-a-text',
    test: {
      file: 'artifacts/src/tree/definition-hash.test.ts',
      title: 'a text that is nested deep is hashed, and is no longer with each level',
    },
    edits: [
      {
        file: 'artifacts/src/tree/definition-hash.ts',
        function: 'describe',
        before: 'describeAnew(parsed, symbol, type)',
        after: 'JSON.stringify(describeAnew(parsed, symbol, type))',
      },
    ],
  },
  {
    name: 'file-that-ends-a-parser-ends-every-plan',
    test: {
      file: 'artifacts/src/desk/open-desk.findings.test.ts',
      title: 'a file that ends the parser does not keep others from being planned',
    },
    edits: [
      {
        // Where the desk tells its processes, not in one of them: those can write nothing, and so cannot say that they were patched.
        file: 'artifacts/src/desk/unreadable-texts.ts',
        function: 'list',
        before: '[...this.#hashes]',
        after: '[]',
      },
    ],
  },
  {
    name: 'desk-that-stands-still-is-taken-for-one-that-starts',
    test: {
      file: 'artifacts/src/desk/open-desk.findings.test.ts',
      title: 'a process that stands still between two requests is given up behind the deadline',
    },
    edits: [
      {
        file: 'artifacts/src/desk/open-desk.ts',
        function: '#handleDeadline',
        before: 'takenAt === null && this.#isUp',
        after: 'takenAt === null && !this.#isUp',
      },
    ],
  },
  {
    name: 'lists-nested-line-by-line-are-not-counted',
    test: {
      file: 'artifacts/src/formats/markdown/markdown.test.ts',
      title:
        'lists that are opened line by line have a depth, too, and are not open over all lines',
    },
    edits: [
      {
        file: 'artifacts/src/formats/markdown/read-blocks.ts',
        function: 'findCostly',
        before: 'return findCostlyLists(text)',
        after: 'return null',
      },
    ],
  },
]
