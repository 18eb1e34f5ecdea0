/** Mistakes about calls that come while an act is under way, and look at the record when it is over. */
import type { Patch } from './patch.ts'

const LATE = 'runtime/src/engine/decide/act-once-late.test.ts'
const CLAIMS = 'runtime/src/engine/flow/call-claims.ts'
const ORDER = 'runtime/src/engine/flow/call-order.ts'

export const LATE_CALL_PATCHES: readonly Patch[] = [
  {
    name: 'call-judged-by-what-it-finds',
    test: {
      file: LATE,
      title: 'a call that came before an act was over is that act, however late it looks (SQLite)',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'findEarlierAct',
        before: 'isOver && (await isOverBefore(latest))',
        after: 'isOver',
      },
    ],
  },
  {
    name: 'call-of-another-engine-over-unseen',
    test: {
      file: LATE,
      title:
        'a call that came before an act of another engine was over is that act, however late it looks',
    },
    edits: [
      {
        file: ORDER,
        function: '#readEarliest',
        before: '- elapsed)',
        after: '- elapsed * 0)',
      },
    ],
  },
  {
    name: 'call-in-the-same-millisecond-of-another-engine',
    test: {
      file: LATE,
      title:
        'one that was dated in the millisecond in which a call came to another engine is that act',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'at < (await',
        after: 'at <= (await',
      },
    ],
  },
  {
    name: 'call-before-the-answer-is-another',
    test: {
      file: LATE,
      title:
        'a call that comes before an act is answered is that act, though the record says that it is over',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'known?.isOpener === true',
        after: 'known?.isOpener === null',
      },
    ],
  },
  {
    name: 'call-after-the-answer-is-the-same',
    test: {
      file: LATE,
      title: 'a call that came before an act was over is that act, however late it looks (memory)',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'known.turn <= came.turn',
        after: 'known.turn < 0',
      },
    ],
  },
  {
    name: 'call-comes-when-it-is-let-in',
    test: {
      file: 'server/src/http/routes/actions.test.ts',
      title:
        'a call that came before an act was over is that act, however long its session is looked up',
    },
    edits: [
      {
        file: 'server/src/http/routes/actions.ts',
        function: 'createActionRoutes',
        before: 'options, asked.came',
        after: 'options',
      },
    ],
  },
  {
    name: 'call-overtaken-done-again',
    test: {
      file: LATE,
      title:
        'a call that was overtaken by another engine is the act of that one, whatever the clock says',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'findEarlierAct',
        before: 'began !== undefined && began !== latest',
        after: "began !== undefined && began === ''",
      },
    ],
  },
]
