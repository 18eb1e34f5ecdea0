/** Mistakes about formats of artifacts: what is read, and what a value or a section becomes. */
import type { Patch } from './patch.ts'

export const ARTIFACT_FORMAT_PATCHES: readonly Patch[] = [
  {
    name: 'value-changed-where-an-alias-names-it',
    test: {
      file: 'artifacts/src/delta/plan-set-value.test.ts',
      title: 'YAML: what an anchor or a merge spreads is not changed unasked',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-set-value.ts',
        function: 'planValue',
        before: 'if (after.ok && due !== undefined && isSameValue(after.value, due)) return plan',
        after: 'if (after.ok && due !== undefined) return plan',
      },
    ],
  },
  {
    name: 'comment-dropped-with-the-value-before-it',
    test: {
      file: 'artifacts/src/delta/plan-set-value.test.ts',
      title: 'JSON with comments: they stay, also within a value of which only a part changes',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-set-value.ts',
        function: 'planReplace',
        before: 'if (lost !== undefined)',
        after: 'if (lost === null)',
      },
    ],
  },
  {
    name: 'section-takes-over-what-follows-it',
    test: {
      file: 'artifacts/src/delta/plan-section.test.ts',
      title: 'a section is replaced with its heading or below it, and keeps its name',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-section.ts',
        function: 'finishReplaced',
        before: 'before?.join() === after?.join() && ',
        after: '',
      },
    ],
  },
  {
    name: 'installed-module-is-written',
    test: {
      file: 'artifacts/src/delta/plan-read-only.test.ts',
      title: 'what lies below an external root is never written',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-delta.ts',
        function: 'planStep',
        before: 'if (format.isReadOnly === true)',
        after: 'if (format.isReadOnly === undefined && delta.op === undefined)',
      },
    ],
  },
  {
    name: 'value-behind-a-delta-is-not-judged',
    test: {
      file: 'sim/src/config-schema.test.ts',
      title: 'behind every delta the whole value fits its schema, or nothing is planned',
    },
    edits: [
      {
        file: 'artifacts/src/delta/check-schema.ts',
        function: 'checkSchema',
        before: 'if (problems.length === 0) return plan',
        after: 'if (problems.length >= 0) return plan',
      },
    ],
  },
  {
    name: 'comments-of-a-compiler-config-refused',
    test: {
      file: 'artifacts/src/formats/formats.test.ts',
      title:
        'configurations of TypeScript of any name are read with their comments, and other JSON is not',
    },
    edits: [
      {
        file: 'artifacts/src/formats/formats.ts',
        function: 'findFormat',
        before: 'isCompilerConfig(name) ? COMPILER_CONFIG : name',
        after: 'isCompilerConfig(name) ? name : name',
      },
    ],
  },
]
