/** Expressions of tool manifests. */
export type { Condition, Expression } from './expression.ts'
