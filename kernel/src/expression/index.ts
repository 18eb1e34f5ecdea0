/** Expressions of tool manifests. */
export { type ExpressionScope, evaluateCondition, evaluateExpression } from './evaluate.ts'
export type { Condition, Expression } from './expression.ts'
export { fillJsonTemplate } from './json-template.ts'
export { parseCondition, parseExpression } from './parse-expression.ts'
export {
  fillTextTemplate,
  parseTextTemplate,
  type TemplatePart,
  toTemplateText,
} from './text-template.ts'
export { describeUnevaluated, type Unevaluated } from './unevaluated.ts'
