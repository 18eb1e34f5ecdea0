/** Names in expressions and statements. */
import type { Node } from 'oxc-parser'
import { declarePattern } from './patterns.ts'
import { MEANING, type Scope } from './scope.ts'
import type { Walk } from './walk.ts'

export function visitExpression(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'Identifier':
      walk.use(scope, node, MEANING.value)
      walk.visitChildren(node, scope)
      return true
    case 'PrivateIdentifier':
      walk.use(scope, { ...node, name: `#${node.name}` }, MEANING.value)
      return true
    case 'MemberExpression':
      walk.useEntity(node, scope, MEANING.value)
      return true
    case 'Property': {
      if (node.shorthand && node.key.type === 'Identifier') {
        walk.use(scope, node.key, MEANING.value, { prefix: `${node.key.name}: ` })
        // `{ a = 1 }` in what is assigned to.
        if (node.value.type === 'AssignmentPattern') walk.visit(node.value.right, scope)
        return true
      }
      if (node.computed) walk.visit(node.key, scope)
      walk.visit(node.value, scope)
      return true
    }
    case 'AssignmentExpression':
      if (!walk.isTyped) keepPrototype(walk, node.left, scope)
      return false
    case 'CallExpression':
      if (node.callee.type === 'Identifier' && node.callee.name === 'eval') walk.dynamic.push(scope)
      return false
    case 'MetaProperty':
    case 'ImportAttribute':
      return true
    default:
      return false
  }
}

/** `A.prototype = …` and `A.prototype.b = …` make a class of a function where there are no types. */
function keepPrototype(walk: Walk, node: Node, scope: Scope): void {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return
  if (node.object.type === 'MemberExpression') keepPrototype(walk, node.object, scope)
  if (node.property.name === 'prototype' && node.object.type === 'Identifier')
    walk.prototypes.push({ name: node.object.name, scope })
}

export function visitElement(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'JSXOpeningElement':
      visitTag(walk, node.name, scope)
      walk.visit(node.typeArguments, scope)
      walk.visitAll(node.attributes, scope)
      return true
    case 'JSXClosingElement':
      visitTag(walk, node.name, scope)
      return true
    case 'JSXAttribute':
      walk.visit(node.value, scope)
      return true
    default:
      return false
  }
}

/** A tag in small letters is one of the page's, not a name. */
function visitTag(walk: Walk, name: Node, scope: Scope): void {
  if (name.type === 'JSXIdentifier' && (/^[a-z]/u.test(name.name) || name.name.includes('-')))
    return
  if (name.type === 'JSXIdentifier' || name.type === 'JSXMemberExpression')
    walk.useEntity(name, scope, MEANING.value)
}

export function visitStatement(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'BlockStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      walk.visitChildren(node, walk.openScope('block', scope, node))
      return true
    case 'CatchClause': {
      const inner = walk.openScope('block', scope, node)
      if (node.param !== null) declarePattern(walk, node.param, inner, inner)
      walk.visit(node.body, inner)
      return true
    }
    case 'VariableDeclaration': {
      const holder = node.kind === 'var' ? scope.findFunction() : scope
      for (const declarator of node.declarations) {
        const { id, init } = declarator
        walk.keepDocs(declarator, scope)
        const declared = declarePattern(walk, id, holder, scope)
        for (const binding of declared) walk.hoisted.push({ binding, scope })
        if (isRequire(walk, init)) for (const binding of declared) binding.meaning |= MEANING.all
        walk.visit(init, scope)
      }
      return true
    }
    case 'SwitchStatement':
      walk.visit(node.discriminant, scope)
      walk.visitAll(node.cases, walk.openScope('block', scope, node))
      return true
    case 'LabeledStatement': {
      const inner = walk.openScope('label', scope, node)
      walk.declare(inner, node.label, MEANING.label)
      walk.visit(node.body, inner)
      return true
    }
    case 'WithStatement':
      walk.dynamic.push(scope)
      return false
    case 'BreakStatement':
    case 'ContinueStatement':
      if (node.label !== null) walk.use(scope, node.label, MEANING.label)
      return true
    default:
      return false
  }
}

/** Where there are no types, what is required is a name for all that the module means by it. */
function isRequire(walk: Walk, init: Node | null): boolean {
  if (init?.type === 'MemberExpression' && !init.computed) return isRequire(walk, init.object)
  return (
    !walk.isTyped &&
    init?.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    init.callee.name === 'require' &&
    init.arguments[0]?.type === 'Literal'
  )
}
