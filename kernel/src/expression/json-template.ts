/**
 * JSON in which an object with the one member `$` is an expression: what executors send and what a delta
 * writes. Everything else stands for itself.
 */
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import type { Place } from '../contract/reader.ts'
import { err, ok, type Result } from '../result.ts'
import { type ExpressionScope, evaluateExpression } from './evaluate.ts'
import type { Expression } from './expression.ts'
import { type Named, type Readable, readExpression } from './read-expression.ts'
import type { Unevaluated } from './unevaluated.ts'

const EXPRESSION = '$'

/** The document was checked before: it has no more than so many levels. */
export function readJsonTemplate(
  value: JsonValue,
  place: Place,
  readable: Readable,
  named: Named,
): JsonValue {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      readJsonTemplate(item, place.stepInto(index), readable, named)
  } else if (isObject(value)) {
    const members = Object.entries(value)
    if (Object.hasOwn(value, EXPRESSION)) {
      if (members.length > 1) place.refuse('has other members beside `$`')
      readExpression(value[EXPRESSION], place.stepInto(EXPRESSION), readable, named)
    } else
      for (const [name, member] of members)
        readJsonTemplate(member, place.stepInto(name), readable, named)
  }
  return value
}

/** The expressions of a template that was read before. */
export function listTemplateExpressions(template: JsonValue): readonly Expression[] {
  if (Array.isArray(template)) return template.flatMap((item) => listTemplateExpressions(item))
  if (!isObject(template)) return []
  const { [EXPRESSION]: expression } = template
  if (expression !== undefined) return [expression as Expression]
  return Object.values(template).flatMap((member) => listTemplateExpressions(member))
}

/** A template that was read before, with values for its expressions. */
export function fillJsonTemplate(
  template: JsonValue,
  scope: ExpressionScope,
): Result<JsonValue, Unevaluated> {
  if (Array.isArray(template)) {
    const filled: JsonValue[] = []
    for (const item of template as readonly JsonValue[]) {
      const one = fillJsonTemplate(item, scope)
      if (!one.ok) return one
      filled.push(one.value)
    }
    return ok(filled)
  }
  if (!isObject(template)) return ok(template)
  const { [EXPRESSION]: expression } = template
  if (expression !== undefined) return evaluateExpression(expression as Expression, scope)
  const filled: Record<string, JsonValue> = Object.create(null)
  for (const [name, member] of Object.entries(template)) {
    const one = fillJsonTemplate(member, scope)
    if (!one.ok) return err(one.error)
    filled[name] = one.value
  }
  return ok(filled)
}
