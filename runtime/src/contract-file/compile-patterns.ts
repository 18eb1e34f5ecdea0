import { RE2JS } from 're2js'
import {
  type Contract,
  err,
  type Failure,
  LIMITS,
  listContractPatterns,
  ok,
  type Regex,
  type Result,
} from 'rubicon-kernel'

/**
 * Compiles the expressions of a contract with an engine that runs in linear time, and refuses what
 * it refuses: with back-references or look-around one short input could stop the runtime.
 *
 * The matcher asks whether the whole value matches. It knows the expressions of this contract only;
 * any other matches nothing.
 */
export function compilePatterns(contract: Contract): Result<Regex, Failure> {
  const compiled = new Map<string, RE2JS>()
  let [length, states] = [0, 0]
  for (const expression of listContractPatterns(contract)) {
    length += expression.length
    if (length > LIMITS.expressionLength)
      return err(createTooLargeFailure('characters', LIMITS.expressionLength))
    const regex = compileExpression(expression)
    if (!regex.ok) return regex
    compiled.set(expression, regex.value)
    states += regex.value.programSize()
    if (states > LIMITS.expressionStates)
      return err(createTooLargeFailure('states', LIMITS.expressionStates))
  }
  return ok((expression, value) => compiled.get(expression)?.matches(value) ?? false)
}

function createTooLargeFailure(what: string, most: number): Failure {
  return {
    code: 'POLICY_REGEX_UNSAFE',
    summary: `the expressions of the contract have more than ${most} ${what} together`,
    why: 'each state is gone through for every character of a value',
    fix: 'write fewer or shorter expressions, with smaller numbers of repetitions',
  }
}

export function compileExpression(expression: string): Result<RE2JS, Failure> {
  try {
    return ok(RE2JS.compile(expression))
  } catch (cause) {
    return err({
      code: 'POLICY_REGEX_UNSAFE',
      summary: `the expression \`${expression}\` cannot run in linear time`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'write it without back-references and look-around',
      meta: { expression },
    })
  }
}
