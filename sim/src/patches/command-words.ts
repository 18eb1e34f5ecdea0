/** Mistakes about what the command says, and what it does with what it is told. */
import type { Patch } from './patch.ts'

export const COMMAND_WORDS_PATCHES: readonly Patch[] = [
  {
    name: 'problems-left-out-of-failures',
    findings: ['30a'],
    edits: [
      {
        file: 'runtime/src/contract-file/placed-problem.ts',
        function: 'listProblemLines',
        before: 'problems.length > 1 ? problems.filter(isPlaced).map(formatProblem) : []',
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
        before: 'const unsafe = findUnsafeExpressions(document)',
        after: 'const unsafe: ReturnType<typeof findUnsafeExpressions> = []',
      },
    ],
  },
  {
    name: 'yaml-problems-hide-the-others',
    findings: ['30a'],
    edits: [
      {
        file: 'runtime/src/contract-file/read-document.ts',
        function: 'findOtherProblems',
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
        function: 'buildShortageDetails',
        before:
          'amounts: Object.fromEntries(first.map((row) => [row.measure, buildAmounts(row)])),',
        after: '',
      },
    ],
  },
  {
    name: 'budget-left-read-from-the-limit',
    findings: ['30b'],
    edits: [
      {
        file: 'runtime/src/engine/rows/budget-refusal.ts',
        function: 'loadBudgetFailure',
        before: 'text(await store.readCounter(id))',
        after: "'0'",
      },
    ],
  },
  {
    name: 'full-authority-asks-like-limited',
    findings: ['30e'],
    edits: [
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'run',
        before: "contract.authority === 'EXECUTE_FULL' && isLittle(law, measures)",
        after: 'false',
      },
    ],
  },
  {
    name: 'full-authority-runs-what-is-much',
    findings: ['30e'],
    edits: [
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'run',
        before: ' && isLittle(law, measures)',
        after: '',
      },
    ],
  },
  {
    name: 'flags-of-full-authority-not-shown',
    findings: ['30e'],
    edits: [
      {
        file: 'console/src/pages/flow/entry-payload.ts',
        function: 'parseFlagged',
        before: 'trace.flatMap(({ flagged = [] }) => flagged.flatMap(parseFinding))',
        after: 'trace.slice(0, 0).flatMap(parseFinding)',
      },
      {
        file: 'server/src/cli/entry-text.ts',
        function: 'review',
        before: "flags.length === 0 ? ''",
        after: "flags.length >= 0 ? ''",
      },
    ],
  },
  {
    name: 'old-state-is-no-drift',
    findings: ['30f'],
    edits: [
      {
        file: 'runtime/src/engine/telemetry/proposal-watch.ts',
        function: 'isStale',
        before:
          'return code !== undefined && AGED.has(code) && feedback?.details.max_age_ms !== undefined',
        after: 'return feedback === null',
      },
    ],
  },
  {
    name: 'other-ids-are-unknown-flows',
    findings: ['30g'],
    edits: [
      {
        file: 'server/src/cli/whole-id.ts',
        function: 'describeUnknownFlow',
        before: 'const other = describeOtherId(given, SHORTEST)',
        after: 'const other = given.length < 0 ? describeOtherId(given, SHORTEST) : null',
      },
    ],
  },
  {
    name: 'ids-in-upper-case-not-found',
    findings: ['30g'],
    edits: [
      {
        file: 'server/src/cli/whole-id.ts',
        function: 'normaliseId',
        before: 'isDfidLike(dfid) ? given.toLowerCase() : given',
        after: 'dfid.length > given.length ? dfid : given',
      },
    ],
  },
  {
    name: 'codes-of-the-command-unexplained',
    findings: ['30g'],
    edits: [
      {
        file: 'server/src/cli/explain.ts',
        function: 'explainOther',
        before: 'OTHER_REASONS.find(([, reasons]) =>',
        after: "OTHER_REASONS.find(([said, reasons]) => said !== 'command' &&",
      },
    ],
  },
  {
    name: 'scenarios-ignore-the-store',
    findings: ['30c'],
    edits: [
      {
        file: 'server/src/cli/scenario-place.ts',
        function: 'chooseScenarioPlace',
        before: 'return { store: place.store, ...state }',
        after: 'return state',
      },
    ],
  },
  {
    name: 'replay-full-is-replay',
    findings: ['30d'],
    edits: [
      {
        file: 'runtime/src/evidence/replay.ts',
        function: 'replayTrajectory',
        before: 'options.full === true ?',
        after: 'options.full === null ?',
      },
    ],
  },
  {
    name: 'replay-trusts-the-root-of-the-store',
    findings: ['30d'],
    edits: [
      {
        file: 'runtime/src/evidence/replay.ts',
        function: 'replayTrajectory',
        before: 'head !== undefined && head.world_root !== world_hash',
        after: 'head === undefined',
      },
    ],
  },
  {
    name: 'replay-compares-with-no-world',
    findings: ['30d'],
    edits: [
      {
        file: 'server/src/cli/replay.ts',
        function: 'replay',
        before: '...(worldHash === undefined ? {} : { worldHash }),',
        after: '',
      },
    ],
  },
  {
    name: 'packages-without-a-node',
    findings: ['30h'],
    edits: [
      {
        file: 'scripts/stage-package.ts',
        function: 'buildManifest',
        before: 'hasStore(workspace) ? { optionalDependencies',
        after: "workspace === 'nobody' ? { optionalDependencies",
      },
    ],
  },
  {
    name: 'packages-loaded-on-any-node',
    findings: ['30h'],
    edits: [
      {
        file: 'scripts/package-entry.ts',
        function: 'buildPackageEntry',
        before: 'if (Number.parseInt(process.versions.node, 10) <',
        after: 'if (0 > 1 && Number.parseInt(process.versions.node, 10) <',
      },
    ],
  },
  {
    name: 'no-node-for-macos',
    findings: ['30i'],
    edits: [
      {
        file: 'scripts/node-packages.ts',
        function: 'readNodePackages',
        before: '/^node-/.test(name)',
        after: '/^node-(linux|win)/.test(name)',
      },
    ],
  },
  {
    name: 'init-in-a-folder-with-files',
    test: {
      file: 'server/src/cli/create-project.test.ts',
      title: 'a folder that has something in it is refused by name, and stays as it is',
    },
    edits: [
      {
        file: 'server/src/cli/create-project.ts',
        function: 'assertEmpty',
        before: 'if (found.length === 0) return',
        after: 'if (found.length >= 0) return',
      },
      {
        file: 'server/src/cli/create-project.ts',
        function: 'writeFiles',
        before: "{ flag: 'wx' }",
        after: "{ flag: 'w' }",
      },
    ],
  },
  {
    name: 'init-prints-a-folder-unquoted',
    test: {
      file: 'server/src/cli/create-project.test.ts',
      title: 'a folder of any name can be entered by the command that is printed',
    },
    edits: [
      {
        file: 'server/src/cli/create-project.ts',
        function: 'formatShellWord',
        before: 'return /^[\\w./@%+:,-]+$/.test(word) ?',
        after: 'return word.length > 0 ?',
      },
    ],
  },
]
