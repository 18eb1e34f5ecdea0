/** Names in types. */
import type { Class, Node, TSConditionalType, TSInterfaceDeclaration } from 'oxc-parser'
import { listChildren } from '../read-program.ts'
import { type Binding, MEANING, Scope } from './scope.ts'
import type { Walk } from './walk.ts'

export function visitType(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'TSTypeReference':
      walk.useEntity(node.typeName, scope, MEANING.type)
      walk.visit(node.typeArguments, scope)
      return true
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
      walk.useEntity(node.expression, scope, MEANING.type)
      walk.visit(node.typeArguments, scope)
      return true
    case 'TSTypeQuery':
      if (node.exprName.type === 'TSImportType') walk.visit(node.exprName, scope)
      else walk.useEntity(node.exprName, scope, MEANING.value)
      walk.visit(node.typeArguments, scope)
      return true
    case 'TSImportType':
      keepImportType(walk, node.source.value, node.qualifier)
      walk.visit(node.typeArguments, scope)
      return true
    case 'TSConditionalType':
      visitConditional(walk, node, scope)
      return true
    case 'TSMappedType': {
      const inner = walk.openScope('block', scope, node)
      walk.declare(inner, node.key, MEANING.type)
      walk.visit(node.constraint, inner)
      walk.visit(node.nameType, inner)
      walk.visit(node.typeAnnotation, inner)
      return true
    }
    case 'TSIndexSignature': {
      const inner = walk.openScope('parameters', scope, node)
      for (const parameter of node.parameters) {
        walk.declare(inner, parameter, MEANING.value)
        walk.visit(parameter.typeAnnotation, inner)
      }
      walk.visit(node.typeAnnotation, inner)
      return true
    }
    case 'TSPropertySignature':
      if (node.computed) walk.visit(node.key, scope)
      walk.visit(node.typeAnnotation, scope)
      return true
    case 'TSNamedTupleMember':
      walk.visit(node.elementType, scope)
      return true
    case 'TSInferType':
      // It is declared by the conditional type around it; outside of one, it is none.
      walk.visit(node.typeParameter.constraint, scope)
      return true
    case 'TSTypeAliasDeclaration': {
      walk.declare(scope, node.id, MEANING.type)
      const inner = walk.openScope('block', scope, node)
      declareTypeParameters(walk, node.typeParameters, inner)
      walk.visit(node.typeAnnotation, inner)
      return true
    }
    case 'TSInterfaceDeclaration': {
      const binding = walk.declare(scope, node.id, MEANING.type)
      const inner = openTypeScope(walk, node, binding, scope)
      walk.visitAll(node.extends, inner)
      walk.visit(node.body, inner)
      return true
    }
    default:
      return false
  }
}

export function declareTypeParameters(
  walk: Walk,
  node: Node | null | undefined,
  holder: Scope,
  scope: Scope = holder,
): void {
  if (node?.type !== 'TSTypeParameterDeclaration') return
  for (const parameter of node.params) {
    const { name, constraint, default: fallback } = parameter
    walk.keepDocs(parameter, scope)
    walk.declare(holder, name, MEANING.type)
    walk.visit(constraint, scope)
    walk.visit(fallback, scope)
  }
}

/** Merged declarations have one list of type parameters, so each of its names is one thing. */
export function openTypeScope(
  walk: Walk,
  node: Class | TSInterfaceDeclaration,
  binding: Binding | null,
  scope: Scope,
): Scope {
  const parameters = binding?.parameters ?? new Scope('block', null)
  if (binding !== null) binding.parameters = parameters
  declareTypeParameters(
    walk,
    node.typeParameters,
    parameters,
    new Scope('block', scope, parameters),
  )
  return walk.keepScope(node, new Scope('block', scope, parameters))
}

/** What is inferred can be named where the condition holds, and in no other part. */
function visitConditional(walk: Walk, node: TSConditionalType, scope: Scope): void {
  const inner = walk.openScope('block', scope, node)
  walk.visit(node.checkType, scope)
  declareInferred(walk, node.extendsType, inner)
  walk.visit(node.extendsType, scope)
  walk.visit(node.trueType, inner)
  walk.visit(node.falseType, scope)
}

/** A conditional type within has its own; the type that it is asked about belongs to this one. */
function declareInferred(walk: Walk, node: Node, scope: Scope): void {
  if (node.type === 'TSInferType') walk.declare(scope, node.typeParameter.name, MEANING.type)
  for (const child of listChildren(node))
    if (node.type !== 'TSConditionalType' || child !== node.extendsType)
      declareInferred(walk, child, scope)
}

function keepImportType(walk: Walk, from: string, qualifier: Node | null): void {
  let first = qualifier
  while (first?.type === 'TSQualifiedName') first = first.left
  if (first?.type === 'Identifier')
    walk.foreign.push({ origin: { from, name: first.name }, site: walk.toSite(first) })
  else walk.keepWhole(from)
}
