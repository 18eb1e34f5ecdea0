/** Mistakes about payloads that lie in archives: who says so, what goes, and what comes back. */
import type { Patch } from './patch.ts'

const VERBS = 'server/src/cli/archive.test.ts'
const AGAIN = 'server/src/cli/archive-again.test.ts'
const ENGINE = 'runtime/src/engine/archive/archive-flow.test.ts'

export const ARCHIVES_PATCHES: readonly Patch[] = [
  {
    name: 'archive-note-needs-no-signature',
    test: {
      file: VERBS,
      title: 'a payload that was taken out is not archived by a note that nobody signed',
    },
    edits: [
      {
        file: 'kernel/src/proof/archive-note.ts',
        function: 'findArchiveNoteProblem',
        before: 'return holds ?',
        after: 'return holds || sig !== raw ?',
      },
    ],
  },
  {
    name: 'archiving-under-an-ended-key',
    test: {
      file: ENGINE,
      title: 'nothing is archived under a key that another operator has ended meanwhile',
    },
    edits: [
      {
        file: 'runtime/src/engine/archive/archive-flow.ts',
        function: 'buildArchivingUnit',
        before: "{ kind: 'authority_seq', seq },",
        after: '',
      },
    ],
  },
  {
    name: 'archive-note-needs-no-code',
    test: {
      file: ENGINE,
      title: 'a payload that somebody took out is not archived by a note that somebody made',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: 'VOUCHED',
        before: "archive: 'absent'",
        after: "archive: 'unvouched'",
      },
    ],
  },
  {
    name: 'missing-archive-passes-for-verified',
    test: { file: VERBS, title: 'without its file an archive is never taken for verified' },
    edits: [
      {
        file: 'verifier/src/verify-stored.ts',
        function: 'findAwayProblems',
        before: 'if (archived === 0 ||',
        after: 'if (archived >= 0 ||',
      },
    ],
  },
  {
    name: 'archived-flow-is-erased',
    test: {
      file: VERBS,
      title: 'a flow in an archive is not erased: the words in the file would outlive it',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/erase-flow.ts',
        function: 'loadErasurePlan',
        before: 'payload === null)) return',
        after: "payload === '')) return",
      },
    ],
  },
  {
    name: 'archived-payload-is-exported-as-erased',
    test: {
      file: ENGINE,
      title:
        'the runtime goes on, folds the World, reads its ledger again and says what is archived',
    },
    edits: [
      {
        file: 'runtime/src/evidence/export-ledger.ts',
        function: 'exportLedger',
        before: 'page)) !== null)',
        after: 'page)) === undefined)',
      },
    ],
  },
  {
    name: 'half-of-a-family-is-archived',
    test: {
      file: ENGINE,
      title: 'a flow stays while one beside it can still fail, and have it taken back',
    },
    edits: [
      {
        file: 'runtime/src/engine/archive/archivable.ts',
        function: '#judgeAll',
        before: 'if (kept === null) continue',
        after: 'if (kept === null || one.dfid !== flow.dfid) continue',
      },
    ],
  },
  {
    name: 'counted-flow-is-archived',
    test: { file: ENGINE, title: 'what counts in a running window stays' },
    edits: [
      {
        file: 'runtime/src/engine/archive/archivable.ts',
        function: '#judgeAge',
        before: 'if (ended < this.#countedSince)',
        after: 'if (ended < this.#before)',
      },
    ],
  },
  {
    name: 'unseen-flow-is-archived',
    test: { file: ENGINE, title: 'what an auditor has not seen stays' },
    edits: [
      {
        file: 'runtime/src/engine/archive/archivable.ts',
        function: '#judgeReaders',
        before: 'leaf >= one.from',
        after: 'leaf < 0',
      },
    ],
  },
  {
    name: 'what-the-file-does-not-hold-is-archived',
    test: {
      file: ENGINE,
      title: 'what the file does not say word for word stays, and another file gives nothing back',
    },
    edits: [
      {
        file: 'runtime/src/engine/archive/archive-flow.ts',
        function: 'isHeld',
        before: 'held?.payload === payload',
        after: 'held !== undefined',
      },
    ],
  },
  {
    name: 'foreign-words-come-back',
    edits: [
      {
        file: 'runtime/src/adapters/unit/archived-rows.ts',
        function: 'collectRestoredPayloads',
        before: 'hashPayload(payload, sha256) === payload_hash',
        after: "hashPayload(payload, sha256) !== ''",
      },
    ],
  },
  {
    name: 'changed-archive-is-read',
    test: { file: VERBS, title: 'a file that was changed, cut or is another store’s is refused' },
    edits: [
      {
        file: 'server/src/cli/archive-option.ts',
        function: 'assertNamed',
        before: '!named.has(digest)',
        after: "digest === ''",
      },
    ],
  },
  {
    name: 'archive-that-is-there-is-not-synced',
    test: {
      file: AGAIN,
      title: 'no payload leaves the store for a file whose name may be gone after the power is',
    },
    edits: [
      {
        file: 'server/src/cli/archive-file.ts',
        function: 'ensureArchiveSynced',
        before: 'ensureSynced(dirname(real))',
        after: 'ensureSynced(real)',
      },
    ],
  },
  {
    name: 'archive-keeps-what-was-erased',
    test: {
      file: AGAIN,
      title: 'nothing is archived in a file that holds the words of a flow that was erased',
    },
    edits: [
      {
        file: 'server/src/cli/archive-erased.ts',
        function: 'assertNothingErased',
        before: 'if (first === undefined) return',
        after: "if (first !== '') return",
      },
    ],
  },
  {
    name: 'auditor-without-an-answer-is-unknown',
    test: {
      file: ENGINE,
      title: 'what an auditor has not seen stays, also where it has never answered',
    },
    edits: [
      {
        file: 'runtime/src/engine/advice/audit.ts',
        function: '#begin',
        before: 'body: { leaf: 0 }',
        after: 'body: { leaf: 1_000_000 }',
      },
    ],
  },
  {
    name: 'archive-drafts-share-a-name',
    test: {
      file: AGAIN,
      title:
        'of two runs that write one file, none gives its name to what the other has not written yet',
    },
    edits: [
      {
        file: 'server/src/cli/archive-file.ts',
        function: 'mintDraftPath',
        before: 'randomUUID()',
        after: 'randomUUID().slice(36)',
      },
    ],
  },
  {
    name: 'archive-line-is-too-long-to-read',
    test: {
      file: ENGINE,
      title: 'no line of an archive is longer than what is read again, whatever a model said',
    },
    edits: [
      {
        file: 'runtime/src/engine/archive/archivable.ts',
        function: '#readText',
        before: '<= MOST_TEXT_BYTES ?',
        after: '<= MOST_TEXT_BYTES * 9 ?',
      },
    ],
  },
]
