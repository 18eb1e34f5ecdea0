/** Names that a pattern declares: parameters, variables, what is caught. */
import type { Node } from 'oxc-parser'
import { type Binding, MEANING, type Scope } from './scope.ts'
import type { Walk } from './walk.ts'

/** Into `holder`; its defaults, computed keys and types are read in `scope`. Hands back what was declared. */
export function declarePattern(
  walk: Walk,
  pattern: Node,
  holder: Scope,
  scope: Scope,
): readonly Binding[] {
  const declared: Binding[] = []
  const open = (node: Node | null | undefined): void => {
    if (node === null || node === undefined) return
    switch (node.type) {
      case 'Identifier':
        // `this` as the first parameter says a type and declares nothing.
        if (node.name !== 'this') declared.push(walk.declare(holder, node, MEANING.value))
        if ('typeAnnotation' in node) walk.visit(node.typeAnnotation, scope)
        return
      case 'AssignmentPattern':
        open(node.left)
        walk.visit(node.right, scope)
        return
      case 'RestElement':
        open(node.argument)
        walk.visit(node.typeAnnotation, scope)
        return
      case 'ArrayPattern':
        for (const element of node.elements) open(element)
        walk.visit(node.typeAnnotation, scope)
        return
      case 'ObjectPattern':
        for (const property of node.properties) openProperty(property)
        walk.visit(node.typeAnnotation, scope)
        return
      case 'TSParameterProperty':
        openParameterProperty(node.parameter)
        return
      default:
        walk.visit(node, scope)
    }
  }
  const openProperty = (node: Node): void => {
    if (node.type !== 'Property') {
      open(node)
      return
    }
    if (node.shorthand && node.key.type === 'Identifier') {
      const prefix = `${node.key.name}: `
      declared.push(walk.declare(holder, node.key, MEANING.value, { prefix }))
      if (node.value.type === 'AssignmentPattern') walk.visit(node.value.right, scope)
      return
    }
    if (node.computed) walk.visit(node.key, scope)
    open(node.value)
  }
  const openParameterProperty = (node: Node): void => {
    const before = declared.length
    open(node)
    for (const binding of declared.slice(before))
      binding.unfit = 'it is a member of its class too, whose uses cannot be told without types'
  }
  open(pattern)
  return declared
}
