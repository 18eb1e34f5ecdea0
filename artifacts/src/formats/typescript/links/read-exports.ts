/** What a statement exports. */
import type {
  Declaration,
  Directive,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Node,
  Statement,
} from 'oxc-parser'
import type { Span } from '../../../text/span.ts'
import { EXPORT_EQUALS, type ExportLink } from '../../module-links.ts'
import { toExportName, toWordSpan, type Word } from './words.ts'

export function readExports(statement: Directive | Statement): readonly ExportLink[] {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      return readNamed(statement)
    case 'ExportAllDeclaration': {
      const { exported, source } = statement
      const named = exported === null ? { name: null, nameSpan: null } : toExportName(exported)
      return [{ ...named, from: source.value, local: null, localSpan: null }]
    }
    case 'ExportDefaultDeclaration':
      return [readDefault(statement)]
    case 'TSExportAssignment': {
      const { expression } = statement
      const link = { name: EXPORT_EQUALS, nameSpan: null, from: null }
      if (expression.type !== 'Identifier')
        return [{ ...link, local: 'default', localSpan: toSpan(statement) }]
      return [{ ...link, local: expression.name, localSpan: toWordSpan(expression) }]
    }
    default:
      return []
  }
}

function readNamed({
  declaration,
  specifiers,
  source,
}: ExportNamedDeclaration): readonly ExportLink[] {
  const from = source?.value ?? null
  const listed = specifiers.map(({ local, exported }): ExportLink => {
    const { name, nameSpan } = toExportName(local)
    return { ...toExportName(exported), from, local: name, localSpan: nameSpan }
  })
  if (declaration === null) return listed
  return listDeclared(declaration).map((word): ExportLink => {
    const span = toWordSpan(word)
    return { name: word.name, nameSpan: span, from: null, local: word.name, localSpan: span }
  })
}

/** What is declared and exported in one has its own name, and is `default` to others. */
function readDefault({ declaration, start, end }: ExportDefaultDeclaration): ExportLink {
  const link = { name: 'default', nameSpan: null, from: null }
  if (declaration.type === 'Identifier')
    return { ...link, local: declaration.name, localSpan: toWordSpan(declaration) }
  const id = 'id' in declaration ? declaration.id : null
  const isWord = id !== null && typeof id === 'object' && 'name' in id
  return isWord && isDeclaration(declaration)
    ? { ...link, local: id.name, localSpan: toWordSpan(id) }
    : { ...link, local: 'default', localSpan: { start, end } }
}

/** An expression's own name is known within it alone. */
function isDeclaration({ type }: Node): boolean {
  return [
    'FunctionDeclaration',
    'TSDeclareFunction',
    'ClassDeclaration',
    'TSInterfaceDeclaration',
  ].includes(type)
}

export function listDeclared(declaration: Declaration): readonly Word[] {
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => listBound(id))
    case 'TSModuleDeclaration':
      return listRoot(declaration.id)
    default:
      return 'id' in declaration && declaration.id !== null ? [declaration.id] : []
  }
}

/** Of `a.b` the first is declared here. */
function listRoot(id: Node): readonly Word[] {
  if (id.type === 'Identifier') return [id]
  return id.type === 'TSQualifiedName' ? listRoot(id.left) : []
}

/** The names that a pattern binds. */
function listBound(pattern: Node): readonly Word[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        listBound(property.type === 'RestElement' ? property.argument : property.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : listBound(element)))
    case 'RestElement':
      return listBound(pattern.argument)
    case 'AssignmentPattern':
      return listBound(pattern.left)
    default:
      return []
  }
}

function toSpan({ start, end }: Span): Span {
  return { start, end }
}
