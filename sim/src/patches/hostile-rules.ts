/** Mistakes about rules in force and about what people are asked, for tricks of the hostile agent. */
import type { Patch } from './patch.ts'

export const HOSTILE_RULE_PATCHES: readonly Patch[] = [
  {
    name: 'cedar-by-its-text-is-not-in-force',
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'loadCedar',
        before: 'return tried.ok ? createCedarPolicy(options, sha256) : tried',
        after:
          'return tried.ok ? ok({ ...tried.value, evaluate: () => ({ decision: null }) }) : tried',
      },
    ],
  },
  {
    name: 'requests-show-one-trigger',
    edits: [
      {
        file: 'runtime/src/engine/escalate/escalate.ts',
        function: 'buildProposalRequest',
        before: '    triggers,\n    reason_code: code,',
        after: '    triggers: triggers.slice(0, 1),\n    reason_code: code,',
      },
    ],
  },
  {
    name: 'any-lift-counts',
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkLifts',
        before: 'unknown.length > 0',
        after: 'unknown.length < 0',
      },
    ],
  },
  {
    name: 'problems-of-a-policy-without-end',
    test: {
      file: 'server/src/http/routes/drafts-checked.test.ts',
      title: 'of a policy with thousands of mistakes so many are named, and the answer stays short',
    },
    edits: [
      {
        file: 'runtime/src/policies/cedar-error-text.ts',
        function: 'listCedarProblems',
        before: '.slice(0, LIMITS.documentProblems)',
        after: '.slice(0)',
      },
    ],
  },
]
