/** Mistakes about what is shown of artifacts, and to whom. */
import type { Patch } from './patch.ts'

const DOORS = 'runtime/src/artifacts/doors.findings.test.ts'

export const ARTIFACT_DOOR_PATCHES: readonly Patch[] = [
  {
    name: 'artifacts-shown-in-contexts',
    test: { file: DOORS, title: 'the difference of a plan is in no context, whoever asks for it' },
    edits: [
      {
        file: 'kernel/src/context/select.ts',
        function: 'selectReadableWorld',
        before: '!isWithheldKind(fact.kind) && ',
        after: '',
      },
    ],
  },
  {
    name: 'space-that-names-all-of-it',
    test: { file: DOORS, title: 'a name with nothing behind its space names no artifact' },
    edits: [
      {
        file: 'runtime/src/artifacts/read-artifacts.ts',
        function: 'toAskedSymbol',
        before: 'formatSymbolName(name) === text',
        after: "formatSymbolName(name) !== ''",
      },
    ],
  },
  {
    name: 'folder-told-to-agents',
    test: {
      file: DOORS,
      title: 'what is wrong with the folder or the blobs is told without a path, and holds nothing',
    },
    edits: [
      {
        file: 'artifacts/src/files/journal.ts',
        function: 'readJournal',
        before: 'formatRecordName(NAME)',
        after: 'join(folder, NAME)',
      },
    ],
  },
  {
    name: 'lock-owner-told-to-agents',
    test: { file: DOORS, title: 'who has the lock of the folder is not told' },
    edits: [
      {
        file: 'runtime/src/artifacts/refusal.ts',
        function: 'toFileRefusal',
        before: "code === 'FILES_LOCKED' ? LOCKED : problem",
        after: "code === 'FILE_LINK' ? LOCKED : problem",
      },
    ],
  },
  {
    name: 'blob-not-kept-called-unknown',
    test: {
      file: DOORS,
      title: 'what is wrong with the folder or the blobs is told without a path, and holds nothing',
    },
    edits: [
      {
        file: 'runtime/src/artifacts/shelf.ts',
        function: 'refuseFailedPuts',
        before: 'throw toKeepingRefusal(error)',
        after: 'throw error',
      },
    ],
  },
  {
    name: 'artifacts-listed-beyond-the-contract',
    test: {
      file: DOORS,
      title: 'a prefix that the contract admits lists no name that it does not',
    },
    edits: [
      {
        file: 'runtime/src/artifacts/read-artifacts.ts',
        function: 'listArtifacts',
        before: 'if (isReadable(name))',
        after: "if (isReadable(name) || name !== '')",
      },
    ],
  },
  {
    name: 'candidates-beyond-the-contract',
    test: {
      file: DOORS,
      title:
        'a refusal names no symbol that its agent may not read, and says how many it leaves out',
    },
    edits: [
      {
        file: 'runtime/src/artifacts/narrow-refusal.ts',
        function: 'selectKnown',
        before: 'values.filter(isShown)',
        after: 'values.filter((one) => isShown(one) || true)',
      },
    ],
  },
  {
    name: 'plans-of-others-told',
    test: {
      file: DOORS,
      title: 'what a plan of another agent writes is not told to whoever has its name',
    },
    edits: [
      {
        file: 'runtime/src/artifacts/plan-law.ts',
        function: 'findPlanProblem',
        before: "said.join('; ')",
        after: "plan.symbols.join('; ')",
      },
    ],
  },
  {
    name: 'secrets-written-by-the-command',
    test: {
      file: 'server/src/cli/artifact/artifact.test.ts',
      title: 'a secret that is known by its form is not written',
    },
    edits: [
      {
        file: 'server/src/cli/artifact/apply.ts',
        function: 'planAll',
        before: 'findSecret: findKnownSecret',
        after: 'findSecret: () => null',
      },
    ],
  },
  {
    name: 'artifacts-of-another-tenant',
    test: {
      file: 'server/src/http/routes/artifacts.test.ts',
      title: 'an artifact of another tenant is shown',
    },
    edits: [
      {
        file: 'server/src/http/tenants.ts',
        function: 'pickShared',
        before: 'metrics, lookups, artifacts,',
        after: 'metrics, artifacts,',
      },
    ],
  },
  {
    name: 'artifact-tools-beyond-the-contract',
    test: {
      file: 'server/src/mcp/artifact-tools.test.ts',
      title: 'a kind that the contract does not have is listed',
    },
    edits: [
      {
        file: 'gateway/src/artifacts/artifact-tools.ts',
        function: 'listArtifactTools',
        before: 'mayCall(kind)',
        after: 'mayCall(kind) || true',
      },
    ],
  },
  {
    name: 'plans-shown-as-changes',
    test: {
      file: 'server/src/http/lookups/artifacts/artifact-lookups.test.ts',
      title:
        'what changed an artifact is listed, newest first, and a plan that claims it is no change',
    },
    edits: [
      {
        file: 'server/src/http/lookups/artifacts/find-changes.ts',
        function: 'isSame',
        before: 'before?.content_hash === after?.content_hash &&',
        after: 'before === after &&',
      },
    ],
  },
  {
    name: 'refused-plan-shows-its-lines',
    test: {
      file: 'server/src/http/views/withheld-facts.findings.test.ts',
      title: 'who names a plan of another is not shown its lines in the flow that was refused',
    },
    edits: [
      {
        file: 'server/src/http/views/agent-entry.ts',
        function: 'hideIn',
        before: 'isWithheldKind(kind) &&',
        after: "isWithheldKind(kind) && kind !== 'artifact_plan' &&",
      },
    ],
  },
]
