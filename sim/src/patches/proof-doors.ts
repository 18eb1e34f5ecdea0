/** Mistakes about what a proof, its statement and its authority rest on, found by attack. */
import type { Patch } from './patch.ts'

const FORGED = 'runtime/src/evidence/forged-statement.test.ts'
const STATEMENT = 'runtime/src/evidence/export-statement.ts'
const MANIFEST_PAGE = 'runtime/src/engine/authority/registry/manifest-page.ts'
const VOUCHED = 'server/src/http/routes/registry-vouched.test.ts'

export const PROOF_DOORS_PATCHES: readonly Patch[] = [
  {
    name: 'statement-of-changed-words-signed',
    test: {
      file: FORGED,
      title:
        'no statement is signed where what became of an effect stands in the database in other words',
    },
    edits: [
      {
        file: STATEMENT,
        function: 'exportStatement',
        before: '.check(covered)',
        after: '.check([])',
      },
    ],
  },
  {
    name: 'statement-of-another-tree-signed',
    test: {
      file: FORGED,
      title:
        'no statement is signed where what became of an effect stands in the database in other words, under hashes that fit them',
    },
    edits: [
      {
        file: STATEMENT,
        function: 'exportStatement',
        before: 'await checkStoredNote(context, authority, checkpoint)',
        after: '',
      },
    ],
  },
  {
    name: 'registry-that-holds-back-believed',
    test: {
      file: 'runtime/src/engine/authority/authority-cache.test.ts',
      title:
        'C2: a source that says there is more, and never hands it out, does not keep what is remembered in force',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/authority-cache.ts',
        function: '#recordAnswer',
        before: 'this.#authority.seq < this.#spokenOf',
        after: 'this.#spokenOf < -1',
      },
    ],
  },
  {
    name: 'registry-deep-capability-unreadable',
    test: {
      file: 'server/src/http/routes/registry.test.ts',
      title:
        'a capability that is as deep as one may be does not end the authority of whoever reads it elsewhere',
    },
    edits: [
      {
        file: 'runtime/src/adapters/registry/signed-page.ts',
        function: 'parsePage',
        before: 'depth: DEEPEST',
        after: 'depth: 64',
      },
    ],
  },
  {
    name: 'registry-page-without-an-end',
    test: {
      file: 'server/src/http/routes/registry.test.ts',
      title:
        'a history that is longer than a page may be does not end the authority of whoever reads it elsewhere',
    },
    edits: [
      {
        file: MANIFEST_PAGE,
        function: 'cutPage',
        before: 'end < 0 ?',
        after: 'end < Infinity ?',
      },
    ],
  },
  {
    name: 'registry-signs-what-the-database-says',
    test: {
      file: VOUCHED,
      title: 'signs no entry of an operator that somebody repeated in the database',
    },
    edits: [
      {
        file: MANIFEST_PAGE,
        function: 'writeManifestPage',
        before: 'await ownAuthorities.loadAtLeast(authority_seq)',
        after: '{ seq: authority_seq }',
      },
    ],
  },
  {
    name: 'registry-signs-a-suspension-away',
    test: {
      file: VOUCHED,
      title: 'does not sign that a suspension is gone which somebody took out of the database',
    },
    edits: [
      {
        file: MANIFEST_PAGE,
        function: 'writeManifestPage',
        before: 'checkWhole(told, from, head)',
        after: '',
      },
    ],
  },
  {
    name: 'registry-signs-another-entry',
    test: { file: VOUCHED, title: 'signs no entry that somebody put in the place of a suspension' },
    edits: [
      {
        file: MANIFEST_PAGE,
        function: 'writeManifestPage',
        before: 'ownAuthorities.checkFolded(told)',
        after: '',
      },
    ],
  },
  {
    name: 'statement-of-what-was-taken-back',
    test: {
      file: 'runtime/src/engine/compensate/fixed-course.test.ts',
      title: 'a statement does not say of what was taken back that it stands',
    },
    edits: [
      {
        file: STATEMENT,
        function: 'readOutcomes',
        before: "outcomes.set(compensates, 'COMPENSATED')",
        after: "outcomes.set(compensates, 'SUCCESS')",
      },
    ],
  },
  {
    name: 'course-begun-before-the-failure',
    test: {
      file: 'runtime/src/engine/compensate/fixed-course.test.ts',
      title:
        'nothing is called taken back while a person has to say whether a proven step happened, and what follows begins with that word',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/become-dirty.ts',
        function: 'becomeDirty',
        before: "cause.status === 'FAILED' ?",
        after: "cause.status !== '' ?",
      },
    ],
  },
  {
    name: 'course-not-begun-by-the-word-of-a-person',
    test: {
      file: 'runtime/src/engine/compensate/fixed-course.test.ts',
      title:
        'nothing is called taken back while a person has to say whether a proven step happened, and what follows begins with that word',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/become-dirty.ts',
        function: 'beginFixedCourse',
        before: "status === 'FAILED' ?",
        after: "status === 'SUCCESS' ?",
      },
    ],
  },
]
