/** Expressions of tool manifests. */
export { evaluateExpression } from './evaluate.ts'
export type { Expression } from './expression.ts'
export { describeUnevaluated } from './unevaluated.ts'
