/** Names of functions: their own, their parameters, what is declared in them. */
import type {
  ArrowFunctionExpression,
  Function as FunctionNode,
  Node,
  ParamPattern,
} from 'oxc-parser'
import { listChildren } from '../read-program.ts'
import { declarePattern } from './patterns.ts'
import { MEANING, Scope } from './scope.ts'
import { declareTypeParameters } from './type-nodes.ts'
import type { Walk } from './walk.ts'

export function visitFunction(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      if (node.id !== null) {
        const binding = walk.declare(findHolder(walk, scope), node.id, MEANING.value)
        if (!walk.isTyped && isConstructor(node.body)) binding.meaning |= MEANING.type
      }
      visitCallable(walk, node, scope)
      return true
    case 'FunctionExpression':
    case 'TSEmptyBodyFunctionExpression': {
      const inner = node.id === null ? scope : walk.openScope('block', scope, node)
      if (node.id !== null) walk.declare(inner, node.id, MEANING.value)
      visitCallable(walk, node, inner)
      return true
    }
    case 'ArrowFunctionExpression':
      visitCallable(walk, node, scope)
      return true
    case 'TSFunctionType':
    case 'TSConstructorType':
    case 'TSCallSignatureDeclaration':
    case 'TSConstructSignatureDeclaration':
      visitSignature(walk, node, scope)
      return true
    case 'TSMethodSignature':
      if (node.computed) walk.visit(node.key, scope)
      visitSignature(walk, node, scope)
      return true
    default:
      return false
  }
}

/** Where there are no types, a function that gives members to `this` is a class. */
function isConstructor(body: Node | null): boolean {
  if (body === null) return false
  const open: Node[] = [...listChildren(body)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      if (node.left.object.type === 'ThisExpression') return true
    const isOther = node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
    if (!isOther && node.type !== 'ClassBody') open.push(...listChildren(node))
  }
  return false
}

/** Where the mode is not strict, a function that is declared in a block belongs to the function around it. */
function findHolder(walk: Walk, scope: Scope): Scope {
  return walk.isStrict ? scope : scope.findFunction()
}

type Signature = Node & {
  readonly typeParameters?: Node | null
  readonly params: readonly ParamPattern[]
  readonly returnType?: Node | null
}

function visitSignature(walk: Walk, node: Signature, scope: Scope): Scope {
  // What a type parameter extends cannot name a parameter.
  const types = new Scope('block', scope)
  declareTypeParameters(walk, node.typeParameters, types)
  const inner = walk.openScope('parameters', types, node)
  for (const param of node.params) {
    // Decorators are evaluated where the class is.
    if ('decorators' in param) walk.visitAll(param.decorators, scope)
    const [first] = declarePattern(walk, param, inner, inner)
    if (first !== undefined && isPlainParameter(param)) first.isParameter = true
  }
  walk.visit(node.returnType, inner)
  return inner
}

function isPlainParameter(param: Node): boolean {
  switch (param.type) {
    case 'AssignmentPattern':
      return isPlainParameter(param.left)
    case 'RestElement':
      return isPlainParameter(param.argument)
    case 'TSParameterProperty':
      return isPlainParameter(param.parameter)
    default:
      return param.type === 'Identifier'
  }
}

function visitCallable(
  walk: Walk,
  node: FunctionNode | ArrowFunctionExpression,
  scope: Scope,
): void {
  const wasStrict = walk.isStrict
  const { body } = node
  if (body !== null && body.type === 'BlockStatement' && hasStrictDirective(body.body))
    walk.isStrict = true
  const parameters = visitSignature(walk, node, scope)
  if (body !== null) {
    const inner = walk.openScope('function', parameters, body)
    if (body.type === 'BlockStatement') walk.visitAll(body.body, inner)
    else walk.visit(body, inner)
  }
  walk.isStrict = wasStrict
}

export function hasStrictDirective(body: readonly Node[]): boolean {
  return body.some((node) => 'directive' in node && node.directive === 'use strict')
}
