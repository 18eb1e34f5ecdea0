/** Mistakes about load: what one of them asks for, everybody waits for. */
import type { Patch } from './patch.ts'

export const STARVING_PATCHES: readonly Patch[] = [
  {
    name: 'the-past-in-one-go',
    findings: ['32b'],
    edits: [
      {
        file: 'runtime/src/evidence/trial.ts',
        function: 'tryLast',
        before: `      // Between any two: one flow may hold as many as are asked for.
      await pause()`,
        after: '',
      },
    ],
  },
  {
    name: 'made-up-cookies-looked-up',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#isSpent',
        before: 'isOfAgent(shown) || headers.authorization === undefined',
        after: 'isOfAgent(shown)',
      },
    ],
  },
  {
    name: 'stops-wait-with-the-others',
    findings: ['32d'],
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#selectBucket',
        before: 'return stops === true ? this.#stops : this.#principals',
        after: 'return stops === true ? this.#principals : this.#principals',
      },
      {
        file: 'server/src/http/connections/connections.ts',
        function: '#take',
        before: 'if (this.#held.size >= most && !this.#makeRoom()) return',
        after: 'if (this.#held.size >= most) return',
      },
      {
        file: 'runtime/src/adapters/unit/stopping-unit.ts',
        function: 'enqueue',
        before: 'if (!next.isFirst) return',
        after: 'return',
      },
    ],
  },
  {
    name: 'pipelined-requests-all-at-once',
    findings: ['32e'],
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: 'begin',
        before: 'if (held.requests.length === 1) answer()',
        after: 'answer()',
      },
    ],
  },
  {
    name: 'cut-connections-read-to-their-end',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: '#cut',
        before: 'stopParsing(socket)',
        after: 'void stopParsing',
      },
    ],
  },
  {
    name: 'whoever-pipelines-comes-again',
    edits: [
      {
        file: 'server/src/http/connections/connections.ts',
        function: '#isShut',
        before: 'return this.#clock.monotonic() < (this.#shut.get(owner) ?? 0)',
        after: 'return this.#clock.monotonic() < 0 && owner === owner',
      },
    ],
  },
  {
    name: 'large-requests-all-at-once',
    edits: [
      {
        file: 'server/src/http/turns/large-requests.ts',
        function: 'handle',
        before: 'if (line === undefined) this.#lines.set(asker, [])',
        after: 'if (line === undefined || line.length === 0) this.#lines.set(asker, [])',
      },
    ],
  },
  {
    name: 'lookups-wait-behind-everybody',
    test: {
      file: 'server/src/http/lookups/lookup-thread.test.ts',
      title:
        'L4: however much somebody asks, it waits behind itself, and others are answered in between',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-worker.ts',
        function: 'receiveQuestions',
        before: 'one.question.asker',
        after: "''",
      },
    ],
  },
  {
    name: 'questions-of-nobody-go-on',
    edits: [
      {
        file: 'server/src/http/turns/slow-reads.ts',
        function: '#createBoundedPause',
        before: 'if (this.#clock.monotonic() > end || isGone()) throw',
        after: 'if (this.#clock.monotonic() > end) throw',
      },
    ],
  },
  {
    name: 'past-questions-of-one-keep-others-out',
    edits: [
      {
        file: 'server/src/http/turns/slow-reads.ts',
        function: '#isFull',
        before: 'own.length >= LIMITS.pastQuestionsWaitingEach',
        after: 'own.length >= LIMITS.pastQuestionsWaiting',
      },
    ],
  },
  {
    name: 'past-questions-in-the-order-they-came',
    edits: [
      {
        file: 'server/src/http/turns/slow-reads.ts',
        function: '#startNext',
        before: 'Math.max(0, other)',
        after: 'Math.min(0, other + 1)',
      },
    ],
  },
  {
    name: 'past-questions-outlive-authority',
    edits: [
      {
        file: 'server/src/http/turns/slow-reads.ts',
        function: 'ask',
        before: 'isNext ? null : await ended()',
        after: 'isNext ? null : null',
      },
    ],
  },
  {
    name: 'bundles-in-one-go',
    edits: [
      {
        file: 'runtime/src/evidence/export-bundle.ts',
        function: 'exportBundle',
        before: 'await pause()',
        after: 'void pause',
      },
    ],
  },
  {
    name: 'bundles-all-at-once',
    edits: [
      {
        file: 'server/src/http/routes/evidence.ts',
        function: 'createEvidenceRoutes',
        before: 'past.ask(toSlowReadCaller(asked), async (pause) => {',
        after:
          '((_: unknown, make: Parameters<typeof past.ask>[1]) => make(async () => {}))(toSlowReadCaller(asked), async (pause) => {',
      },
    ],
  },
  {
    name: 'a-short-rest-after-a-long-slice',
    edits: [
      {
        file: 'server/src/http/turns/slow-slices.ts',
        function: '#leaveThread',
        before: 'Math.min(tookMs, LIMITS.pastRestMs)',
        after: 'LIMITS.pastSliceMs',
      },
    ],
  },
  {
    name: 'reads-rest-for-time-of-nobody',
    edits: [
      {
        file: 'server/src/http/turns/slow-slices.ts',
        function: 'refresh',
        before: 'this.#open === 0 && this.#resting === null',
        after: 'this.#since > this.#clock.monotonic()',
      },
    ],
    test: {
      file: 'server/src/http/turns/slow-reads.test.ts',
      title: 'a read rests for time in which nobody read',
    },
  },
  {
    name: 'documents-written-in-one-go',
    edits: [
      {
        file: 'server/src/http/turns/document-writes.ts',
        function: 'write',
        before: 'work(this.#turns.createPause())',
        after: 'work(async () => {})',
      },
    ],
  },
  {
    name: 'documents-wait-without-end',
    edits: [
      {
        file: 'server/src/http/turns/document-writes.ts',
        function: 'write',
        before: 'else if (this.#isFull(asker)) return tooMany',
        after: '',
      },
    ],
  },
  {
    name: 'long-work-begins-all-at-once',
    edits: [
      {
        file: 'server/src/http/connections/newcomers.ts',
        function: 'letIn',
        before: 'this.#last.then(() => this.#waitForNobody(end))',
        after: 'this.#waitForNobody(end)',
      },
    ],
  },
  {
    name: 'newcomers-wait-behind-long-work',
    edits: [
      {
        file: 'server/src/http/connections/newcomers.ts',
        function: '#waitForNobody',
        before: 'while (this.#count !== before && this.#now() < end)',
        after: 'while (before < 0 && this.#now() < end)',
      },
    ],
  },
  {
    name: 'one-asker-takes-all-lookups',
    test: {
      file: 'server/src/http/lookups/lookup-thread.test.ts',
      title: 'L3: one asker has so many questions waiting, and one more is refused at once',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-thread.ts',
        function: 'answer',
        before: 'own >= SHARE ||',
        after: '',
      },
    ],
  },
  {
    name: 'full-for-whoever-has-asked-nothing',
    test: {
      file: 'server/src/http/lookups/lookup-thread.test.ts',
      title: 'L3: when all places are taken, whoever has none gets one, and nobody another',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-thread.ts',
        function: 'answer',
        before: 'own > 0 &&',
        after: '',
      },
    ],
  },
]
