/**
 * Whether what a declaration runs when it is evaluated can be seen from outside. Only what is surely unseen counts as pure: functions and
 * classes are values until somebody calls them, a literal is a literal; a name may be one that is not defined yet.
 */
import type { Class, Expression, Node } from 'oxc-parser'

const PURE_TYPES: ReadonlySet<string> = new Set([
  'Literal',
  'ArrowFunctionExpression',
  'FunctionExpression',
])

export function isPureExpression(expression: Expression | Node | null): boolean {
  if (expression === null) return true
  switch (expression.type) {
    case 'TemplateLiteral':
      return expression.expressions.every(isPureExpression)
    case 'UnaryExpression':
      return expression.operator !== 'delete' && isPureExpression(expression.argument)
    case 'ArrayExpression':
      return expression.elements.every(
        (element) =>
          element === null || (element.type !== 'SpreadElement' && isPureExpression(element)),
      )
    case 'ObjectExpression':
      return expression.properties.every(
        (property) =>
          property.type === 'Property' && !property.computed && isPureExpression(property.value),
      )
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return isPureExpression(expression.expression)
    case 'ClassExpression':
      return isPureClass(expression)
    default:
      return PURE_TYPES.has(expression.type)
  }
}

/** Nothing of it runs when it is declared: no decorator, no heritage that is a call, no computed name, no static value. */
export function isPureClass({ decorators, superClass, body }: Class): boolean {
  if (decorators.length > 0) return false
  if (superClass !== null && superClass.type !== 'Identifier') return false
  return body.body.every((element) => {
    if (element.type === 'StaticBlock') return false
    if (element.type === 'TSIndexSignature') return true
    if (element.decorators.length > 0 || element.computed) return false
    const isValue =
      element.type !== 'MethodDefinition' && element.type !== 'TSAbstractMethodDefinition'
    return !(isValue && element.static) || isPureExpression(element.value as Expression | null)
  })
}
