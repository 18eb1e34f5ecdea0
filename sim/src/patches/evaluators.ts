/** Mistakes about schemas and Cedar: what an evaluator reads otherwise than it is written is taken as it reads it. */
import type { Patch } from './patch.ts'

export const EVALUATOR_PATCHES: readonly Patch[] = [
  {
    name: 'patterns-cost-what-they-cost',
    edits: [
      {
        file: 'kernel/src/contract/pattern-budget.ts',
        function: 'createBoundedMatch',
        before: 'left -= countSteps(pattern, value)',
        after: 'left -= 0 * countSteps(pattern, value)',
      },
    ],
  },
  {
    name: 'schemas-cost-what-they-cost',
    edits: [
      {
        file: 'runtime/src/capabilities/schema.ts',
        function: 'compileNew',
        before: 'count(value, LIMITS.schemaSteps) > LIMITS.schemaSteps',
        after: 'count(value, LIMITS.schemaSteps) < 0',
      },
    ],
  },
  {
    name: 'references-not-followed',
    test: {
      file: 'runtime/src/capabilities/schema-cost.test.ts',
      title:
        'parameters that an agent makes long, or many, do not hold the thread that judges them',
    },
    edits: [
      {
        file: 'runtime/src/capabilities/schema-cost.ts',
        function: '#refer',
        before: 'else this.#apply(found, value)',
        after: '',
      },
      {
        file: 'runtime/src/capabilities/schema.ts',
        function: 'findSizeProblem',
        before: 'if (lost !== undefined)',
        after: 'if (lost === undefined && references.size < 0)',
      },
    ],
  },
  {
    name: 'policies-cost-what-they-cost',
    edits: [
      {
        file: 'kernel/src/policy/evaluate.ts',
        function: 'evaluatePolicies',
        before: 'const affordable = steps <= left',
        after: 'const affordable = steps <= left || left > 0',
      },
    ],
  },
  {
    name: 'texts-of-like-not-counted',
    edits: [
      {
        file: 'runtime/src/policies/cedar-cost.ts',
        function: 'countCedarSteps',
        before: 'steps += pattern * textLength(source, context, longest)',
        after: 'steps += pattern + Number(textLength(source, context, longest) < 0)',
      },
    ],
  },
  {
    name: 'async-schema-registers',
    findings: ['38a'],
    edits: [
      {
        file: 'runtime/src/capabilities/judged-schema.ts',
        function: 'findUnjudgedProblem',
        before: 'if (Object.hasOwn(part, name)) return',
        after: "if (name !== '$async' && Object.hasOwn(part, name)) return",
      },
    ],
  },
  {
    name: 'unjudged-schema-registers',
    findings: ['38b'],
    edits: [
      {
        file: 'runtime/src/capabilities/schema.ts',
        function: 'compileNew',
        before: 'if (unjudged !== undefined)',
        after: "if (unjudged?.includes('$async'))",
      },
    ],
  },
  {
    name: 'multiples-of-doubles',
    findings: ['38c'],
    edits: [
      {
        file: 'runtime/src/capabilities/schema.ts',
        function: 'isMultiple',
        before: 'return whole !== undefined && part !== undefined && isMultipleOf(whole, part)',
        after: 'return whole !== undefined && part !== undefined && Number.isInteger(value / step)',
      },
    ],
  },
  {
    name: 'cedar-template-registers',
    findings: ['39a'],
    edits: [
      {
        file: 'runtime/src/policies/cedar.ts',
        function: 'parseRules',
        before: 'if (parts.policy_templates.length > 0)',
        after: 'if (false)',
      },
    ],
  },
  {
    name: 'cedar-rules-in-another-order',
    findings: ['39b'],
    edits: [
      {
        file: 'runtime/src/policies/cedar.ts',
        function: 'parseRules',
        before: 'const statements = cutStatements(options.text)',
        after: 'const statements = cutStatements(options.text).toReversed()',
      },
    ],
  },
  {
    name: 'cedar-escapes-from-agents',
    findings: ['39c'],
    edits: [
      {
        file: 'runtime/src/policies/cedar.ts',
        function: 'evaluate',
        before: 'if (escaped !== undefined)',
        after: 'if (false)',
      },
    ],
  },
  {
    name: 'rules-not-given-what-they-compare-whole',
    test: {
      file: 'runtime/src/policies/cedar-reads.test.ts',
      title: 'a policy answers as if it had been given everything, errors and their words included',
    },
    edits: [
      {
        file: 'runtime/src/policies/cedar-reads.ts',
        function: 'listCedarReads',
        before: "if (node.Var === 'context') return 'all'",
        after: "if (node.Var === 'context') continue",
      },
    ],
  },
  {
    name: 'rules-not-given-what-cannot-be-read',
    test: {
      file: 'runtime/src/policies/cedar-reads.test.ts',
      title: 'what is too large for a decimal is given though nothing reads it, and refuses',
    },
    edits: [
      {
        file: 'runtime/src/policies/cedar-reads.ts',
        function: 'isPlain',
        before: 'decimal.length <= DECIMAL_LENGTH',
        after: 'decimal.length > 0',
      },
    ],
  },
  {
    name: 'rules-not-asked-about-what-cannot-be-read',
    test: {
      file: 'runtime/src/policies/cedar-reads.test.ts',
      title: 'a policy answers as if it were asked about every action',
    },
    edits: [
      {
        file: 'runtime/src/policies/cedar.ts',
        function: 'evaluate',
        before: 'if (!isMeant && Object.keys(context).length === 0)',
        after: 'if (!isMeant)',
      },
    ],
  },
  {
    name: 'rules-of-all-actions-not-asked',
    test: {
      file: 'runtime/src/policies/cedar-reads.test.ts',
      title: 'a policy answers as if it had been given everything, errors and their words included',
    },
    edits: [
      {
        file: 'runtime/src/policies/cedar-reads.ts',
        function: 'indexActionReads',
        before: 'actions === null ||',
        after: 'actions !== null &&',
      },
    ],
  },
]
