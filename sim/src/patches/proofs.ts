/** Mistakes about proofs that proposals carry: who signed them, what they bind, and who has to carry one. */
import type { Patch } from './patch.ts'

const STAGE = 'kernel/src/compile/00-proof.ts'
const JUDGED = 'kernel/src/compile/00-proof.test.ts'
const AUDIT = 'verifier/src/effects/proven.ts'
const VERIFIED = 'verifier/src/effects/proven.test.ts'

export const PROOF_PATCHES: readonly Patch[] = [
  {
    name: 'proof-hash-before-drift',
    test: {
      file: JUDGED,
      title: 'the checks come in their order: signature, context, drift, hash',
    },
    edits: [
      {
        file: STAGE,
        function: 'proofStage',
        before: '[checkSnapshot, checkStillSo, checkEvidence]',
        after: '[checkSnapshot, checkEvidence, checkStillSo]',
      },
    ],
  },
  {
    name: 'proof-of-any-signer',
    test: { file: JUDGED, title: 'only a signature of the agent itself makes a proof' },
    edits: [
      {
        file: STAGE,
        function: 'checkSigner',
        before: 'signature.valid && isKeyOfAgent(signature, flow.agent_id)',
        after: 'signature.valid',
      },
    ],
  },
  {
    name: 'proof-hash-not-compared',
    test: {
      file: JUDGED,
      title: 'the checks come in their order: signature, context, drift, hash',
    },
    edits: [
      {
        file: STAGE,
        function: 'checkEvidence',
        before: 'said === bound ? PASS',
        after: 'said !== undefined ? PASS',
      },
    ],
  },
  {
    name: 'proof-not-asked-for',
    test: {
      file: JUDGED,
      title:
        'where the rules ask for a proof nothing without one passes, neither first nor as a repetition',
    },
    edits: [
      {
        file: STAGE,
        function: 'isProofLookedAt',
        before: ' || findMissedTopology(input) !== null',
        after: '',
      },
    ],
  },
  {
    name: 'proof-of-a-claimed-step-by-anybody',
    test: {
      file: JUDGED,
      title:
        'a step that is done is answered with what came of it, whatever has moved since, and only to who signed',
    },
    edits: [
      {
        file: STAGE,
        function: 'proofStage',
        before: '[...checks, ...later] : checks',
        after: '[...checks, ...later] : []',
      },
    ],
  },
  {
    name: 'proof-of-a-claimed-step-on-what-is-shown-now',
    test: {
      file: JUDGED,
      title:
        'a step that is done is not refused, and its flow not ended, because the flow was shown something newer since',
    },
    edits: [
      {
        file: STAGE,
        function: 'proofStage',
        before: '[checkSigner, checkFlow]',
        after: '[checkSigner, checkFlow, checkSnapshot]',
      },
    ],
  },
  {
    name: 'proof-not-asked-of-an-agent-above',
    test: {
      file: JUDGED,
      title:
        'what a person wrote needs no proof, and what an agent above wrote is not taken for a person',
    },
    edits: [
      {
        file: STAGE,
        function: 'isPersonsWord',
        before: 'proposal.supersedes === undefined || !isAgentChannel(auth.approver)',
        after: "auth.approver !== ''",
      },
    ],
  },
  {
    name: 'proof-signed-as-an-ordinary-proposal',
    test: {
      file: VERIFIED,
      title:
        'a proof that binds its flow, contract and rules, and is signed by its agent, is found in order',
    },
    edits: [
      {
        file: 'kernel/src/proposal/proof-carrying-intent.ts',
        function: 'toSignedText',
        before: "{ type: 'pci', text }",
        after: "{ type: 'proposal', text }",
      },
    ],
  },
  {
    name: 'topology-of-many-rows-by-one-call',
    test: {
      file: 'kernel/src/topology/topology.test.ts',
      title: 'a list of very many rows is read like any other',
    },
    edits: [
      {
        file: 'kernel/src/topology/topology.ts',
        function: 'selectTopology',
        before:
          'TOPOLOGIES.findLast((one) => fitting.some(({ topology }) => topology === one)) ?? null',
        after:
          'TOPOLOGIES[Math.max(-1, ...fitting.map(({ topology }) => TOPOLOGIES.indexOf(topology)))] ?? null',
      },
    ],
  },
  {
    name: 'proof-missing-believed',
    test: {
      file: VERIFIED,
      title: 'an intent without a proof is found where its class asks for one, and nowhere else',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findEvidenceProblems',
        before: "wanted === 'DL_PCI' ? [",
        after: "wanted === 'SDS' ? [",
      },
    ],
  },
  {
    name: 'proof-unsigned-believed',
    test: {
      file: VERIFIED,
      title: 'a proof that nobody signed is none, whoever is said to have sent it',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findEvidenceProblems',
        before: 'if (signature === undefined)',
        after: 'if (signature === null)',
      },
    ],
  },
  {
    name: 'proof-of-anything-believed',
    test: {
      file: VERIFIED,
      title:
        'a proof of another flow, contract or other rules is found, and so is one that is no hash',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findEvidenceProblems',
        before: 'said === bound ?',
        after: 'said !== null ?',
      },
    ],
  },
  {
    name: 'proof-missing-believed-of-an-agent-above',
    test: {
      file: VERIFIED,
      title: 'what an agent above wrote carries no word of a person',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findWantedTopology',
        before: "facts?.auth.kind === 'approval' && !isByAgent",
        after: "facts?.auth.kind === 'approval' && (isByAgent || !isByAgent)",
      },
    ],
  },
  {
    name: 'proof-bound-to-a-law-that-is-tried',
    test: {
      file: 'runtime/src/engine/judge/proof.test.ts',
      title:
        'a rule change is tried on proven decisions as on any others, and not refused for what they were bound to',
    },
    edits: [
      {
        file: 'runtime/src/evidence/judge-case.ts',
        function: 'bindToTried',
        before: 'if (isSameContract && hash === facts.rules_hash) return proposal',
        after: 'if (isSameContract || hash === facts.rules_hash) return proposal',
      },
    ],
  },
]
