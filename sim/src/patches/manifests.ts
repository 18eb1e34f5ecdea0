/** Mistakes about tools that are data: what is parsed, computed, and taken on somebody's word. */
import type { Patch } from './patch.ts'

export const MANIFESTS_PATCHES: readonly Patch[] = [
  {
    name: 'manifest-taken-on-its-word',
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
    edits: [
      {
        file: 'kernel/src/manifest/url-problem.ts',
        function: 'parseUrl',
        before: "const slash = rest.indexOf('/')",
        after: "const slash = rest.indexOf('/', rest.indexOf('@') + 1)",
      },
      {
        file: 'kernel/src/manifest/url-problem.ts',
        function: 'parseUrl',
        before: 'rest : rest.slice(0, slash)',
        after: "rest : rest.slice(rest.indexOf('@') + 1, slash)",
      },
    ],
  },
  {
    name: 'manifest-key-that-is-sent-nowhere',
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
