/** Mistakes in what the search index counts and in which order it lists. */
import type { Patch } from './patch.ts'

const TALLY = 'server/src/search/verdict-tally.test.ts'

export const SEARCH_FIGURES_PATCHES: readonly Patch[] = [
  {
    name: 'rows-without-a-value-come-first',
    test: {
      file: 'server/src/search/list-orders.test.ts',
      title: 'entries of no agent come behind those of agents, whichever way',
    },
    edits: [
      {
        file: 'server/src/search/query.ts',
        function: 'buildOrder',
        before: ' NULLS LAST',
        after: '',
      },
    ],
  },
  {
    name: 'forgotten-verdicts-stay-in-figures',
    test: {
      file: TALLY,
      title:
        'Y1: what was forgotten is in no figure: an index that is made afterwards has the same',
    },
    edits: [
      {
        file: 'server/src/search/forget-flow.ts',
        function: 'forgetFlowRows',
        before: 'takeFromTally((sql) => database.prepare(sql), id)',
        after: '',
      },
    ],
  },
  {
    name: 'verdicts-of-a-flow-go-back-in-time',
    test: {
      file: TALLY,
      title: 'Y3: a verdict that another clock dates back has the time of the one before it',
    },
    edits: [
      {
        file: 'server/src/search/verdict-tally.ts',
        function: 'findPredecessors',
        before: 'Math.max(at, before_any ?? 0)',
        after: 'at',
      },
    ],
  },
]
