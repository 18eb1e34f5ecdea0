/** Names of classes, and the private names in them. */
import type { Class, Node } from 'oxc-parser'
import { type Binding, MEANING, type Scope } from './scope.ts'
import { openTypeScope } from './type-nodes.ts'
import type { Walk } from './walk.ts'

export function visitClass(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'ClassDeclaration':
      visitClassBody(walk, node, scope, declareClass(walk, node, scope))
      return true
    case 'ClassExpression': {
      const inner = node.id === null ? scope : walk.openScope('block', scope, node.body)
      visitClassBody(walk, node, inner, declareClass(walk, node, inner))
      return true
    }
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      walk.visitAll(node.decorators, scope)
      if (node.computed) walk.visit(node.key, scope)
      walk.visit(node.value, scope)
      return true
    case 'PropertyDefinition':
    case 'TSAbstractPropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractAccessorProperty':
      walk.visitAll(node.decorators, scope)
      if (node.computed) walk.visit(node.key, scope)
      walk.visit(node.typeAnnotation, scope)
      walk.visit(node.value, scope)
      return true
    case 'StaticBlock':
      walk.visitAll(node.body, walk.openScope('function', scope, node))
      return true
    default:
      return false
  }
}

function declareClass(walk: Walk, { id }: Class, scope: Scope): Binding | null {
  return id === null ? null : walk.declare(scope, id, MEANING.value | MEANING.type)
}

function visitClassBody(walk: Walk, node: Class, scope: Scope, binding: Binding | null): void {
  const wasStrict = walk.isStrict
  walk.visitAll(node.decorators, scope)
  const inner = openTypeScope(walk, node, binding, scope)
  walk.visit(node.superClass, inner)
  walk.visit(node.superTypeArguments, inner)
  walk.visitAll(node.implements, inner)
  walk.isStrict = true
  for (const element of node.body.body)
    if ('key' in element && element.key.type === 'PrivateIdentifier') {
      const { name, start, end } = element.key
      walk.declare(inner, { name: `#${name}`, start, end }, MEANING.value)
    }
  for (const element of node.body.body)
    if ('static' in element && element.static && 'key' in element && 'name' in element.key)
      binding?.statics.add(String(element.key.name))
  walk.visitAll(node.body.body, inner)
  walk.isStrict = wasStrict
}
