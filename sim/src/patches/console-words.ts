/** Mistakes about what the console says of flows and events. */
import type { Patch } from './patch.ts'

export const CONSOLE_WORD_PATCHES: readonly Patch[] = [
  {
    name: 'stages-numbered-with-proof-and-atom',
    test: {
      file: 'console/src/pages/flow/stage-numbers.test.ts',
      title:
        'a proof or an atom does not move the numbers of the stages away from those of the specification',
    },
    edits: [
      {
        file: 'console/src/pages/flow/stage-numbers.ts',
        function: 'listStageNumbers',
        before: 'if (WITHOUT_NUMBER.includes(stage)) return null',
        after: '',
      },
    ],
  },
  {
    name: 'lost-flow-said-to-be-done',
    test: {
      file: 'console/src/pages/events/event-words.test.ts',
      title: 'a flow that only lost is not said to be done',
    },
    edits: [
      {
        file: 'console/src/pages/events/event-words.ts',
        function: 'describeWokenFlow',
        before: "flow.state === 'CLOSED' && isWithoutEffect",
        after: 'false',
      },
    ],
  },
]
