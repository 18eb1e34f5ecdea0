/** Mistakes about decision atoms: whose they are, what they cover, that they are used once and give back what they hold. */
import type { Patch } from './patch.ts'

const STAGE = 'kernel/src/compile/00-atom.ts'
const GROUNDS = 'kernel/src/atom/problem.ts'
const JUDGED = 'kernel/src/compile/00-atom.test.ts'
const RUNTIME = 'runtime/src/engine/atoms/atoms.test.ts'
const FINDINGS = 'runtime/src/engine/atoms/atoms.findings.test.ts'
const AUDIT = 'verifier/src/effects/atoms.ts'
const VERIFIED = 'verifier/src/effects/atoms.test.ts'

const CHANGED =
  'an atom that was issued on something else covers nothing, and the verdict is the one without it'
const LATER = 'what a later moment can change is asked with an atom as without one'
const OTHERS =
  'an atom of another flow, agent, contract, writ or kind, or without the signature of the kernel, is none'
const ENDS = 'an atom ends at its end, and once it was used or given back'

export const ATOM_PATCHES: readonly Patch[] = [
  {
    name: 'atom-of-any-key',
    test: { file: JUDGED, title: OTHERS },
    edits: [
      {
        file: STAGE,
        function: 'findForgedMember',
        before: "!signature.valid || signature.purpose !== 'kernel'",
        after: '!signature.valid',
      },
    ],
  },
  {
    name: 'atom-for-any-kind',
    test: { file: JUDGED, title: OTHERS },
    edits: [
      {
        file: GROUNDS,
        function: 'findForeignMember',
        before: "return atom.policy_kinds.includes(policy_kind) ? null : 'policy_kinds'",
        after: 'return policy_kind === undefined ? null : null',
      },
    ],
  },
  {
    name: 'atom-end-inclusive',
    test: { file: JUDGED, title: ENDS },
    edits: [{ file: STAGE, function: 'atomStage', before: 'now >= ends', after: 'now > ends' }],
  },
  {
    name: 'atom-used-again',
    test: { file: JUDGED, title: ENDS },
    edits: [
      {
        file: STAGE,
        function: 'atomStage',
        before: "if (fact.ended === 'used') return refuse('ATOM_USED', { atom_id: atom.atom_id })",
        after: "if (fact.ended === 'used') return PASS",
      },
    ],
  },
  {
    name: 'atom-of-old-authority-covers',
    test: { file: JUDGED, title: CHANGED },
    edits: [
      {
        file: GROUNDS,
        function: 'isAtomCurrent',
        before: 'atom.authority_seq === now.authority_seq &&',
        after: 'atom.authority_seq <= now.authority_seq &&',
      },
    ],
  },
  {
    name: 'atom-of-other-rules-covers',
    test: { file: JUDGED, title: CHANGED },
    edits: [
      {
        file: GROUNDS,
        function: 'isAtomCurrent',
        before: 'atom.rules_hash === now.rules_hash &&',
        after: "atom.rules_hash !== '' &&",
      },
    ],
  },
  {
    name: 'atom-covers-the-status',
    test: { file: JUDGED, title: LATER },
    edits: [
      {
        file: 'kernel/src/compile/04-scope.ts',
        function: 'checkScope',
        before: 'const standing = [checkAgent, checkRevocations, checkLinks]',
        after: 'const standing = isSettled ? [] : [checkAgent, checkRevocations, checkLinks]',
      },
    ],
  },
  {
    name: 'atom-covers-the-speaker',
    test: { file: JUDGED, title: LATER },
    edits: [
      {
        file: 'kernel/src/compile/02-signature.ts',
        function: 'signatureStage',
        before: "return speaker.said === 'pass' ? checkChain(input, true) : speaker",
        after: 'return checkChain(input, true)',
      },
    ],
  },
  {
    name: 'atom-not-asked-for',
    test: {
      file: JUDGED,
      title:
        'where the rules ask for an atom, a proposal without one is refused before every stage',
    },
    edits: [
      {
        file: 'kernel/src/compile/00-proof.ts',
        function: 'isServedBy',
        before: "return proposal.atom_id !== undefined && facts.value.auth.kind !== 'approval'",
        after: "return facts.value.auth.kind !== 'approval'",
      },
    ],
  },
  {
    name: 'atom-stays-open',
    test: {
      file: RUNTIME,
      title:
        'a decision under an atom is covered by it, uses it up, and both auditors and the law take it',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildReservation',
        before: "writes: [...writes, endAtom(held, isUsed ? 'used' : 'returned')],",
        after: 'writes,',
      },
    ],
  },
  {
    name: 'atom-reserved-twice',
    test: {
      file: RUNTIME,
      title:
        'a decision under an atom is covered by it, uses it up, and both auditors and the law take it',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildReservation',
        before: 'const { guards, writes } = replaceReservation(whole, returned)',
        after: 'const [{ guards }, { writes }] = [replaceReservation(whole, returned), whole]',
      },
    ],
  },
  {
    name: 'atom-not-given-back',
    test: {
      file: RUNTIME,
      title: 'what an atom holds counts for others, and goes back once it has expired unused',
    },
    edits: [
      {
        file: 'runtime/src/engine/atoms/return-atoms.ts',
        function: 'returnAtom',
        before: '...releaseAtom(own?.nonce ?? flow.dfid, atom, contract),',
        after: '',
      },
    ],
  },
  {
    name: 'atom-holds-against-itself',
    test: {
      file: RUNTIME,
      title: 'what an atom holds counts for others, and goes back once it has expired unused',
    },
    edits: [
      {
        file: 'runtime/src/engine/judge/gather.ts',
        function: 'selectHeld',
        before: 'atom.writ_id === writ.id ? atom.reserved_cost : {}',
        after: 'atom.writ_id === writ.nonce ? atom.reserved_cost : {}',
      },
    ],
  },
  {
    name: 'audit-atom-used-twice',
    test: {
      file: VERIFIED,
      title: 'an atom is used once, in its time, for the decision that it was issued for',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findUseProblems',
        before: "isUsed ? ['its atom was used before'] : []",
        after: 'isUsed ? [] : []',
      },
    ],
  },
  {
    name: 'audit-atom-wider-than-contract',
    test: {
      file: VERIFIED,
      title:
        'an atom is issued in its flow, inside its contract, on authority that is there, for a minute',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findIssueProblems',
        before: 'contract !== undefined && isWider(atom, contract)',
        after: 'contract === undefined && isWider(atom, contract)',
      },
    ],
  },
  {
    name: 'audit-atom-of-any-authority',
    test: {
      file: VERIFIED,
      title: 'a stage is covered by an atom that was issued on what stands, and by no other',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findUseProblems',
        before: 'atom.authority_seq === facts?.authority_seq &&',
        after: '',
      },
    ],
  },
  {
    name: 'audit-atom-only-for-listed-kinds',
    test: {
      file: FINDINGS,
      title:
        'no agent makes a ledger that verifiers refuse by asking for an atom for what nobody has to grant',
    },
    edits: [
      {
        file: AUDIT,
        function: 'isWider',
        before: '!isListingNeeded(kind) || granted.includes(kind)',
        after: 'isListingNeeded(kind) && granted.includes(kind)',
      },
    ],
  },
  {
    name: 'atom-of-an-approved-stays-open',
    test: {
      file: FINDINGS,
      title:
        'what an atom holds does not stand in the way of its own decision once it was approved, and goes back once',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildReservation',
        before: "writes: [...writes, endAtom(held, isUsed ? 'used' : 'returned')],",
        after: "writes: isUsed ? [...writes, endAtom(held, 'used')] : writes,",
      },
    ],
  },
  {
    name: 'atom-asked-of-the-agent-above',
    test: {
      file: FINDINGS,
      title: 'the atom of an agent is not asked of the agent above that lets its decision pass',
    },
    edits: [
      {
        file: 'runtime/src/engine/escalate/parent.ts',
        function: 'findParentRefusal',
        before: 'valid_until: _____, atom_id: ______, ...action',
        after: 'valid_until: _____, ...action',
      },
    ],
  },
  {
    name: 'atom-lost-with-its-flow',
    test: {
      file: FINDINGS,
      title: 'what an atom holds of the window of an agent is not lost with a flow that is erased',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/forgotten-atoms.ts',
        function: 'returnForgottenAtoms',
        before: 'if (open.length === 0) return []',
        after: 'if (open.length >= 0) return []',
      },
    ],
  },
]
