/** Mistakes about proofs that proposals carry: who signed them, what they bind, and who has to carry one. */
import type { Patch } from './patch.ts'

const STAGE = 'kernel/src/compile/00-proof.ts'
const JUDGED = 'kernel/src/compile/00-proof.test.ts'
const FAILED = 'runtime/src/engine/compensate/fixed-course.test.ts'
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
        function: 'findLackingTopology',
        before: "if (wanted === 'DL_PCI') return proof === undefined ? wanted : null",
        after: "if (wanted === 'DL_PCI') return null",
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
        before: "demanded === 'DL_PCI' ? [",
        after: "rows.length < 0 && demanded === 'DL_PCI' ? [",
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
        function: 'selectDemanded',
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
  {
    name: 'proof-failure-left-to-the-agent',
    test: {
      file: FAILED,
      title:
        'a flow whose only proven step failed has ended, its agent proposes nothing more in it, and where that was fixed a person is told',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/flow-outcome.ts',
        function: 'chooseFailureCourse',
        before: 'if (intent.on_failure !== undefined) return',
        after: 'if (intent.compensation !== undefined) return',
      },
    ],
  },
  {
    name: 'proof-failure-waits-for-a-choice',
    test: {
      file: FAILED,
      title:
        'what stands of a flow is taken back by itself where a proven step of it fails, and nobody is asked',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/fixed-course.ts',
        function: 'buildFixedCourse',
        before: 'on_failure === undefined || dfid',
        after: "on_failure !== 'ALERT_HUMAN' || dfid",
      },
    ],
  },
  {
    name: 'proof-taken-back-against-the-contract',
    test: {
      file: 'kernel/src/saga/on-failure.test.ts',
      title:
        'what fails is taken back only where both the capability and the contract have that on their menu',
    },
    edits: [
      {
        file: 'kernel/src/saga/on-failure.ts',
        function: 'chooseOnFailure',
        before: 'isOffered && contract.compensation.includes(REVERT) ?',
        after: 'isOffered ?',
      },
    ],
  },
  {
    name: 'proof-any-course-believed',
    test: {
      file: VERIFIED,
      title:
        'what follows a failure is found where capability and contract do not say it, and where there is no proof',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findOnFailureProblems',
        before: 'if (intent.on_failure === wanted) return []',
        after: 'if ((intent.on_failure === undefined) === (wanted === undefined)) return []',
      },
    ],
  },
  {
    name: 'undo-held-back-by-what-it-puts-right',
    test: {
      file: FAILED,
      title:
        'an engine that starts again goes on with what was fixed, and takes nothing back twice',
    },
    edits: [
      {
        file: 'kernel/src/compile/recheck.ts',
        function: 'recheckUndo',
        before: 'maintenance: false',
        after: 'maintenance: agent.maintenance',
      },
    ],
  },
  {
    name: 'registry-answer-of-yesterday-believed',
    test: {
      file: 'server/src/http/routes/registry.test.ts',
      title:
        'an answer that was changed, was given to another question, or knows less than before is not believed',
    },
    edits: [
      {
        file: 'runtime/src/adapters/registry/http-manifest.ts',
        function: 'httpManifest',
        before: 'body.nonce !== nonce || body.from !== from',
        after: 'body.from !== from',
      },
    ],
  },
  {
    name: 'topology-unserved-let-in',
    test: {
      file: 'runtime/src/engine/authority/registry/served-topologies.test.ts',
      title:
        'an agent that does not serve what the rules ask it for gets no session, and is told which',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/handshake.ts',
        function: 'checkServed',
        before: 'missing.length === 0',
        after: 'missing.length < asked.length || asked.length > 0',
      },
    ],
  },
  {
    name: 'law-of-a-drifted-proof-forgotten',
    test: {
      file: 'scenarios/src/scenarios.test.ts',
      title: 'dl-pci ends as expected, and its ledger verifies',
    },
    edits: [
      {
        file: 'runtime/src/evidence/law/spoken-words.ts',
        function: 'findMoved',
        before: "code === 'REJECT_DRIFT'",
        after: "code === 'STATE_DRIFT_DETECTED'",
      },
    ],
  },
]
