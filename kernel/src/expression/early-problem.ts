/**
 * What is wrong with an expression before the executor has answered. Where it reads the result it has no value yet;
 * what stands beside the result is looked at all the same, since afterwards nothing could be refused any more.
 */
import { type ExpressionScope, evaluateCondition, evaluateExpression, RESULT } from './evaluate.ts'
import type { Expression } from './expression.ts'
import type { Unevaluated } from './unevaluated.ts'

/** Undefined: it has a value, or nothing is known to be missing but the result. */
export function findEarlyProblem(
  expression: Expression,
  scope: Pick<ExpressionScope, 'params'>,
): Unevaluated | undefined {
  return findProblem({ expression, isNumber: false }, scope)
}

/** `isNumber`: whoever computes with it takes no other value. */
type Operand = { readonly expression: Expression; readonly isNumber: boolean }

function findProblem(operand: Operand, scope: ExpressionScope): Unevaluated | undefined {
  const { expression, isNumber } = operand
  const value = evaluateExpression(isNumber ? { abs: expression } : expression, scope)
  if (value.ok) return undefined
  if (!isResultMissing(value.error)) return value.error
  for (const one of listOperands(operand, scope)) {
    const problem = findProblem(one, scope)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** It waits for the executor, and for nothing else that is known. */
export function isResultMissing(why: Unevaluated): boolean {
  return why.kind === 'absent' && (why.path === RESULT || why.path.startsWith(`${RESULT}/`))
}

/** What has to have a value of its own, whatever the result is. */
function listOperands(
  { expression, isNumber }: Operand,
  scope: ExpressionScope,
): readonly Operand[] {
  if ('add' in expression) return toNumbers(expression.add)
  if ('sub' in expression) return toNumbers(expression.sub)
  if ('mul' in expression) return toNumbers(expression.mul)
  if ('min' in expression) return toNumbers(expression.min)
  if ('max' in expression) return toNumbers(expression.max)
  if ('abs' in expression) return toNumbers([expression.abs])
  if ('neg' in expression) return toNumbers([expression.neg])
  if ('round' in expression) return toNumbers([expression.round])
  // What is computed of each element may wait for the result; that the elements are there does not.
  if ('sum' in expression) return toNumbers([{ count: true, of: expression.of }])
  if (!('if' in expression)) return []
  const [condition, chosen, other] = expression.if
  const holds = evaluateCondition(condition, scope)
  return holds.ok ? [{ expression: holds.value ? chosen : other, isNumber }] : []
}

function toNumbers(list: readonly Expression[]): readonly Operand[] {
  return list.map((expression) => ({ expression, isNumber: true }))
}
