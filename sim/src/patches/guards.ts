/** Mistakes about who is looked at, who looked, and whose turn it is. */
import type { Patch } from './patch.ts'

const GUARDS_TEST = 'runtime/src/engine/advice/soft-guards.test.ts'

export const GUARDS_PATCHES: readonly Patch[] = [
  {
    name: 'fact-is-taken-for-a-review',
    edits: [
      {
        file: 'runtime/src/engine/rows/review-flags.ts',
        function: 'toReviews',
        before: "source === 'review' && finding === 'reviewed'",
        after: 'source !== undefined && finding !== undefined',
      },
    ],
    test: {
      file: 'runtime/src/engine/advice/review-flow.test.ts',
      title: 'what an agent reported and then looked at is taken for the review of a person',
    },
  },
  {
    name: 'one-agent-fills-a-slow-guard',
    edits: [
      {
        file: 'runtime/src/engine/advice/soft-guards.ts',
        function: '#isFull',
        before: 'own.length >= LIMITS.guardQuestions / LIMITS.agentShare',
        after: 'own.length >= LIMITS.guardQuestions',
      },
    ],
    test: {
      file: GUARDS_TEST,
      title: 'an agent that proposes much while a guard is slow leaves nobody else looked at',
    },
  },
  {
    name: 'one-agent-runs-every-program',
    edits: [
      {
        file: 'runtime/src/tools/command/turns.ts',
        function: '#hasShare',
        before: 'this.#count(agent) < this.#each',
        after: 'this.#count(agent) < 2 * this.#each',
      },
    ],
    test: {
      file: 'runtime/src/tools/command/turns.test.ts',
      title: 'programs of one agent take every place there is, and nobody else starts one',
    },
  },
  {
    name: 'conditional-tool-without-a-condition',
    edits: [
      {
        file: 'kernel/src/manifest/find-contradiction.ts',
        function: 'findUnconditional',
        before: 'executor.http.if_match !== undefined',
        after: "executor.http.method === 'PUT'",
      },
    ],
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title:
        'a conditional tool has no condition, so that what is sent again undoes what others wrote since',
    },
  },
  {
    name: 'condition-is-not-sent',
    edits: [
      {
        file: 'runtime/src/tools/http/build-request.ts',
        function: 'buildCondition',
        before: 'expression === undefined',
        after: 'expression !== null',
      },
    ],
    test: {
      file: 'runtime/src/tools/http/requests.test.ts',
      title: 'a version that the caller has seen goes out as If-Match, or nothing does',
    },
  },
  {
    name: 'undeclared-source-speaks-as-operator',
    edits: [
      {
        file: 'runtime/src/engine/observe/speaker.ts',
        function: 'resolveVoice',
        before: 'one.source === undefined) return buildOperatorVoice(owner, undefined)',
        after:
          '!isDeclared(context, one.source ?? "")) return buildOperatorVoice(owner, undefined)',
      },
    ],
    test: {
      file: 'runtime/src/engine/observe/observe.test.ts',
      title: 'a source that nobody declared is believed as an operator',
    },
  },
  {
    name: 'misspelt-guard-is-passed-over',
    edits: [
      {
        file: 'server/src/cli/module-advisers.ts',
        function: 'findMisspelt',
        before: 'meant !== undefined && meant !== name',
        after: 'meant === null',
      },
    ],
    test: {
      file: 'server/src/cli/up-advisers.test.ts',
      title: 'a guard that is misspelt, or none, is passed over without a word',
    },
  },
  {
    name: 'up-leaves-out-advisers',
    edits: [
      {
        file: 'server/src/cli/rules-module.ts',
        function: 'loadRules',
        before: 'advisers: read.advisers,',
        after: '',
      },
    ],
    test: {
      file: 'server/src/cli/up-advisers.test.ts',
      title: 'a guard and an auditor of a rules module are asked by a server',
    },
  },
  {
    name: 'auditor-counts-one-step-at-a-time',
    edits: [
      {
        file: 'runtime/src/adapters/guard/model-auditor.ts',
        function: 'hasLeft',
        before: 'this.#times.size > MOST_STEPS',
        after: 'this.#times.size > 1',
      },
    ],
    test: {
      file: 'runtime/src/adapters/guard/model-opinion.test.ts',
      title: 'two runtimes with one auditor wait for ever for a model that cannot be reached',
    },
  },
  {
    name: 'advice-is-not-counted',
    edits: [
      {
        file: 'runtime/src/engine/advice/adviser-budget.ts',
        function: 'reserveAdvice',
        before: "if (by !== 0) writes.push({ kind: 'count', id, by })",
        after: '',
      },
    ],
    test: {
      file: 'runtime/src/engine/advice/model-advisers.test.ts',
      title:
        'a guard spends no more than its budget, and one agent no more than its share; both are told once',
    },
  },
]

/** Found in a storm, too. */
export const GUARDS_IN_STORM: readonly string[] = [
  'advice-is-not-counted',
  'guard-spends-without-end',
  'one-agent-uses-up-a-guard',
  'settling-clears-what-a-guard-said',
]
