/** Mistakes about opinions of models: who pays for them, what they are told, what is believed; and who clears a flag. */
import type { Patch } from './patch.ts'

const BUDGET = 'runtime/src/engine/advice/adviser-budget.ts'
const OPINION = 'runtime/src/adapters/guard/model-opinion.ts'
const OPINION_TEST = 'runtime/src/adapters/guard/model-opinion.test.ts'
const ADVISERS_TEST = 'runtime/src/engine/advice/model-advisers.test.ts'
const REVIEW = 'runtime/src/engine/advice/review-flow.ts'
const REVIEW_TEST = 'runtime/src/engine/advice/review-flow.test.ts'
const MARKS = 'runtime/src/engine/monitors/model-marks.ts'
const MARKS_TEST = 'runtime/src/engine/monitors/model-marks.test.ts'

const SPENDS =
  'a guard spends no more than its budget, and one agent no more than its share; both are told once'

export const OPINION_PATCHES: readonly Patch[] = [
  {
    name: 'guard-spends-without-end',
    edits: [
      {
        file: BUDGET,
        function: 'reserveAdvice',
        before: "guards.push({ kind: 'counter', id, by, limit })",
        after: '',
      },
    ],
    test: { file: ADVISERS_TEST, title: SPENDS },
  },
  {
    name: 'one-agent-uses-up-a-guard',
    edits: [
      {
        file: BUDGET,
        function: 'listBounds',
        before: 'Math.floor((limit * pct) / 100)',
        after: 'limit + 0 * pct',
      },
    ],
    test: { file: ADVISERS_TEST, title: SPENDS },
  },
  {
    name: 'guard-that-did-not-count-is-free',
    edits: [
      {
        file: 'runtime/src/engine/advice/ask-model.ts',
        function: 'buildEnd',
        before: 'reply.usage === null ? largest',
        after: 'reply.usage === null ? {}',
      },
    ],
    test: {
      file: ADVISERS_TEST,
      title:
        'what a provider does not count is counted at its largest, and what it counts above is counted whole',
    },
  },
  {
    name: 'question-that-is-none-ends-the-process',
    edits: [
      {
        file: 'runtime/src/engine/advice/ask-model.ts',
        function: 'createAsk',
        before: '.catch(() => null)',
        after: '',
      },
    ],
    test: {
      file: ADVISERS_TEST,
      title: 'a guard that asks what is no question, and does not wait, ends nothing',
    },
  },
  {
    name: 'document-that-ends-itself',
    edits: [
      {
        file: OPINION,
        function: 'escapeDocument',
        before: '/[<>\\u007f-\\u009f\\u2028\\u2029]/g',
        after: '/[\\u007f-\\u009f\\u2028\\u2029]/g',
      },
    ],
    test: { file: OPINION_TEST, title: 'what others wrote cannot leave its line' },
  },
  {
    name: 'opinion-that-was-cut-off-counts',
    edits: [
      {
        file: OPINION,
        function: 'readOpinion',
        before: "stop !== 'end' || calls.length > 0",
        after: 'calls.length > 0',
      },
    ],
    test: { file: OPINION_TEST, title: 'whatever is of another form is none' },
  },
  {
    name: 'long-proposal-is-not-looked-at',
    edits: [
      {
        file: 'runtime/src/adapters/guard/model-guard.ts',
        function: 'check',
        before: 'mismatch: true',
        after: 'mismatch: false',
      },
    ],
    test: { file: ADVISERS_TEST, title: 'nobody hides from a guard by writing much' },
  },
  {
    name: 'step-without-opinion-holds-up-the-rest',
    edits: [
      {
        file: 'runtime/src/adapters/guard/model-auditor.ts',
        function: 'reviewStep',
        before: 'heard.passing && patience',
        after: 'patience',
      },
    ],
    test: {
      file: ADVISERS_TEST,
      title: 'a step about which the model answers prose holds up no other',
    },
  },
  {
    name: 'questions-about-an-act-are-lost',
    edits: [
      {
        file: 'runtime/src/engine/advice/question-log.ts',
        function: 'record',
        before: 'this.#waiting.length < LIMITS.guardQuestions',
        after: 'this.#waiting.length < 0 * LIMITS.guardQuestions',
      },
    ],
    test: {
      file: ADVISERS_TEST,
      title: 'in strict mode an act is asked about before it is sent, and its flow has the record',
    },
  },
  {
    name: 'words-of-guards-outlive-the-flow',
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'parseGenerationId',
        before: "said.source === 'model' || said.source === 'adviser'",
        after: "said.source === 'model'",
      },
    ],
    test: {
      file: ADVISERS_TEST,
      title:
        'what a guard asked a model, and what came of it, stands in the flow; the words beside it',
    },
  },
  {
    name: 'agent-reads-what-guards-ask',
    edits: [
      {
        file: 'server/src/http/views/agent-entry.ts',
        function: 'redactEntry',
        before: 'isAdvice({ envelope, payload })',
        after: 'payload === null',
      },
    ],
    test: {
      file: 'server/src/http/routes/reviews.test.ts',
      title:
        'an agent does not learn what a guard was asked, or that it has nothing left to ask with',
    },
  },
  {
    name: 'agent-hears-that-a-guard-is-silent',
    edits: [
      {
        file: 'server/src/http/events/event-view.ts',
        function: 'toLedgerEvent',
        before: 'isAdvice(entry) ? null : parseEntryCode(entry)',
        after: 'parseEntryCode(entry)',
      },
    ],
    test: {
      file: 'server/src/http/routes/reviews.test.ts',
      title: 'who listens is not told that a guard has nothing left to ask with',
    },
  },
  {
    name: 'no-opinion-stops-an-agent',
    edits: [
      {
        file: 'runtime/src/engine/monitors/sampler.ts',
        function: 'read',
        before: "if (said.kind === 'found' && said.finding === 'no_opinion') return []",
        after: '',
      },
    ],
    test: {
      file: 'runtime/src/engine/monitors/sweep.test.ts',
      title: 'an auditor without an opinion stops nobody, and speaks for nobody',
    },
  },
  {
    name: 'review-clears-what-was-not-shown',
    edits: [
      {
        file: REVIEW,
        function: 'reviewOnce',
        before: 'shown !== undefined && shown !== newest',
        after: 'shown !== undefined && newest === null',
      },
    ],
    test: {
      file: REVIEW_TEST,
      title:
        'a flag that comes after the review opens the flow again, and nobody clears what he was not shown',
    },
  },
  {
    name: 'half-a-job-is-reviewed-away',
    edits: [
      {
        file: REVIEW,
        function: 'hasToBeSettled',
        before: "if (tags.includes('DIRTY')) return true",
        after: "if (tags.includes('DIRTY')) return false",
      },
    ],
    test: {
      file: REVIEW_TEST,
      title:
        'half a job is settled and not reviewed away, and settling it clears nothing that a guard said',
    },
  },
  {
    name: 'settling-clears-what-a-guard-said',
    edits: [
      {
        file: 'runtime/src/engine/rows/reviewed-tags.ts',
        function: 'computeReviewedTags',
        before: 'listOpenFlags(reviews).length > 0',
        after: 'listOpenFlags(reviews).length < 0',
      },
    ],
    test: { file: REVIEW_TEST, title: 'what the runtime took back itself nobody has looked at' },
  },
  {
    name: 'two-models-in-turn-flood-a-series',
    edits: [
      {
        file: MARKS,
        function: 'listModelMarks',
        before: '!recent.includes(model)',
        after: 'last !== model',
      },
    ],
    test: {
      file: MARKS_TEST,
      title: 'two models in turn are one change, and one that comes back after a while is another',
    },
  },
  {
    name: 'later-model-stands-behind-a-step',
    edits: [
      {
        file: MARKS,
        function: 'findModelBehind',
        before: 'entries.slice(0, entries.indexOf(before))',
        after: 'entries.filter((entry) => entry !== before)',
      },
    ],
    test: {
      file: MARKS_TEST,
      title: 'a model that is asked after the step was decided is not behind it',
    },
  },
  {
    name: 'auditor-reads-only-what-has-its-place',
    test: {
      file: 'runtime/src/engine/advice/audit.test.ts',
      title: 'an auditor never rests while what was carried out has no place in the tree yet',
    },
    edits: [
      {
        file: 'runtime/src/engine/advice/audit.ts',
        function: '#work',
        before: 'await store.integrate()',
        after: 'await store.countLeaves()',
      },
    ],
  },
]
