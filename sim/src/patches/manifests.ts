/** Mistakes about tools that are data: what is parsed, computed, and taken on somebody's word. */
import type { Patch } from './patch.ts'

export const MANIFESTS_PATCHES: readonly Patch[] = [
  {
    name: 'manifest-taken-on-its-word',
    test: {
      file: 'runtime/src/evidence/law/judge-manifest.test.ts',
      title: 'a measure that was recorded and does not follow from the manifest is found',
    },
    edits: [
      {
        file: 'runtime/src/evidence/law/recorded-law.ts',
        function: 'createRecordedLaw',
        before: 'if (computed === null)',
        after: 'if (computed !== undefined)',
      },
    ],
  },
  {
    name: 'description-beside-its-manifest',
    test: {
      file: 'kernel/src/manifest/manifest-law.test.ts',
      title: 'a description says what its manifest says, and one that says something else is found',
    },
    edits: [
      {
        file: 'kernel/src/manifest/describe-manifest.ts',
        function: 'parseDescribedManifest',
        before: 'return isSame ?',
        after: 'return isSame || source.hash !== "" ?',
      },
    ],
  },
  {
    name: 'staged-decision-with-another-trace',
    test: {
      file: 'runtime/src/evidence/law/judge-manifest.test.ts',
      title: 'a measure that was recorded and does not follow from the manifest is found',
    },
    edits: [
      {
        file: 'runtime/src/evidence/law/compare-verdict.ts',
        function: 'describeTraceDifference',
        before: 'if (toComparableText(recorded) === toComparableText(lawful)) return null',
        after: 'if (recorded.length === lawful.length) return null',
      },
    ],
  },
  {
    name: 'functions-under-a-manifest',
    test: {
      file: 'runtime/src/capabilities/from-manifest.test.ts',
      title: 'functions of somebody else under a manifest are refused',
    },
    edits: [
      {
        file: 'runtime/src/capabilities/from-manifest.ts',
        function: 'isMadeOfManifest',
        before: 'return made.has(capability)',
        after: 'return made.has(capability) || capability.manifest !== undefined',
      },
    ],
  },
  {
    name: 'manifest-pointers-not-in-the-schema',
    test: {
      file: 'runtime/src/capabilities/from-manifest.test.ts',
      title: 'a pointer that the parameters cannot have is refused where it stands',
    },
    edits: [
      {
        file: 'runtime/src/capabilities/manifest-problem.ts',
        function: 'findManifestProblem',
        before: '!hasSchemaPlace(params, pointer)',
        after: 'pointer.length === 0',
      },
    ],
  },
  {
    name: 'manifest-with-unknown-members',
    test: {
      file: 'kernel/src/expression/parse-expression.test.ts',
      title: 'one member more, or one that does not belong, is refused by its name',
    },
    edits: [
      {
        file: 'kernel/src/expression/read-expression.ts',
        function: '#readNode',
        before: 'if (unknown !== undefined) {',
        after: 'if (unknown === operator) {',
      },
    ],
  },
  {
    name: 'manifest-starts-a-shell',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title: 'a command starts one literal program, and no shell',
    },
    edits: [
      {
        file: 'kernel/src/manifest/program-problem.ts',
        function: 'findProgramProblem',
        before: 'SHELLS.includes(program) || SHELLS.includes(stripVersion(program))',
        after: 'SHELLS.includes(path)',
      },
    ],
  },
  {
    name: 'manifest-url-with-user-info',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title: 'an address has a literal host in one spelling, and a path that nothing can leave',
    },
    edits: [
      {
        file: 'kernel/src/manifest/url-problem.ts',
        function: 'parseUrl',
        before: 'text.slice(scheme.length)',
        after: "text.slice(Math.max(scheme.length, text.indexOf('@') + 1))",
      },
    ],
  },
  {
    name: 'manifest-key-that-is-sent-nowhere',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title: 'an effect class is backed by what it needs',
    },
    edits: [
      {
        file: 'kernel/src/manifest/find-contradiction.ts',
        function: 'findKeyProblem',
        before: 'carrier === undefined || toAsciiLower(carrier)',
        after: 'carrier !== undefined && toAsciiLower(carrier)',
      },
    ],
  },
  {
    name: 'expression-without-bound',
    test: {
      file: 'kernel/src/expression/evaluate.test.ts',
      title: 'numbers have 34 digits at most, zeros at the end of a fraction apart',
    },
    edits: [
      {
        file: 'kernel/src/expression/number.ts',
        function: 'isShortNumber',
        before: 'return isSmall(left) && places <= MOST_DIGITS',
        after: 'return isSmall(left) || places <= MOST_DIGITS',
      },
    ],
  },
  {
    name: 'expression-sums-what-is-there',
    test: {
      file: 'kernel/src/expression/evaluate.test.ts',
      title: 'what is absent has no value, and the place is named',
    },
    edits: [
      {
        file: 'kernel/src/expression/elements.ts',
        function: 'listElements',
        before: "if (found === undefined) return 'absent'",
        after: 'if (found === undefined) continue',
      },
    ],
  },
  {
    name: 'expression-not-of-what-is-unknown',
    test: {
      file: 'kernel/src/expression/evaluate.test.ts',
      title: 'conditions look from the left, and what cannot be told is neither true nor false',
    },
    edits: [
      {
        file: 'kernel/src/expression/evaluate.ts',
        function: 'judge',
        before: 'return holds === undefined ? undefined : !holds',
        after: 'return holds !== true',
      },
    ],
  },
  {
    name: 'parameter-reaches-another-fact',
    test: {
      file: 'kernel/src/expression/evaluate.test.ts',
      title: 'a parameter in a path is one name and nothing else',
    },
    edits: [
      {
        file: 'kernel/src/expression/text-template.ts',
        function: 'fillTextTemplate',
        before: 'hasAnyOf(said, reserved)',
        after: 'hasAnyOf(said, reserved.slice(reserved.length))',
      },
    ],
  },
  {
    name: 'delta-found-impossible-after-the-effect',
    test: {
      file: 'kernel/src/manifest/manifest-law.test.ts',
      title:
        'what the delta replaces is there, and what it creates is not, before anything is sent',
    },
    edits: [
      {
        file: 'kernel/src/manifest/manifest-law.ts',
        function: 'findHeldProblem',
        before: "if (op !== 'create' && !isThere)",
        after: "if (op === 'create' && !isThere && isThere)",
      },
    ],
  },
  {
    name: 'overflow-told-as-missing',
    test: {
      file: 'kernel/src/manifest/manifest-law.test.ts',
      title: 'what is too large is not merely missing',
    },
    edits: [
      {
        file: 'kernel/src/manifest/manifest-law.ts',
        function: 'throwOverflow',
        before: "why.kind === 'overflow'",
        after: "why.kind === 'overflow' && name === ''",
      },
    ],
  },
  {
    name: 'probe-takes-the-unknown-for-absent',
    test: {
      file: 'kernel/src/manifest/manifest-law.test.ts',
      title: 'what cannot be evaluated does not hold',
    },
    edits: [
      {
        file: 'kernel/src/manifest/manifest-effect.ts',
        function: 'isHolding',
        before: 'return held.ok && held.value',
        after: 'return !held.ok || held.value',
      },
    ],
  },
  {
    name: 'taking-back-sent-twice',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title: 'what is sent again can be sent twice, and so can what takes it back',
    },
    edits: [
      {
        file: 'kernel/src/manifest/find-contradiction.ts',
        function: 'findRepeatProblem',
        before: 'findCarrier(undo) === undefined',
        after: 'findCarrier(executor) === undefined',
      },
    ],
  },
  {
    name: 'post-called-conditional',
    test: {
      file: 'kernel/src/manifest/parse-manifest.test.ts',
      title: 'what is sent again can be sent twice, and so can what takes it back',
    },
    edits: [
      {
        file: 'kernel/src/manifest/find-contradiction.ts',
        function: 'findRepeated',
        before: "['PUT', 'DELETE']",
        after: "['PUT', 'DELETE', 'POST']",
      },
    ],
  },
  {
    name: 'comparison-without-end',
    test: {
      file: 'kernel/src/expression/evaluate.test.ts',
      title: 'what is compared is counted, however long somebody makes it',
    },
    edits: [
      {
        file: 'kernel/src/expression/same-json.ts',
        function: '#compareTexts',
        before: 'this.#left -= a.length',
        after: 'this.#left -= 1',
      },
    ],
  },
]
