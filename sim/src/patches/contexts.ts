/** Mistakes about what agents are shown, and about what people are offered and sign. */
import type { Patch } from './patch.ts'

export const CONTEXTS_PATCHES: readonly Patch[] = [
  {
    name: 'result-label-not-read',
    test: {
      file: 'runtime/src/engine/effect/result-label.test.ts',
      title: 'the result of a tool is what its manifest says it is',
    },
    edits: [
      {
        file: 'runtime/src/engine/context/session-events.ts',
        function: 'describeMemory',
        before: 'details === undefined ? result_label',
        after: "details === undefined ? 'external'",
      },
    ],
  },
  {
    name: 'probe-vouched-for-by-the-label-of-results',
    test: {
      file: 'runtime/src/engine/effect/result-label.test.ts',
      title: 'what a probe finds is not vouched for by the label of results',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/result-label.ts',
        function: 'findResultLabel',
        before: "(settlement.by === 'answer' || settlement.by === 'resend')",
        after: "settlement.by !== 'person'",
      },
    ],
  },
  {
    name: 'required-state-not-looked-for',
    findings: ['26d'],
    edits: [
      {
        file: 'kernel/src/context/declared.ts',
        function: 'findMissingState',
        before: '!known.has(path)',
        after: "path === '' && !known.has(path)",
      },
    ],
  },
  {
    name: 'undeclared-layers-shown',
    findings: ['26d'],
    edits: [
      {
        file: 'kernel/src/context/declared.ts',
        function: 'hasLayer',
        before: 'declared === undefined ||',
        after: "declared === undefined || layer !== 'state' ||",
      },
    ],
  },
  {
    name: 'session-holds-notes-only',
    findings: ['26c'],
    edits: [
      {
        file: 'runtime/src/engine/context/compile-context.ts',
        function: 'compileContext',
        before: '...buildSessionEvents(own, countTokens)',
        after: '...buildSessionEvents([], countTokens)',
      },
    ],
  },
  {
    name: 'memory-holds-codes',
    findings: ['26b'],
    edits: [
      {
        file: 'runtime/src/engine/context/memory.ts',
        function: 'stripSaid',
        before: 'const { params, rationale } = wanted',
        after: 'const { params, rationale } = {} as ProposedWords',
      },
    ],
  },
  {
    name: 'memory-repeated-in-snapshots',
    findings: ['26b'],
    edits: [
      {
        file: 'kernel/src/context/remembered.ts',
        function: 'toMemoryRef',
        before: "{ ...entry, said: computeAddress('memory', said, sha256) }",
        after: '({ ...entry, said } as unknown as MemoryRef)',
      },
    ],
  },
  {
    name: 'chooser-given-an-id',
    findings: ['26a'],
    edits: [
      {
        file: 'runtime/src/engine/saga/choice-timer.ts',
        function: 'parseChoiceTimer',
        before: 'name.startsWith(PREFIX) ?',
        after: 'name === PREFIX ?',
      },
    ],
  },
  {
    name: 'refused-override-offered',
    findings: ['29a'],
    edits: [
      {
        file: 'runtime/src/engine/approve/brief/standing.ts',
        function: 'applyOutlook',
        before: 'standing.OVERRIDE ?? refusal',
        after: 'standing.OVERRIDE',
      },
    ],
  },
  {
    name: 'reason-filled-in',
    findings: ['29b'],
    edits: [
      {
        file: 'console/src/pages/inbox/draft.ts',
        function: 'UNTOUCHED',
        before: "reason: ''",
        after: "reason: 'as proposed'",
      },
    ],
  },
  {
    name: 'moved-request-decided-with-others',
    test: {
      file: 'console/src/pages/inbox/batch/decide-each.test.ts',
      title: 'one that moved since it was shown is not decided, and the others are (E1)',
    },
    edits: [
      {
        file: 'console/src/pages/inbox/batch/decide-each.ts',
        function: 'decideOne',
        before: 'if (moves !== null)',
        after: 'if (moves === undefined)',
      },
    ],
  },
  {
    name: 'memory-keeps-hidden-text',
    test: {
      file: 'runtime/src/engine/context/memory.findings.test.ts',
      title: 'finding 26b: what an agent wanted, why, and what came of it are in its next context',
    },
    edits: [
      {
        file: 'runtime/src/engine/context/clean.ts',
        function: 'stripHiddenValue',
        before: 'return mapTexts(value, stripHidden)',
        after: 'return mapTexts(value, (text) => text)',
      },
    ],
  },
  {
    name: 'notes-of-a-flow-not-shown-again',
    test: {
      file: 'runtime/src/engine/context/compile-context.test.ts',
      title: 'the same records give the same snapshot on every store, as often as it is asked',
    },
    edits: [
      {
        file: 'runtime/src/engine/context/compile-context.ts',
        function: 'compileContext',
        before: 'const notes =\n    again === true\n',
        after: 'const notes =\n    again === undefined\n',
      },
    ],
  },
]
