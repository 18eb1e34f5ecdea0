/** Something that was only to be tried, and happened. */
import type { Patch } from './patch.ts'

const FLOWS = 'runtime/src/engine/judge/branch-effect.test.ts'
const SAGAS = 'runtime/src/engine/compensate/branches.test.ts'
const STAGE = 'kernel/src/compile/05-capability.test.ts'
const DOOR = 'server/src/http/routes/branch-flows.test.ts'
const FORGED = 'verifier/src/effects/in-branch.test.ts'

export const BRANCH_PATCHES: readonly Patch[] = [
  {
    name: 'branch-pays',
    test: {
      file: FLOWS,
      title: 'no money moves from a branch, and the ledger says that nothing was sent',
    },
    edits: [
      {
        file: 'kernel/src/execution/branch-effect.ts',
        function: 'isAllowedIn',
        before: 'trajectory === MAIN || isKeptInBranch(description)',
        after: 'isKeptInBranch({ ...description, world_only: true })',
      },
    ],
  },
  {
    name: 'branch-unasked-with-an-atom',
    test: {
      file: 'kernel/src/compile/00-atom.test.ts',
      title: 'what a later moment can change is asked with an atom as without one',
    },
    edits: [
      {
        file: 'kernel/src/compile/05-capability.ts',
        function: 'checkCapability',
        before: 'if (branched !== null) return',
        after: 'if (branched !== null && !isSettled) return',
      },
    ],
  },
  {
    name: 'branch-decides-for-main',
    test: {
      file: STAGE,
      title: 'on a branch no instance is made, and nothing is decided that was asked elsewhere',
    },
    edits: [
      {
        file: 'kernel/src/proposal/reserved-kind.ts',
        function: 'isForAllTrajectories',
        before: 'FOR_ALL_TRAJECTORIES.includes(kind)',
        after: "kind === 'SPAWN_INSTANCE'",
      },
    ],
  },
  {
    name: 'branch-approved',
    test: { file: STAGE, title: 'an approval does not lift where something is done' },
    edits: [
      {
        file: 'kernel/src/compile/05-capability.ts',
        function: 'checkCapability',
        before: 'if (branched !== null) return',
        after: "if (branched !== null && facts.flow.state !== 'ESCALATED') return",
      },
    ],
  },
  {
    name: 'branch-sends-what-was-dispatched',
    test: {
      file: FLOWS,
      title: 'what an earlier law dispatched in a branch is not sent when it is found there',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/effect.ts',
        function: 'attempt',
        before: 'findBranchRefusal(intent.trajectory,',
        after: "findBranchRefusal('main',",
      },
    ],
  },
  {
    name: 'branch-word-unhashed',
    test: { file: FLOWS, title: 'in a branch World is changed, and that of main is not' },
    edits: [
      {
        file: 'runtime/src/capabilities/register.ts',
        function: 'describe',
        before: '...(branches === undefined ? {} : { branches }),',
        after: '...(branches === undefined ? {} : {}),',
      },
    ],
  },
  {
    name: 'branch-offers-what-it-refuses',
    test: {
      file: FLOWS,
      title: 'a person is not asked about what a branch cannot do, and agents are not offered it',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/offered-tools.ts',
        function: 'listOfferedTools',
        before: 'isAllowedIn(flow.trajectory, description)',
        after: "isAllowedIn('main', description)",
      },
    ],
  },
  {
    name: 'branch-chooses-about-main',
    test: { file: SAGAS, title: 'a flow in a branch does not choose about half a job in main' },
    edits: [
      {
        file: 'runtime/src/engine/saga/load-saga.ts',
        function: 'gatherSaga',
        before: 'mayChooseFor(chooser.trajectory, flow.trajectory) &&',
        after: 'mayChooseFor(chooser.trajectory, chooser.trajectory) &&',
      },
    ],
  },
  {
    name: 'branch-takes-back-in-main',
    test: {
      file: SAGAS,
      title:
        'a choice in a branch takes nothing back in main, also below its own flow: a person does',
    },
    edits: [
      {
        file: 'runtime/src/engine/compensate/undo.ts',
        function: 'findUndoProblem',
        before: 'findUndoRefusal(chosen.trajectory,',
        after: 'findUndoRefusal(flow.trajectory,',
      },
    ],
  },
  {
    name: 'verifier-passes-a-branch-that-paid',
    test: {
      file: FORGED,
      title: 'an effect that leaves World is found where it was dispatched in a branch',
    },
    edits: [
      {
        file: 'verifier/src/effects/in-branch.ts',
        function: 'findBranchProblems',
        before: 'return isAllowed ? []',
        after: 'return isAllowed || description.effect ? []',
      },
    ],
  },
  {
    name: 'verifier-believes-the-place-of-an-intent',
    test: {
      file: FORGED,
      title: 'an intent that names main, and stands in a branch, does not get away with that',
    },
    edits: [
      {
        file: 'verifier/src/effects/in-branch.ts',
        function: 'findBranchProblems',
        before: '[trajectory, intent.trajectory]',
        after: '[intent.trajectory]',
      },
    ],
  },
  {
    name: 'verifier-passes-a-choice-from-a-branch',
    test: { file: FORGED, title: 'a choice in a branch undoes nothing in main' },
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'findChoiceProblems',
        before: '?? MAIN, undo.trajectory)',
        after: '?? MAIN, MAIN) && undo.trajectory === String(dfid)',
      },
    ],
  },
  {
    name: 'operator-opens-in-main',
    test: {
      file: DOOR,
      title: 'nobody but an operator opens flows in a branch, and operators open none in main',
    },
    edits: [
      {
        file: 'server/src/http/routes/trajectories.ts',
        function: 'createBranchFlowRoute',
        before: 'if (trajectory === MAIN) return',
        after: "if (trajectory === 'Main') return",
      },
    ],
  },
]
