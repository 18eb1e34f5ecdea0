/** Mistakes about calls that come while an act is under way, and look at the record when it is over. */
import type { Patch } from './patch.ts'

const LATE = 'runtime/src/engine/decide/act-once-late.test.ts'
const CLAIMS = 'runtime/src/engine/flow/call-claims.ts'
const ORDER = 'runtime/src/engine/flow/call-order.ts'
const ORDER_TEST = 'runtime/src/engine/flow/call-order.test.ts'

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
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'if (at >= formatInstant(Math.floor(came.at))) return false',
        after: '',
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
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'at >= formatInstant',
        after: 'at > formatInstant',
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
        before: 'answered?.isOpener === true || this.#underWay.has(dfid)',
        after: 'answered?.isOpener === null',
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
        before: 'answered.turn <= came.turn',
        after: 'answered.turn < 0',
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
  {
    name: 'call-dated-by-a-clock-that-was-set-forward',
    test: {
      file: ORDER_TEST,
      title:
        'an act of another process was not over when a call came, though the time of the store was set forward since',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'if (at >= formatInstant(Math.floor(came.at))) return false',
        after: '',
      },
    ],
  },
  {
    name: 'call-dated-by-a-clock-that-was-set-back',
    test: {
      file: ORDER_TEST,
      title:
        'an act was not over when a call came, though the time of the store was set back since',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'if (at < (await this.#readEarliest(came, trajectory))) return true',
        after: 'return true',
      },
    ],
  },
  {
    name: 'call-under-way-forgotten',
    test: {
      file: ORDER_TEST,
      title: 'a call that is under way is known to be, however many others come and go',
    },
    edits: [
      {
        file: ORDER,
        function: 'markOpening',
        before: 'this.#underWay.add(dfid)',
        after: 'if (this.#turn < 0) this.#underWay.add(dfid)',
      },
    ],
  },
  {
    name: 'call-forgotten-is-over',
    test: {
      file: ORDER_TEST,
      title:
        'a call that came before so many acts were answered that some are forgotten is taken for any of these',
    },
    edits: [
      {
        file: ORDER,
        function: 'isOverBefore',
        before: 'came.turn < this.#forgotten',
        after: 'came.turn < 0',
      },
    ],
  },
  {
    name: 'call-open-for-long-forgotten-when-it-is-over',
    test: {
      file: 'runtime/src/engine/decide/act-once.test.ts',
      title:
        'what was open for longer than names are kept is known to a call that came before it was over',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'isOutcomeOpen',
        before: "return changes.some((at) => at !== '' && computeExpiry(at) > now)",
        after: "return changes.some((at) => at === 'never')",
      },
    ],
  },
  {
    name: 'call-of-long-ago-decided',
    test: {
      file: 'runtime/src/engine/decide/act-once.test.ts',
      title: 'a call that came longer ago than the record remembers is not decided',
    },
    edits: [
      {
        file: ORDER,
        function: 'isTooOld',
        before: '>= LIMITS.replyMs',
        after: '< 0',
      },
    ],
  },
  {
    name: 'store-set-back-still-believed',
    test: {
      file: 'runtime/src/engine/flow/heard-time.test.ts',
      title: 'a store whose clock was set back is believed',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/heard-time.ts',
        function: 'record',
        before: '&& ahead >= known - LIMITS.clockSkewMs',
        after: '',
      },
    ],
  },
]

/** Those, and of which calls are one act at all, that a storm finds, too. */
export const LATE_CALLS_IN_STORM: readonly string[] = [
  'call-judged-by-what-it-finds',
  'call-claimed-by-all',
  'call-left-unnamed',
  'call-repeated-unnamed',
  'call-not-resumed',
  'call-of-unknown-outcome-forgotten',
  'call-dated-by-a-clock-that-was-set-forward',
  'call-of-long-ago-decided',
]
