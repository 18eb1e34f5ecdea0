/** Expressions of tool manifests. */
export { evaluateExpression } from './evaluate.ts'
export type { Expression } from './expression.ts'
export { fillJsonTemplate } from './json-template.ts'
export { toTemplateText } from './text-template.ts'
export { describeUnevaluated } from './unevaluated.ts'
