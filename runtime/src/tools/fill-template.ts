/** Templates of executors, filled from the parameters of one call. What is absent refuses. */
import {
  type Expression,
  err,
  isObject,
  type JsonObject,
  type JsonTemplate,
  type JsonValue,
  ok,
  type Result,
  resolvePointer,
} from 'rubicon-kernel'

/** The kernel's evaluation, on parameters alone; the error says in words what is missing or too large. */
export type EvaluateExpression = (
  expression: Expression,
  params: JsonObject,
) => Result<JsonValue, string>

export function readParam(params: JsonObject, pointer: string): JsonValue | undefined {
  const [located, ...others] = resolvePointer(params, pointer)
  return others.length === 0 && located?.kind === 'found' ? located.value : undefined
}

/** An object with the one member `$` is an expression; everything else stands for itself. */
export function fillJson(
  template: JsonTemplate,
  evaluate: (expression: Expression) => Result<JsonValue, string>,
): Result<JsonValue, string> {
  if (Array.isArray(template)) {
    const items: JsonValue[] = []
    for (const item of template) {
      const filled = fillJson(item, evaluate)
      if (!filled.ok) return filled
      items.push(filled.value)
    }
    return ok(items)
  }
  if (!isObject(template)) return ok(template)
  const names = Object.keys(template)
  if (names.length === 1 && names[0] === '$') return evaluate(parseExpressionMember(template))
  const members: [string, JsonValue][] = []
  for (const name of names) {
    const filled = fillJson(template[name] ?? null, evaluate)
    if (!filled.ok) return err(`\`${name}\`: ${filled.error}`)
    members.push([name, filled.value])
  }
  return ok(Object.fromEntries(members))
}

/** The manifest was parsed: what stands under `$` is an expression. */
function parseExpressionMember({ $ }: JsonObject): Expression {
  return $ as Expression
}
