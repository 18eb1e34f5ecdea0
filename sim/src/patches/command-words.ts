/** Mistakes about what the command says, and what it does with what it is told. */
import type { Patch } from './patch.ts'

export const COMMAND_WORDS_PATCHES: readonly Patch[] = [
  {
    name: 'problems-left-out-of-failures',
    findings: ['30a'],
    edits: [
      {
        file: 'runtime/src/contract-file/placed-problem.ts',
        function: 'problemLines',
        before: 'problems.length > 1 ? problems.filter(isPlaced).map(problemText) : []',
        after: '[]',
      },
    ],
  },
  {
    name: 'expressions-without-place',
    findings: ['30a'],
    edits: [
      {
        file: 'runtime/src/contract-file/read-contract-file.ts',
        function: 'parseWithExpressions',
        before: 'const unsafe = unsafeExpressions(document)',
        after: 'const unsafe: ReturnType<typeof unsafeExpressions> = []',
      },
    ],
  },
  {
    name: 'yaml-problems-hide-the-others',
    findings: ['30a'],
    edits: [
      {
        file: 'runtime/src/contract-file/read-document.ts',
        function: 'problemsBeside',
        before: 'rest === null ? null : kind.parse(rest.value)',
        after: 'null as { ok: true } | { ok: false; error: ObjectProblem[] } | null',
      },
    ],
  },
  {
    name: 'budget-refused-without-amounts',
    findings: ['30b'],
    edits: [
      {
        file: 'kernel/src/compile/short-amounts.ts',
        function: 'shortDetails',
        before: '{ measures, amounts: Object.fromEntries(amounts) }',
        after: '{ measures }',
      },
    ],
  },
  {
    name: 'budget-left-read-from-the-limit',
    findings: ['30b'],
    edits: [
      {
        file: 'runtime/src/engine/budget-refusal.ts',
        function: 'budgetRefusal',
        before: 'text(await store.counter(id))',
        after: "'0'",
      },
    ],
  },
]
