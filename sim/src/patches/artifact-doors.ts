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
        before: '!WITHHELD.has(fact.kind) && ',
        after: '',
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
]
