/** Names of classes, and the private names in them. */
import type { Class, Node } from 'oxc-parser'
import { MEANING, type Scope } from './scope.ts'
import { declareTypeParameters } from './type-nodes.ts'
import type { Walk } from './walk.ts'

export function visitClass(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'ClassDeclaration':
      if (node.id !== null) walk.declare(scope, node.id, MEANING.value | MEANING.type)
      visitClassBody(walk, node, scope)
      return true
    case 'ClassExpression': {
      const inner = node.id === null ? scope : walk.openScope('block', scope, node.body)
      if (node.id !== null) walk.declare(inner, node.id, MEANING.value | MEANING.type)
      visitClassBody(walk, node, inner)
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

function visitClassBody(walk: Walk, node: Class, scope: Scope): void {
  const wasStrict = walk.isStrict
  walk.visitAll(node.decorators, scope)
  const inner = walk.openScope('block', scope, node)
  declareTypeParameters(walk, node.typeParameters, inner)
  walk.visit(node.superClass, inner)
  walk.visit(node.superTypeArguments, inner)
  walk.visitAll(node.implements, inner)
  walk.isStrict = true
  for (const element of node.body.body)
    if ('key' in element && element.key.type === 'PrivateIdentifier') {
      const { name, start, end } = element.key
      walk.declare(inner, { name: `#${name}`, start, end }, MEANING.value)
    }
  walk.visitAll(node.body.body, inner)
  walk.isStrict = wasStrict
}
