/** What a holder of the database could change, and what was signed over it. */
import type { Patch } from './patch.ts'

export const HEADS_PATCHES: readonly Patch[] = [
  {
    name: 'checkpoint-signed-in-any-name',
    edits: [
      {
        file: 'runtime/src/engine/ledger/check-note.ts',
        function: 'findNoteProblem',
        before: 'one.name === origin && isEqualBytes',
        after: 'isEqualBytes',
      },
    ],
  },
  {
    name: 'head-of-another-tree-is-believed',
    findings: ['14a', '14b', '14c', '14d'],
    edits: [
      {
        file: 'runtime/src/engine/ledger/open-ledger.ts',
        function: 'checkHead',
        before: 'if (problem !== undefined) throw',
        after: "if (problem === '') throw",
      },
      {
        file: 'runtime/src/engine/ledger/check-note.ts',
        function: 'findNoteProblem',
        before: 'return isEqualBytes(await computePrefixRoot(context, size), said.root)',
        after: 'return size >= 0',
      },
    ],
  },
  {
    name: 'root-of-a-head-is-not-compared',
    findings: ['14a', '14b'],
    edits: [
      {
        file: 'runtime/src/engine/ledger/heads.ts',
        function: 'findHeadProblem',
        before: 'if (head.body.root !== root)',
        after: "if (root === '')",
      },
      {
        file: 'runtime/src/engine/ledger/check-note.ts',
        function: 'findNoteProblem',
        before: 'return isEqualBytes(await computePrefixRoot(context, size), said.root)',
        after: 'return size >= 0',
      },
    ],
  },
  {
    name: 'any-key-in-the-ledger-certifies',
    findings: ['14c'],
    edits: [
      {
        file: 'runtime/src/engine/ledger/heads.ts',
        function: 'loadCheckpointKeys',
        before: 'if (!headKey.verify(by, message, decodeSignature(signature.sig))) continue',
        after: 'if (message.length === 0) continue',
      },
    ],
  },
  {
    name: 'entries-are-not-held-against-their-hashes',
    findings: ['14b'],
    edits: [
      {
        file: 'runtime/src/engine/rows/tree-check.ts',
        function: 'findEntryProblem',
        before: 'if (payload !== null &&',
        after: 'if (payload === null &&',
      },
    ],
  },
  {
    name: 'tree-is-read-again-from-the-database',
    findings: ['14d'],
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/tree.ts',
        function: '#getKeptTree',
        before: "if (mode === 'read') return",
        after: 'if (mode.length > 0) return',
      },
    ],
  },
  {
    name: 'head-beside-the-keys-is-not-read',
    findings: ['14e'],
    edits: [
      {
        file: 'runtime/src/engine/ledger/rollback.ts',
        function: 'readKeptCheckpoints',
        before: 'headPlace?.read() ?? []',
        after: '[] as readonly string[]',
      },
    ],
  },
  {
    name: 'scrub-trusts-the-tiles',
    findings: ['14d'],
    edits: [
      {
        file: 'runtime/src/engine/ledger/scrub.ts',
        function: 'round',
        before: 'if (!isEqualBytes(await computePrefixRoot(this.#deps, size), root))',
        after: 'if (isEqualBytes(new Uint8Array(0), root))',
      },
    ],
  },
  {
    name: 'missing-words-are-taken-for-erased',
    edits: [
      {
        file: 'runtime/src/engine/rows/tree-check.ts',
        function: '#findMissingProblem',
        before: 'if (payload !== null) return undefined',
        after: "if (payload !== '') return undefined",
      },
    ],
  },
  {
    name: 'other-histories-are-not-looked-for',
    edits: [
      {
        file: 'runtime/src/engine/ledger/rollback.ts',
        function: 'checkForks',
        before: 'if (fork === null) return',
        after: "if (fork?.place !== '') return",
      },
    ],
  },
  {
    name: 'authority-is-read-anew',
    edits: [
      {
        file: 'runtime/src/engine/authority/authority-cache.ts',
        function: '#load',
        before: 'this.#chain?.check(page)',
        after: 'void this.#chain',
      },
    ],
  },
  {
    name: 'written-behind-others',
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/tree.ts',
        function: 'assertNext',
        before: 'if (leaf !== size)',
        after: 'if (leaf === null && size < 0)',
      },
      // Who is not alone is stopped before that.
      {
        file: 'runtime/src/adapters/sqlite/commit-queue.ts',
        function: '#assertAlone',
        before: 'if (this.#others.get()?.data_version === this.#seen) return',
        after: 'if (this.#others !== null) return',
      },
    ],
  },
  {
    name: 'compromise-forgotten-with-its-row',
    edits: [
      {
        file: 'runtime/src/engine/ledger/heads.ts',
        function: 'loadCheckpointKeys',
        before: 'for (const id of ended.compromised) known.delete(id)',
        after: 'ended.compromised.clear()',
      },
    ],
  },
  {
    name: 'ended-operators-add-keys',
    edits: [
      {
        file: 'runtime/src/engine/ledger/heads.ts',
        function: 'loadCheckpointKeys',
        before:
          'if (by === undefined || seq >= (ended.operators.get(signature.key_id) ?? seq + 1))',
        after: 'if (by === undefined)',
      },
    ],
  },
  {
    name: 'jobs-go-on-where-the-ledger-is-damaged',
    test: {
      file: 'runtime/src/engine/background-damage.test.ts',
      title: 'on a damaged ledger no timer fires, nothing is sent again and nothing is written',
    },
    edits: [
      {
        file: 'runtime/src/engine/background.ts',
        function: '#startDue',
        before: 'if (damage.isFound) return',
        after: '',
      },
    ],
  },
]
