/** Mistakes by which an effect of artifacts waits for a person, though it can be known what came of it. */
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
]
