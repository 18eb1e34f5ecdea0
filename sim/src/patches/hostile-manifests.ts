/** Mistakes that hostile manifests, and agents that choose their parameters, would make use of. */
import type { Patch } from './patch.ts'

const AWAITED = 'kernel/src/manifest/awaited-result.test.ts'
const MANIFEST = 'kernel/src/manifest/hostile-manifest.test.ts'
const EFFECT = 'kernel/src/manifest/manifest-effect.ts'

export const HOSTILE_MANIFESTS_PATCHES: readonly Patch[] = [
  {
    name: 'delta-waits-as-a-whole-for-the-result',
    test: {
      file: AWAITED,
      title: 'an absent parameter behind the result does not wait until the effect has happened',
    },
    edits: [
      {
        file: EFFECT,
        function: 'findOpProblem',
        before: 'for (const expression of listOpExpressions(op)) {',
        after: 'for (const expression of listOpExpressions(op).slice(0, 1)) {',
      },
    ],
  },
  {
    name: 'operand-waits-for-the-one-beside-it',
    test: {
      file: AWAITED,
      title: 'an operand that can be no number does not wait for the one beside it',
    },
    edits: [
      {
        file: 'kernel/src/expression/early-problem.ts',
        function: 'findProblem',
        before: 'for (const one of listOperands(operand, scope)) {',
        after: 'for (const one of listOperands(operand, scope).slice(0, 1)) {',
      },
    ],
  },
  {
    name: 'text-counted-up-by-a-result',
    test: {
      file: AWAITED,
      title: 'what is no number is not counted up by a result that is not there yet',
    },
    edits: [
      {
        file: EFFECT,
        function: 'findOpProblem',
        before: "return op.op === 'increment' ?",
        after: "return op.op === 'increment' && op.kind === '' ?",
      },
    ],
  },
  {
    name: 'one-resource-changed-twice',
    test: {
      file: AWAITED,
      title: 'two changes that an agent makes one by its parameters are not sent',
    },
    edits: [
      {
        file: EFFECT,
        function: 'findTwiceChanged',
        before: 'if (!isOnce)',
        after: 'if (!isOnce && params.order === undefined)',
      },
    ],
  },
  {
    name: 'delta-of-any-size',
    test: {
      file: AWAITED,
      title: 'parameters of which no record could be made are refused before anything is sent',
    },
    edits: [
      {
        file: EFFECT,
        function: 'findSizeProblem',
        before: 'if (bytes <= LIMITS.resultBytes)',
        after: 'if (bytes > 0)',
      },
    ],
  },
  {
    name: 'header-of-another-method',
    test: {
      file: MANIFEST,
      title: 'no header makes another method, host or path of a request than the operator allowed',
    },
    edits: [
      {
        file: 'kernel/src/manifest/read-executor.ts',
        function: 'RESERVED_PREFIXES',
        before: "'x-http-method', ",
        after: '',
      },
    ],
  },
  {
    name: 'probe-of-no-call',
    test: { file: MANIFEST, title: 'a probe that would say the same of every call is no probe' },
    edits: [
      {
        file: 'kernel/src/manifest/find-contradiction.ts',
        function: 'hasNamedParameter',
        before: 'return named.pointers.size > 0',
        after: 'return named.pointers.size >= 0',
      },
    ],
  },
  {
    name: 'interpreter-without-a-script',
    test: {
      file: MANIFEST,
      title: 'an interpreter without a script of its own would run what a parameter says',
    },
    edits: [
      {
        file: 'kernel/src/manifest/program-problem.ts',
        function: 'hasOwnScript',
        before: "if (typeof one !== 'string') return false",
        after: "if (typeof one !== 'string') continue",
      },
    ],
  },
  {
    name: 'program-sent-through-a-proxy',
    test: {
      file: MANIFEST,
      title: 'no variable of a manifest makes a program run, believe or ask somebody else',
    },
    edits: [
      {
        file: 'kernel/src/manifest/variable-problem.ts',
        function: 'isLoaderName',
        before: ' || name.endsWith(PROXY)',
        after: '',
      },
    ],
  },
  {
    name: 'loader-in-the-place-of-a-shell',
    test: {
      file: MANIFEST,
      title: 'no program that starts what it is given stands in the place of a shell',
    },
    edits: [
      {
        file: 'kernel/src/manifest/program-problem.ts',
        function: 'findProgramProblem',
        before: "program.startsWith('ld-')",
        after: "program.startsWith('ld-linux.')",
      },
    ],
  },
  {
    name: 'compared-numbers-not-counted',
    test: {
      file: 'kernel/src/expression/compared-numbers.test.ts',
      title: 'numbers that are looked for in long lists do not hold up whoever decides',
    },
    edits: [
      {
        file: 'kernel/src/expression/same-json.ts',
        function: 'countNumber',
        before: 'this.#left -= NUMBER',
        after: 'this.#left -= 0',
      },
    ],
  },
]
