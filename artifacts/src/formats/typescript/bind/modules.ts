/** Names that go from one module, or namespace, to another; and enums, whose members are named like those of a namespace. */
import type {
  ExportNamedDeclaration,
  ImportDeclaration,
  Node,
  TSGlobalDeclaration,
  TSModuleDeclaration,
} from 'oxc-parser'
import { Binding, MEANING, type NameUse, Scope } from './scope.ts'
import type { NamedNode, Walk } from './walk.ts'

export function visitModule(walk: Walk, node: Node, scope: Scope): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
      declareImports(walk, node, scope)
      return true
    case 'ExportNamedDeclaration':
      if (node.declaration === null) visitExportList(walk, node, scope)
      else visitExported(walk, node.declaration, scope)
      return true
    case 'ExportDefaultDeclaration':
      visitDefault(walk, node.declaration, scope)
      return true
    case 'ExportAllDeclaration':
      visitExportAll(walk, node.exported, node.source.value)
      return true
    case 'TSExportAssignment':
      visitDefault(walk, node.expression, scope)
      return true
    case 'TSNamespaceExportDeclaration':
      return true
    case 'ImportExpression':
      if (node.source.type === 'Literal') walk.keepWhole(String(node.source.value))
      return false
    case 'CallExpression': {
      const [first] = node.arguments
      if (isNamed(node.callee, 'require') && first?.type === 'Literal')
        walk.keepWhole(String(first.value))
      return false
    }
    case 'TSImportEqualsDeclaration': {
      const binding = walk.declare(scope, node.id, MEANING.all)
      const { moduleReference: target } = node
      if (target.type === 'TSExternalModuleReference')
        binding.origin = { from: target.expression.value, name: null }
      else binding.alias = walk.useEntity(target, scope, MEANING.all)
      return true
    }
    case 'TSModuleDeclaration':
      visitNamespace(walk, node, scope)
      return true
    case 'TSEnumDeclaration': {
      const binding = walk.declare(scope, node.id, MEANING.value | MEANING.type | MEANING.namespace)
      const members = findMembers(binding)
      for (const { id, computed } of node.body.members)
        if (id.type === 'Identifier' && !computed) walk.declare(members, id, MEANING.all)
        else if (id.type === 'Literal') declareQuoted(walk, members, id)
      const inner = new Scope('block', scope, members)
      for (const member of node.body.members) {
        walk.keepDocs(member, inner)
        walk.visit(member.initializer, inner)
      }
      return true
    }
    default:
      return false
  }
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function findMembers(binding: Binding): Scope {
  binding.members ??= new Scope('block', null, null, binding)
  return binding.members
}

function declareQuoted(
  walk: Walk,
  members: Scope,
  { value, start, end }: Node & { readonly value: unknown },
): void {
  const binding = members.declare(String(value), MEANING.all)
  binding.declarations.push({ start: start + 1, end: end - 1 })
  walk.addSite(binding, { start: start + 1, end: end - 1, prefix: '', suffix: '' })
}

function declareImports(walk: Walk, { specifiers, source }: ImportDeclaration, scope: Scope): void {
  const from = source.value
  for (const specifier of specifiers) {
    const { local } = specifier
    switch (specifier.type) {
      case 'ImportDefaultSpecifier':
        walk.declare(scope, local, MEANING.all).origin = { from, name: 'default' }
        break
      case 'ImportNamespaceSpecifier':
        walk.declare(scope, local, MEANING.all).origin = { from, name: null }
        break
      case 'ImportSpecifier': {
        const { imported } = specifier
        const name = imported.type === 'Literal' ? imported.value : imported.name
        const isShort = imported.start === local.start
        const around = isShort ? { prefix: `${name} as ` } : {}
        walk.declare(scope, local, MEANING.all, around).origin = { from, name }
        const site =
          imported.type === 'Literal'
            ? { start: imported.start + 1, end: imported.end - 1, prefix: '', suffix: '' }
            : walk.toSite(imported, isShort ? { suffix: ` as ${name}` } : {})
        walk.foreign.push({ origin: { from, name }, site })
      }
    }
  }
}

function visitExportList(walk: Walk, node: ExportNamedDeclaration, scope: Scope): void {
  const from = node.source?.value ?? null
  for (const specifier of node.specifiers) {
    const { local, exported } = specifier
    walk.keepDocs(specifier, scope)
    const name = exported.type === 'Literal' ? exported.value : exported.name
    const at = { start: exported.start, end: exported.end }
    const isShort = local.start === exported.start
    const around = isShort ? { suffix: ` as ${name}` } : {}
    const localName = local.type === 'Literal' ? local.value : local.name
    if (from !== null) {
      const origin = { from, name: localName }
      walk.exports.push({ name, at, binding: null, use: null, origin })
      if (local.type !== 'Literal') walk.foreign.push({ origin, site: walk.toSite(local, around) })
      continue
    }
    if (local.type === 'Literal') continue
    const use = walk.use(scope, local, MEANING.all, around)
    use.isQualifier = true
    keepAmbientUse(walk, use, scope)
    if (scope === walk.module) walk.exports.push({ name, at, binding: null, use, origin: null })
    // It is seen from outside of the namespace; inside, the name is what it was.
    else if (scope.shared !== null) scope.shared.declare(name, 0).alias = use
  }
}

function visitExportAll(walk: Walk, exported: Node | null, from: string): void {
  if (exported === null) {
    walk.reexported.push(from)
    return
  }
  if (exported.type !== 'Identifier' && exported.type !== 'Literal') return
  const name = exported.type === 'Identifier' ? exported.name : String(exported.value)
  const origin = { from, name: null }
  walk.keepWhole(from)
  walk.exports.push({ name, at: exported, binding: null, use: null, origin })
}

/** A name alone may be a type or a namespace too. */
function visitDefault(walk: Walk, declaration: Node, scope: Scope): void {
  const at = { start: declaration.start, end: declaration.end }
  if (declaration.type === 'Identifier' || declaration.type === 'MemberExpression') {
    const use = walk.useEntity(
      declaration,
      scope,
      declaration.type === 'Identifier' ? MEANING.all : MEANING.value,
    )
    if (use !== null) keepAmbientUse(walk, use, scope)
    if (scope === walk.module)
      walk.exports.push({ name: 'default', at, binding: null, use, origin: null })
    return
  }
  walk.visit(declaration, scope)
  const id = 'id' in declaration && declaration.id !== null ? declaration.id : null
  const isNamed = id !== null && typeof id === 'object' && 'name' in id
  const binding = isNamed && typeof id.name === 'string' ? (scope.names.get(id.name) ?? null) : null
  if (scope === walk.module)
    walk.exports.push({ name: 'default', at, binding, use: null, origin: null })
}

function keepAmbientUse(walk: Walk, use: NameUse, { shared }: Scope): void {
  const module = shared?.owner ?? null
  if (module !== null) walk.ambientUses.push({ module, use })
}

/** What a declaration declares is seen from outside: in a namespace, by all its blocks. */
function visitExported(walk: Walk, declaration: Node, scope: Scope): void {
  walk.visit(declaration, new Scope('export', scope, scope.shared))
}

type AnyModule = TSModuleDeclaration | TSGlobalDeclaration

function visitNamespace(walk: Walk, node: AnyModule, scope: Scope): void {
  const wasAmbient = walk.isAmbient
  if (node.declare) walk.isAmbient = true
  const inner = walk.keepScope(node, openNamespace(walk, node, scope))
  if (node.body !== null) visitStatements(walk, node.body.body, inner)
  walk.isAmbient = wasAmbient
}

function openNamespace(walk: Walk, { id, body, global }: AnyModule, scope: Scope): Scope {
  if (global) return new Scope('function', scope, walk.global)
  if (id.type === 'Literal') {
    const module = walk.ambient.get(id.value) ?? new Binding(id.value)
    walk.ambient.set(id.value, module)
    return new Scope('function', scope, findMembers(module))
  }
  const isValue = body === null || body.body.some(isInstantiated)
  const meaning = isValue ? MEANING.namespace | MEANING.value : MEANING.namespace
  let inner = scope
  let holder = scope
  for (const name of listNames(id)) {
    const binding = walk.declare(holder, name, meaning)
    const members = findMembers(binding)
    inner = new Scope('function', inner, members)
    holder = new Scope('export', inner, members)
  }
  return inner
}

function listNames(id: Node): readonly NamedNode[] {
  if (id.type === 'TSQualifiedName') return [...listNames(id.left), id.right]
  return id.type === 'Identifier' ? [id] : []
}

/** A namespace of nothing but types is no value. */
function isInstantiated(node: Node): boolean {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return false
    case 'ExportNamedDeclaration':
      return node.declaration === null || isInstantiated(node.declaration)
    case 'TSModuleDeclaration':
      return node.body === null || node.body.body.some(isInstantiated)
    default:
      return true
  }
}

/** Where nothing is said about what is exported, all of an ambient module or namespace is. */
export function visitStatements(walk: Walk, body: readonly Node[], scope: Scope): void {
  const isOpen = walk.isAmbient && !body.some(isExportStatement)
  for (const node of body)
    if (isOpen && isDeclaration(node)) visitExported(walk, node, scope)
    else walk.visit(node, scope)
}

function isExportStatement(node: Node): boolean {
  if (node.type === 'ExportNamedDeclaration') return node.declaration === null
  return (
    node.type === 'ExportAllDeclaration' ||
    node.type === 'TSExportAssignment' ||
    node.type === 'ExportDefaultDeclaration'
  )
}

const DECLARATIONS: ReadonlySet<string> = new Set([
  'VariableDeclaration',
  'FunctionDeclaration',
  'TSDeclareFunction',
  'ClassDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSEnumDeclaration',
  'TSModuleDeclaration',
])

function isDeclaration({ type }: Node): boolean {
  return DECLARATIONS.has(type)
}
