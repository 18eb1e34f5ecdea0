/** Mistakes by which something outside keeps an engine from its own work. */
import type { Patch } from './patch.ts'

export const WATCH_PATCHES: readonly Patch[] = [
  {
    name: 'cost-of-an-answer-not-read',
    findings: ['20a'],
    edits: [
      {
        file: 'runtime/src/engine/effect/parse-effect.ts',
        function: 'parseEffect',
        before: 'cost === undefined ? null : findCostProblem(cost)',
        after: 'null',
      },
    ],
  },
  {
    name: 'bad-row-tried-for-ever',
    findings: ['20a'],
    edits: [
      {
        file: 'runtime/src/engine/effect/reconciling.ts',
        function: '#fail',
        before: 'times < LIMITS.rowFailures',
        after: 'times > 0',
      },
    ],
  },
  {
    name: 'jobs-wait-for-probes',
    findings: ['20b'],
    edits: [
      {
        file: 'runtime/src/engine/background.ts',
        function: '#reconcile',
        before: 'if (started.length > 0) void Promise.race(started).then(() => this.wake())',
        after: 'for (const one of started) await one',
      },
      {
        file: 'runtime/src/engine/background.ts',
        function: '#run',
        before: 'this.#startDue()',
        after: '(this.#startDue(), await Promise.all(this.#underWay.values()))',
      },
    ],
  },
  {
    name: 'probes-used-up-at-once',
    findings: ['21b'],
    edits: [
      {
        file: 'kernel/src/execution/reconcile.ts',
        function: 'computeNextProbeMs',
        before: 'left <= 0 || ',
        after: 'left > 0 || ',
      },
      {
        file: 'kernel/src/execution/reconcile.ts',
        function: 'resolveByProbe',
        before: '!isLast || ',
        after: 'true || ',
      },
    ],
  },
  {
    name: 'clock-far-ahead-followed',
    findings: ['21a'],
    edits: [
      {
        file: 'runtime/src/adapters/unit/clock-watch.ts',
        function: '#step',
        before: "time > this.#last + passed + LIMITS.clockStepMs ? 'ahead' : null",
        after: 'passed < 0 ? null : null',
      },
    ],
  },
  {
    name: 'small-step-back-followed',
    test: {
      file: 'runtime/src/adapters/unit/clock-watch.test.ts',
      title:
        'C1 C2 at a step back within the skew time stands still, and beyond it nothing is begun',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/clock-watch.ts',
        function: 'getNow',
        before: 'return this.#last',
        after: 'return this.#step(time, at) === null ? time : this.#last',
      },
    ],
  },
  {
    name: 'server-followed-back',
    test: {
      file: 'runtime/src/adapters/postgres/server-time.test.ts',
      title: 'a server whose clock is set back a little is not followed back, by more it is',
    },
    edits: [
      {
        file: 'runtime/src/adapters/postgres/server-time.ts',
        function: '#follow',
        before: 'return this.#latest',
        after: 'return now',
      },
    ],
  },
  {
    name: 'time-waits-for-a-confirmed-clock',
    edits: [
      {
        file: 'runtime/src/ports/confirmed-clock.ts',
        function: 'computeTimeByClock',
        before: 'return now + Math.max(0, last - clock - madeUp)',
        after: 'return Math.max(now, last - 0 * madeUp)',
      },
    ],
  },
  {
    name: 'process-clock-dates-batches',
    findings: ['21a'],
    edits: [
      {
        file: 'runtime/src/adapters/postgres/server-time.ts',
        function: 'ask',
        before: 'if (this.#isGiven) return',
        after: 'return',
      },
    ],
  },
]

/** Those of which the storm's auditor sees what comes of them. */
export const WATCH_IN_STORM: readonly string[] = ['clock-far-ahead-followed']
