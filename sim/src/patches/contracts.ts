/** Mistakes about contracts that were once made: limits, pointers, answers, windows. */
import type { Patch } from './patch.ts'

export const CONTRACTS_PATCHES: readonly Patch[] = [
  {
    name: 'priority-said-not-to-be-enforced',
    test: {
      file: 'kernel/src/contract/unenforced.test.ts',
      title:
        'nobody is told that a priority is not enforced: it orders who is woken and whose proposal stands',
    },
    edits: [
      {
        file: 'kernel/src/contract/unenforced.ts',
        function: 'findUnenforcedRules',
        before: '{ host: contract.host }',
        after:
          '{ host: contract.host, priority: contract.priority === 50 ? undefined : contract.priority }',
      },
    ],
  },
  {
    name: 'sets-without-scope-ignored',
    findings: ['2a'],
    edits: [
      {
        file: 'kernel/src/contract/unanswered.ts',
        function: 'findUnansweredRules',
        before: 'const sets = Object.keys(selectResources(contract, policyKind))',
        after: 'const sets: string[] = []',
      },
    ],
  },
  {
    name: 'budgets-without-cost-ignored',
    test: {
      file: 'kernel/src/compile/answered.findings.test.ts',
      title: 'a budget of the agent that a call moves and does not draw on refuses',
    },
    edits: [
      {
        file: 'kernel/src/contract/uncounted-budgets.ts',
        function: 'listUncounted',
        before: "if (touches === 'none') return []",
        after: 'return []',
      },
    ],
  },
  {
    name: 'envelopes-without-field-ignored',
    findings: ['2b'],
    edits: [
      {
        file: 'kernel/src/contract/unanswered.ts',
        function: 'findUnansweredRules',
        before: 'const bounds = Object.entries(selectEnvelope(contract, policyKind))',
        after: 'const bounds: [string, string][] = []',
      },
    ],
  },
  {
    name: 'literal-key-before-nested-sink',
    findings: ['3a'],
    edits: [
      {
        file: 'kernel/src/compile/07-arguments.ts',
        function: 'checkSinks',
        before: 'resolvePointer(proposal.params, sink)',
        after:
          "(Object.hasOwn(proposal.params, sink.slice(1).replaceAll('/', '.')) ? [] : resolvePointer(proposal.params, sink))",
      },
    ],
  },
  {
    name: 'sinks-stop-at-arrays',
    findings: ['3b'],
    edits: [
      {
        file: 'kernel/src/proposal/pointer.ts',
        function: 'walkList',
        before: 'list.entries()',
        after: '[].entries()',
      },
    ],
  },
  {
    name: 'maximum-without-minimum',
    findings: ['4a'],
    edits: [
      {
        file: 'kernel/src/contract/limit-check.ts',
        function: 'checkRange',
        before: 'const below = compareDecimal(given, min) < 0',
        after: "const below = stated !== '0' && compareDecimal(given, min) < 0",
      },
    ],
  },
  {
    name: 'scopes-registered-unseen',
    findings: ['2c'],
    edits: [
      {
        file: 'runtime/src/capabilities/pointer-problem.ts',
        function: 'findPointerProblem',
        before: '!hasSchemaPlace(params, pointer)',
        after: 'false',
      },
    ],
  },
  {
    name: 'exposure-compared-signed',
    findings: ['4b'],
    edits: [
      {
        file: 'kernel/src/escalation/impact.ts',
        function: 'computeSize',
        before: 'toMagnitude(amount)',
        after: 'amount',
      },
    ],
  },
  {
    name: 'newest-contract-whenever',
    findings: ['12a'],
    edits: [
      {
        file: 'kernel/src/ledger/authority.ts',
        function: 'findCurrentContract',
        before: '!revoked && isInForce(contract, at)',
        after: '!revoked',
      },
    ],
  },
]
