/** Mistakes about what follows a proof: after a failure, in the law, from a registry elsewhere, in a handshake. */
import type { Patch } from './patch.ts'

const FAILED = 'runtime/src/engine/compensate/fixed-course.test.ts'
const AUDIT = 'verifier/src/effects/proven.ts'
const VERIFIED = 'verifier/src/effects/proven.test.ts'

export const PROOF_COURSE_PATCHES: readonly Patch[] = [
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
    name: 'undo-begun-before-its-choice-believed',
    test: {
      file: 'verifier/src/compensations/fixed-choice.test.ts',
      title:
        'taking back does not begin before the failure for which it was fixed, nor without a choice',
    },
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'findBeginningProblems',
        before: 'isChoiceMade(state, id as Address)',
        after: 'known.sent',
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
        function: 'openHttpManifest',
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
      title: 'scenario dl-pci ends as expected, and its ledger verifies',
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
  {
    name: 'undo-believed-before-the-failure',
    test: {
      file: 'verifier/src/compensations/fixed-choice.test.ts',
      title:
        'what a proven intent fixed is no choice before it has failed, nor where it fixed something else',
    },
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'findChoiceProblems',
        before: 'if (!isChoiceMade(state, chosen) || origin.choice === null)',
        after: 'if (!getKnownIntent(state, chosen).sent || origin.choice === null)',
      },
    ],
  },
  {
    name: 'course-not-begun-believed',
    test: {
      file: 'verifier/src/compensations/fixed-choice.test.ts',
      title: 'a flow that does not begin what its intent fixed is found',
    },
    edits: [
      {
        file: 'verifier/src/compensations/after-failure.ts',
        function: 'listWantedMoves',
        before: 'onFailure === null ? []',
        after: 'onFailure !== undefined ? []',
      },
    ],
  },
  {
    name: 'approval-not-bound-to-what-follows',
    test: {
      file: 'kernel/src/compile/00-proof.test.ts',
      title:
        'an intent says what follows its failure where it carries a proof, and an approval binds to that',
    },
    edits: [
      {
        file: 'kernel/src/compile/10-emission.ts',
        function: 'computeIntentDigest',
        before: 'on_failure === undefined ? {}',
        after: 'on_failure !== null ? {}',
      },
    ],
  },
]
