/** Mistakes about policies: a form that only some places take, names that nobody looks up, channels that nobody hears on. */
import type { Patch } from './patch.ts'

export const POLICY_FORM_PATCHES: readonly Patch[] = [
  {
    name: 'module-policies-not-loaded',
    findings: ['24a', '24b'],
    edits: [
      {
        file: 'server/src/cli/rules-module.ts',
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
        file: 'server/src/cli/policy-check.ts',
        function: 'showRead',
        before: 'known === null ? null : findUnknownNames(policy, known)',
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
        function: 'listKnownCapabilities',
        before: 'hasSchemaPlace(params, path)',
        after: 'true',
      },
    ],
  },
  {
    name: 'first-channel-told',
    findings: ['39d'],
    edits: [
      {
        file: 'runtime/src/engine/escalate/ask.ts',
        function: 'buildEscalationNotices',
        before: 'listToldChannels(request).map(',
        after: 'listToldChannels(request).slice(0, 1).map(',
      },
    ],
  },
  {
    name: 'cedar-asks-one-channel',
    findings: ['39d'],
    edits: [
      {
        file: 'runtime/src/policies/cedar.ts',
        function: 'toDenial',
        before: 'also.length === 0',
        after: 'also.length >= 0',
      },
    ],
  },
  {
    name: 'policy-lifted-by-its-name',
    findings: ['39d'],
    edits: [
      {
        file: 'kernel/src/policy/evaluate.ts',
        function: 'evaluatePolicies',
        before: 'id: formatPolicyTrigger(policy.name, channel)',
        after: "id: ['policy', policy.name].join(':')",
      },
    ],
  },
  {
    name: 'silent-policies-taken',
    test: {
      file: 'runtime/src/policies/load-policy.test.ts',
      title: 'a text that says less than it seems to is taken by nobody, in no form',
    },
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'takeCedar',
        before: 'const said = loaded.ok ? findSilentRule(cedar.text) : null',
        after: "const said = loaded.ok && cedar.text === '' ? findSilentRule(cedar.text) : null",
      },
    ],
  },
  {
    name: 'hidden-text-taken',
    test: {
      file: 'runtime/src/policies/load-policy.test.ts',
      title: 'a text that says less than it seems to is taken by nobody, in no form',
    },
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'takeCedar',
        before: 'if (hidden !== null)',
        after: "if (hidden === '')",
      },
    ],
  },
  {
    name: 'policy-files-decoded-lossily',
    test: {
      file: 'runtime/src/policies/load-policy.test.ts',
      title: 'a text that says less than it seems to is taken by nobody, in no form',
    },
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'loadFile',
        before: 'const text = decodeUtf8(bytes)',
        after: 'const text = decodeUtf8(bytes) ?? new TextDecoder().decode(bytes)',
      },
    ],
  },
  {
    name: 'policy-check-more-lenient-than-up',
    test: {
      file: 'server/src/cli/policy-forms.findings.test.ts',
      title:
        'policy check takes no file that a runtime refuses, and names a type in the wrong place',
    },
    edits: [
      {
        file: 'server/src/cli/policy-check.ts',
        function: 'readFiles',
        before: 'read.ok ? findPoliciesProblem([read.value]) : null',
        after: 'read.ok ? findPoliciesProblem([]) : null',
      },
    ],
  },
  {
    name: 'misplaced-types-unnamed',
    edits: [
      {
        file: 'runtime/src/policies/unknown-names.ts',
        function: 'findHeadProblem',
        before: 'if (type === own ||',
        after: "if (type !== '' || type === own ||",
      },
    ],
  },
]
