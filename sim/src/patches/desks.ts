/** Mistakes at the desk: what becomes of texts of others, of plans that were made beside each other, and of the process that reads. */
import type { Patch } from './patch.ts'

const DESK = 'artifacts/src/desk'
const COMPOSE = `${DESK}/compose-parts.test.ts`
const OPEN = `${DESK}/open-desk.test.ts`

export const DESK_PATCHES: readonly Patch[] = [
  {
    name: 'desk-first-come',
    test: {
      file: COMPOSE,
      title: 'plans of one base come to the same bytes whichever of them is applied first',
    },
    edits: [
      {
        file: `${DESK}/compose-part.ts`,
        function: 'composePart',
        before: 'part.since.every((one) => one.base === hash)',
        after: 'part.since.every((one) => one.base !== hash)',
      },
    ],
  },
  {
    name: 'desk-others-not-looked-at',
    test: {
      file: COMPOSE,
      title: 'a new caller and a rename of what it calls are refused, whichever comes first',
    },
    edits: [
      {
        file: `${DESK}/compose-parts.ts`,
        function: 'composeParts',
        before: 'findDanglingIn(project, after)',
        after: 'findDanglingIn(after, after)',
      },
    ],
  },
  {
    name: 'desk-takes-any-text-for-now',
    test: {
      file: COMPOSE,
      title:
        'what somebody wrote meanwhile is not written over, and what was not recorded is noticed',
    },
    edits: [
      {
        file: `${DESK}/compose-part.ts`,
        function: 'followSince',
        before: 'history.getText() === now.text ? history : null',
        after: 'now.text === null ? null : history',
      },
    ],
  },
  {
    name: 'desk-rename-names-its-target-alone',
    test: {
      file: `${DESK}/plan-changes.test.ts`,
      title: 'a rename names every symbol in whose text the name stands, in every artifact',
    },
    edits: [
      {
        file: `${DESK}/name-symbols.ts`,
        function: 'nameSymbols',
        before: '...writes.map(({ path }) => path)',
        after: '...writes.slice(0, 1).map(({ path }) => path)',
      },
    ],
  },
  {
    name: 'desk-process-goes-on',
    test: {
      file: OPEN,
      title:
        'what takes too long is ended, what is too much is refused, and nothing is left behind',
    },
    edits: [
      {
        file: `${DESK}/open-desk.ts`,
        function: '#handleDeadline',
        before: 'void this.#endChild()',
        after: 'this.#child = null',
      },
    ],
  },
  {
    name: 'desk-process-outlives-its-parent',
    test: {
      file: OPEN,
      title: 'a parser that does not come to an end does not outlive whoever asked',
    },
    edits: [
      {
        file: `${DESK}/desk-watch.ts`,
        function: 'LOOKED_EVERY_MS',
        before: '500',
        after: '200_000',
      },
    ],
  },
]
