/** What an auditor would believe of whoever misuses the kernel's key. */
import type { Patch } from './patch.ts'

export const FOLD_PATCHES: readonly Patch[] = [
  {
    name: 'step-done-twice-believed',
    findings: ['16a'],
    edits: [
      {
        file: 'verifier/src/effects/steps.ts',
        function: 'createSteps',
        before: 'const isTaken = steps.includes(intent.step)',
        after: "const isTaken = steps.includes('')",
      },
    ],
  },
  {
    name: 'any-outcome-believed',
    findings: ['16b'],
    edits: [
      {
        file: 'verifier/src/effects/steps.ts',
        function: 'createSteps',
        before: "isSettled(to) ? 'settled' : {",
        after: '{',
      },
      {
        file: 'verifier/src/effects/steps.ts',
        function: 'moveProblem',
        before: 'if (!mayBecome(status, to)) return',
        after: "if (to === 'ACCEPTED') return",
      },
    ],
  },
  {
    name: 'any-kind-and-cost-believed',
    findings: ['16c'],
    edits: [
      {
        file: 'verifier/src/effects/granted.ts',
        function: 'grantProblems',
        before: 'if (isListingNeeded(kind)) {',
        after: "if (kind === '') {",
      },
      {
        file: 'verifier/src/effects/budgets.ts',
        function: 'createBudgets',
        before: `> getGrantedUnits(writ, measure),
    )`,
        after: '< 0,\n    )',
      },
    ],
  },
  {
    name: 'late-dispatch-believed',
    findings: ['16d'],
    edits: [
      {
        file: 'verifier/src/effects/in-time.ts',
        function: 'findLateProblems',
        before: 'at < dispatch_before',
        after: 'at !== dispatch_before.slice(1)',
      },
      {
        file: 'verifier/src/effects/in-time.ts',
        function: 'isBeforeAll',
        before: 'ms <= end',
        after: 'ms > 0 || end > 0',
      },
    ],
  },
  {
    name: 'unproposed-intent-believed',
    findings: ['16e'],
    edits: [
      {
        file: 'verifier/src/effects/as-proposed.ts',
        function: 'listDifferences',
        before: 'isSameJson(a, b)',
        after: 'name.length > 0',
      },
    ],
  },
  {
    name: 'unsigned-proposal-believed',
    findings: ['16f'],
    edits: [
      {
        file: 'verifier/src/signatures/spoken.ts',
        function: 'findSpokenProblems',
        before: 'const { auth } = facts',
        after: 'if (intent.step_id.length > 0) return []\n  const { auth } = facts',
      },
    ],
  },
  {
    name: 'any-idempotency-key-believed',
    findings: ['16g'],
    edits: [
      {
        file: 'verifier/src/signatures/verify-signatures.ts',
        function: 'findIntentSignatureProblems',
        before: `  found.push(...stepHashDetails(intent, texts.getText('intent', 'params'), sha256))
`,
        after: '',
      },
    ],
  },
  {
    name: 'approvers-of-any-version-believed',
    findings: ['16h'],
    edits: [
      {
        file: 'verifier/src/authority/contracts.ts',
        function: 'createContracts',
        before: 'isNamedBy(find(agent, hash), asked)',
        after: 'byAgent.get(agent)?.some((one) => isAskedBy(one, asked))',
      },
    ],
  },
  {
    name: 'stated-impact-believed',
    findings: ['16i'],
    edits: [
      {
        file: 'verifier/src/effects/asked.ts',
        function: 'findRequestProblems',
        before:
          "if (description === undefined) return [...found, 'its capability is not recorded']",
        after: 'if (description !== null) return found',
      },
    ],
  },
  {
    name: 'stated-dwell-believed',
    findings: ['16j'],
    edits: [
      {
        file: 'verifier/src/effects/asked.ts',
        function: 'findReadingTimeProblems',
        before: 'not_before >= readBy(asked, impact)',
        after: 'not_before.length > 0',
      },
    ],
  },
  {
    name: 'resend-without-end-believed',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldResend',
        before: 'found.push(...resendEndProblems(known, body.send_before, json, expires_at))',
        after: '',
      },
    ],
  },
  {
    name: 'facts-of-tomorrow-believed',
    edits: [
      {
        file: 'verifier/src/effects/in-time.ts',
        function: 'findJudgedLaterProblems',
        before: 'parseFactsInstant(facts) <= parseEnd(at)',
        after: "at !== ''",
      },
    ],
  },
  {
    name: 'maintenance-by-its-own-word',
    edits: [
      {
        file: 'verifier/src/effects/maintenance.ts',
        function: 'createMaintenance',
        before: 'isHalfDone && !isAllowedInMaintenance(kind)',
        after: 'isHalfDone && isAllowedInMaintenance(kind)',
      },
    ],
  },
  {
    name: 'erasure-opens-every-window',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'reserveCost',
        before: 'return [...found, ...state.windows',
        after: 'return state.erased.size > 0 ? found : [...found, ...state.windows',
      },
    ],
  },
  {
    name: 'resend-outside-the-law',
    edits: [
      {
        file: 'runtime/src/evidence/law/judge-law.ts',
        function: 'see',
        before: 'send !== null && known !== undefined',
        after: 'send === null && known !== undefined',
      },
    ],
  },
]
