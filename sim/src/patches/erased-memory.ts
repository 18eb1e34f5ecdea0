/** Mistakes in forgetting, with an erasure, what a process remembers or is about to write down. */
import type { Patch } from './patch.ts'

export const ERASED_MEMORY_PATCHES: readonly Patch[] = [
  {
    name: 'answer-kept-behind-its-erasure',
    test: {
      file: 'server/src/http/gate/erased-replies.test.ts',
      title: 'an answer under way is not kept behind the erasure of its flow, and its key is free',
    },
    edits: [
      {
        file: 'server/src/http/gate/idempotency.ts',
        function: 'settle',
        before: 'asked.erases === true ?',
        after: 'asked.erases !== null ?',
      },
    ],
  },
  {
    name: 'answer-kept-beside-its-erasure',
    test: {
      file: 'runtime/src/engine/erase/flow-records.test.ts',
      title: 'an answer that is kept between the look and the erasure goes with the flow',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'forgetRecords',
        before: '[blocks, samples, comments, notices, replies]',
        after: '[blocks, samples, comments, notices]',
      },
    ],
  },
  {
    name: 'erasure-takes-no-turns',
    test: {
      file: 'runtime/src/engine/erase/erasure-turns.test.ts',
      title: 'others go first again and again while kept answers are looked through',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/forgotten-replies.ts',
        function: 'buildForgottenRepliesUnit',
        before: 'await turn()',
        after: '',
      },
    ],
  },
  {
    name: 'samples-outlive-an-erasure',
    test: {
      file: 'runtime/src/engine/monitors/erased-samples.test.ts',
      title: 'a monitor forgets what it measured with the erasure, and not with the next start',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/forgotten-samples.ts',
        function: 'buildTouchedCursorUnit',
        before: 'cursor === null ?',
        after: 'cursor !== undefined ?',
      },
    ],
  },
  {
    name: 'past-worlds-outlive-an-erasure',
    test: {
      file: 'runtime/src/evidence/world-moments.test.ts',
      title: 'M4: what was remembered of a flow is not shown after its erasure, whoever erased it',
    },
    edits: [
      {
        file: 'runtime/src/evidence/world-moments.ts',
        function: '#forgetErased',
        before: 'if (last !== this.#erased)',
        after: 'if (last !== this.#erased && last < 0)',
      },
    ],
  },
]
