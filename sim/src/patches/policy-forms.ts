/** Mistakes about how policies come in: a form that only some places take, names that nobody looks up. */
import type { Patch } from './patch.ts'

export const POLICY_FORM_PATCHES: readonly Patch[] = [
  {
    name: 'module-policies-not-loaded',
    findings: ['24a', '24b'],
    edits: [
      {
        file: 'runtime/src/cli/rules-module.ts',
        function: 'loadRules',
        before: 'unwrap(await loadPolicies(policies as PolicyForm[], place))',
        after: 'policies as Policy[]',
      },
    ],
  },
  {
    name: 'policies-taken-as-they-are',
    findings: ['24a', '24b', '24c'],
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'loadPolicy',
        before: "if (typeof form !== 'string') return loadWritten(form, sha256)",
        after: "if (typeof form !== 'string') return ok(form as Policy)",
      },
    ],
  },
  {
    name: 'policy-names-unchecked',
    findings: ['24d'],
    edits: [
      {
        file: 'runtime/src/cli/policy-check.ts',
        function: 'showRead',
        before: 'known === null ? null : unknownNames(policy, known)',
        after: 'known === null ? null : []',
      },
    ],
  },
  {
    name: 'parameters-unchecked',
    findings: ['24d'],
    edits: [
      {
        file: 'runtime/src/known-capabilities.ts',
        function: 'knownCapabilities',
        before: 'schemaHas(params, path)',
        after: 'true',
      },
    ],
  },
]
