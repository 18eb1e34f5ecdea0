/** Statements of a module or a namespace, as symbols. */
import type {
  Class,
  Declaration,
  Directive,
  ExportDefaultDeclaration,
  Function as FunctionNode,
  Node,
  Statement,
  VariableDeclaration,
  VariableDeclarator,
} from 'oxc-parser'
import { type Span, sliceSpan } from '../../text/span.ts'
import type { UnnamedSymbol } from '../../tree/name-symbols.ts'
import {
  type Drawn,
  draw,
  drawClass,
  drawEnum,
  drawInterface,
  drawObject,
  findFunctionBody,
  findValueBody,
  type Source,
  toInside,
  toSpan,
} from './members.ts'
import { isPureClass, isPureExpression } from './purity.ts'

const LEAF = { container: null, children: [] } as const

export function drawStatements(
  source: Source,
  body: readonly (Directive | Statement)[],
  inside: Span,
): readonly UnnamedSymbol[] {
  return body.flatMap((statement) => drawStatement(source, statement, inside))
}

function drawStatement(
  source: Source,
  statement: Directive | Statement,
  inside: Span,
): readonly UnnamedSymbol[] {
  const own = toSpan(statement)
  const finish = (drawn: Omit<Drawn, 'own'>): readonly UnnamedSymbol[] => [
    draw(source, { ...drawn, own }, inside, ';'),
  ]
  switch (statement.type) {
    case 'ImportDeclaration': {
      const name = statement.source.value
      // One that only runs a module runs it in its place.
      const isEffect = statement.specifiers.length === 0
      const order = isEffect ? 'fixed' : 'free'
      return finish({ kind: 'import', name, nameSpan: null, body: null, order, ...LEAF })
    }
    case 'ExportAllDeclaration':
      return finish({ ...toPlain('export_all', statement.source.value), order: 'free' })
    case 'ExportNamedDeclaration': {
      if (statement.declaration !== null)
        return drawDeclaration(source, statement.declaration, own, inside)
      const name = statement.source?.value ?? 'local'
      return finish({ ...toPlain('export', name), order: 'free' })
    }
    case 'ExportDefaultDeclaration':
      return finish(describeDefault(source, statement))
    case 'VariableDeclaration':
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSImportEqualsDeclaration':
      return drawDeclaration(source, statement, own, inside)
    default: {
      // What a text begins with says how all of it is read; anywhere else the same words say nothing.
      const isDirective = 'directive' in statement && typeof statement.directive === 'string'
      const named = isDirective
        ? toPlain('directive', statement.directive ?? '')
        : toPlain('statement', nameStatement(source, statement))
      return finish({ ...named, order: 'fixed' })
    }
  }
}

function toPlain(kind: string, name: string): Omit<Drawn, 'own' | 'order'> {
  return { kind, name, nameSpan: null, body: null, ...LEAF }
}

/** By its first words: a statement has no name of its own, and its ordinal tells it from others like it. */
function nameStatement({ text }: Source, node: Node): string {
  return sliceSpan(text, node).split(/\s/u, 1)[0]?.slice(0, 40) ?? node.type
}

function drawDeclaration(
  source: Source,
  declaration: Declaration,
  own: Span,
  inside: Span,
): readonly UnnamedSymbol[] {
  const finish = (drawn: Omit<Drawn, 'own'>): readonly UnnamedSymbol[] => [
    draw(source, { ...drawn, own }, inside, ';'),
  ]
  switch (declaration.type) {
    case 'VariableDeclaration':
      return drawVariables(source, declaration, own, inside)
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'FunctionExpression':
    case 'TSEmptyBodyFunctionExpression':
      return finish(describeFunction(declaration))
    case 'ClassDeclaration':
    case 'ClassExpression':
      return finish(describeClass(source, declaration))
    case 'TSTypeAliasDeclaration': {
      const named = toNamed('type', declaration.id)
      return finish({ ...named, body: toSpan(declaration.typeAnnotation), order: 'free', ...LEAF })
    }
    case 'TSInterfaceDeclaration': {
      const named = toNamed('interface', declaration.id)
      return finish({
        ...named,
        body: null,
        order: 'free',
        ...drawInterface(source, declaration.body),
      })
    }
    case 'TSEnumDeclaration': {
      const named = toNamed('enum', declaration.id)
      return finish({ ...named, body: null, order: 'free', ...drawEnum(source, declaration) })
    }
    case 'TSModuleDeclaration': {
      const { id, body, global } = declaration
      const nameSpan = id.type === 'Identifier' && !global ? toSpan(id) : null
      const named = { kind: 'namespace', name: sliceSpan(source.text, id), nameSpan }
      if (body === null) return finish({ ...named, body: null, order: 'fixed', ...LEAF })
      const within = toInside(body)
      const children = drawStatements(source, body.body, within)
      const container = { inside: within, separator: '' } as const
      return finish({ ...named, body: null, order: 'fixed', container, children })
    }
    case 'TSImportEqualsDeclaration':
      return finish({
        ...toNamed('import_equals', declaration.id),
        body: null,
        order: 'free',
        ...LEAF,
      })
  }
}

/** Without what is written about its type. */
function toNamed(
  kind: string,
  id: { readonly name: string; readonly start: number },
): Pick<Drawn, 'kind' | 'name' | 'nameSpan'> {
  return { kind, name: id.name, nameSpan: { start: id.start, end: id.start + id.name.length } }
}

function describeFunction(declaration: FunctionNode): Omit<Drawn, 'own'> {
  const { id } = declaration
  const named =
    id === null ? { kind: 'function', name: 'default', nameSpan: null } : toNamed('function', id)
  return { ...named, body: findFunctionBody(declaration), order: 'free', ...LEAF }
}

function describeClass(source: Source, declaration: Class): Omit<Drawn, 'own'> {
  const { id } = declaration
  const named =
    id === null ? { kind: 'class', name: 'default', nameSpan: null } : toNamed('class', id)
  const order = isPureClass(declaration) ? 'free' : 'fixed'
  return { ...named, body: null, order, ...drawClass(source, declaration) }
}

function describeDefault(
  source: Source,
  { declaration }: ExportDefaultDeclaration,
): Omit<Drawn, 'own'> {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'FunctionExpression':
      return describeFunction(declaration)
    case 'ClassDeclaration':
    case 'ClassExpression':
      return describeClass(source, declaration)
    case 'TSInterfaceDeclaration': {
      const named = toNamed('interface', declaration.id)
      return { ...named, body: null, order: 'free', ...drawInterface(source, declaration.body) }
    }
    default: {
      const within =
        declaration.type === 'ObjectExpression' ? drawObject(source, declaration) : LEAF
      const order = isPureExpression(declaration) ? 'free' : 'fixed'
      const named = { kind: 'default', name: 'default', nameSpan: null }
      return { ...named, body: toSpan(declaration), order, ...within }
    }
  }
}

/** One declarator has its statement for itself; several share it, and each ends at its comma. */
function drawVariables(
  source: Source,
  { declarations }: VariableDeclaration,
  own: Span,
  inside: Span,
): readonly UnnamedSymbol[] {
  const [only, ...more] = declarations
  if (only !== undefined && more.length === 0)
    return [draw(source, { ...describeVariable(source, only), own }, inside, ';')]
  return declarations.map((declarator) =>
    draw(source, { ...describeVariable(source, declarator), own: declarator }, own, ','),
  )
}

function describeVariable(source: Source, { id, init }: VariableDeclarator): Omit<Drawn, 'own'> {
  const isName = id.type === 'Identifier'
  const named = isName
    ? toNamed('variable', id)
    : { kind: 'variable', name: sliceSpan(source.text, id), nameSpan: null }
  const within = init?.type === 'ObjectExpression' ? drawObject(source, init) : LEAF
  const order = isName && isPureExpression(init) ? 'free' : 'fixed'
  return { ...named, body: init === null ? null : findValueBody(init), order, ...within }
}
