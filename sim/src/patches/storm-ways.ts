/** Mistakes about atoms and proofs that only a history shows: time and others move between a decision and its record. */
import type { Patch } from './patch.ts'

const DISPATCH = 'runtime/src/engine/effect/dispatch.ts'
const ISSUE = 'runtime/src/engine/atoms/issue-atom.ts'

export const STORM_WAYS_PATCHES: readonly Patch[] = [
  {
    name: 'atom_used_at_its_end',
    edits: [
      {
        file: DISPATCH,
        function: 'buildReservation',
        before: "isUsed ? [{ kind: 'before', at: held.expires_at }] : []",
        after: '[]',
      },
    ],
  },
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
  {
    name: 'atom_given_back_beside_its_flow',
    edits: [
      {
        file: 'runtime/src/engine/atoms/return-atoms.ts',
        function: 'returnAtom',
        before:
          "guards: [guard, { kind: 'flow_version', dfid: flow.dfid, version: flow.version }],",
        after: 'guards: [],',
      },
    ],
  },
]
