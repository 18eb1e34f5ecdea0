/** Mistakes by which work on artifacts comes to a halt: an effect waits for a person without need, or nobody hears of what is lost. */
import type { Patch } from './patch.ts'

const HANDS = 'runtime/src/artifacts'

export const ARTIFACT_STUCK_PATCHES: readonly Patch[] = [
  {
    name: 'artifact-unchanged-file-counts-as-written',
    test: {
      file: `${HANDS}/stuck.findings.test.ts`,
      title: 'a file that a plan writes as it is does not count as written',
    },
    edits: [
      {
        file: `${HANDS}/write-files.ts`,
        function: 'compareFile',
        before: "isBefore ? 'same' : 'after'",
        after: "'after'",
      },
    ],
  },
  {
    name: 'artifact-plan-larger-than-an-answer',
    test: {
      file: `${HANDS}/stuck.findings.test.ts`,
      title:
        'a plan of which more would be recorded than an answer holds is refused, and nobody waits for it',
    },
    edits: [
      {
        file: `${HANDS}/effect-size.ts`,
        function: 'checkEffectSize',
        before: 'length <= LIMITS.resultBytes',
        after: 'length >= 0',
      },
    ],
  },
  {
    name: 'artifact-lost-contents-stay-lost',
    test: {
      file: `${HANDS}/stuck.findings.test.ts`,
      title: 'contents that were lost are there again once their file is adopted',
    },
    edits: [
      {
        file: `${HANDS}/adopt-files.ts`,
        function: 'adoptFiles',
        before: 'if (file !== null) await',
        after: "if (file !== null && state !== 'unchanged') await",
      },
    ],
  },
  {
    name: 'doctor-reads-no-records-of-artifacts',
    test: {
      file: 'server/src/cli/up-artifacts.test.ts',
      title: 'the doctor says what of artifacts is not as the ledger has it',
    },
    edits: [
      {
        file: 'server/src/cli/doctor-artifacts.ts',
        function: 'checkBlobs',
        before: 'records.slice(0, READ)',
        after: 'records.slice(0, 0)',
      },
    ],
  },
  {
    name: 'artifacts-of-another-folder',
    test: {
      file: 'server/src/cli/up-artifacts.test.ts',
      title: 'another folder than the one that the ledger is about is noticed',
    },
    edits: [
      {
        file: 'server/src/cli/known-contents.ts',
        function: 'listOtherFiles',
        before: 'read.value.hash !== hash',
        after: "hash === ''",
      },
    ],
  },
  {
    name: 'artifact-full-disk-is-uncertain',
    test: {
      file: `${HANDS}/stuck.findings.test.ts`,
      title: 'a disk that has no room for contents leaves nothing uncertain',
    },
    edits: [
      {
        file: `${HANDS}/shelf.ts`,
        function: 'refuseFailedPuts',
        before: 'throw toKeepingRefusal(error)',
        after: 'throw error',
      },
    ],
  },
  {
    name: 'artifact-files-stay-half-written',
    test: {
      file: `${HANDS}/stuck.findings.test.ts`,
      title: 'what a killed process left half written is finished when a runtime starts',
    },
    edits: [
      {
        file: `${HANDS}/open-workshop.ts`,
        function: 'openArtifacts',
        before: 'if (files !== null) recoverFiles(files)',
        after: '',
      },
    ],
  },
  {
    name: 'artifact-refused-plan-stays-unknown',
    test: {
      file: `${HANDS}/lost-answer.findings.test.ts`,
      title:
        'a plan that is refused when it is sent again behind a crash has failed, and holds nobody',
    },
    edits: [
      {
        file: `${HANDS}/world-probe.ts`,
        function: 'answerAbsent',
        before: "finding: 'absent'",
        after: "finding: 'inconclusive'",
      },
    ],
  },
  {
    name: 'artifact-undoing-is-not-probed',
    test: {
      file: `${HANDS}/lost-answer.findings.test.ts`,
      title: 'an undoing that had written nothing before a crash is sent again',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/undo-hands.ts',
        function: 'bindUndoProbe',
        before: 'ask === undefined',
        after: 'ask !== null',
      },
    ],
  },
  {
    name: 'artifact-undoing-is-probed-without-its-effect',
    test: {
      file: `${HANDS}/lost-answer.findings.test.ts`,
      title: 'an undoing whose files were written before a crash is found to be done',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/reconcile.ts',
        function: 'reconcile',
        before: 'findHands(context, intent, undone)',
        after: 'findHands(context, intent)',
      },
    ],
  },
  {
    name: 'artifact-plan-is-open-again-by-word-of-a-person',
    test: {
      file: `${HANDS}/lost-answer.findings.test.ts`,
      title: 'a person who says that an application was taken back does not open its plan again',
    },
    edits: [
      {
        file: 'runtime/src/engine/compensate/resolve.ts',
        function: 'loadUnsaidDelta',
        before: 'capability?.hands.probe === undefined',
        after: 'capability !== null',
      },
    ],
  },
  {
    name: 'desk-deadline-is-of-all-texts',
    test: {
      file: 'artifacts/src/desk/open-desk.findings.test.ts',
      title: 'a project of many texts is read for one plan, however long all of them take',
    },
    edits: [
      {
        file: 'artifacts/src/desk/open-desk.ts',
        function: '#handleReply',
        before: 'current.takenAt + parsingMs - now',
        after: 'current.takenAt + deadlineMs - now',
      },
    ],
  },
]
