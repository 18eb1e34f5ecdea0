/** Mistakes about atoms that only a history shows: others move between what is read and what is recorded. */
import type { Patch } from './patch.ts'

const ISSUE = 'runtime/src/engine/atoms/issue-atom.ts'

export const STORM_WAYS_PATCHES: readonly Patch[] = [
  {
    name: 'atom_given_out_unrecorded',
    edits: [
      {
        file: ISSUE,
        function: 'tryIssue',
        before: 'if (outcome.ok) return ok(atom)',
        after: "if (outcome.ok || outcome.failed.kind !== 'counter') return ok(atom)",
      },
    ],
  },
  {
    name: 'atom_issued_on_old_authority',
    edits: [
      {
        file: ISSUE,
        function: 'buildUnit',
        before: "{ kind: 'authority_seq', seq: authority_seq },",
        after: '',
      },
    ],
  },
]

/** Of the mistakes about atoms and proofs, and about what follows a failure, those that a storm finds, too. */
export const WAYS_IN_STORM: readonly string[] = [
  ...STORM_WAYS_PATCHES.map(({ name }) => name),
  'atom-used-again',
  'atom-of-old-authority-covers',
  'atom-for-any-kind',
  'atom-not-asked-for',
  'atom-stays-open',
  'atom-not-given-back',
  'atom-reserved-twice',
  'proof-of-any-signer',
  'proof-hash-not-compared',
  'proof-not-asked-for',
  'proof-failure-waits-for-a-choice',
  'course-begun-before-the-failure',
]
