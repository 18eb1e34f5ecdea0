/** Looks up what documentation comments name, in the scope of what they are about. */
import type { Node } from 'oxc-parser'
import { parseSync } from 'oxc-parser'
import { ARTIFACT_LIMITS } from '../../../limits.ts'
import type { Span } from '../../../text/span.ts'
import { listChildren } from '../read-program.ts'
import { type DocName, readDocComment } from './doc-comments.ts'
import { MEANING, type Scope } from './scope.ts'
import type { DocHost, Walk } from './walk.ts'

export function bindDocs(walk: Walk): void {
  walk.isDoc = true
  for (const host of walk.docHosts)
    for (const [i, comment] of host.comments.entries())
      for (const name of readDocComment(walk.text, comment))
        bindName(walk, host, name, i === host.comments.length - 1)
  walk.isDoc = false
}

function bindName(walk: Walk, host: DocHost, name: DocName, isLast: boolean): void {
  const node = toDeclaration(host.node)
  const inner = walk.scopes.get(node) ?? host.scope
  const signature = isLast ? findSignature(node) : null
  const parameters = signature === null ? undefined : walk.scopes.get(signature)
  switch (name.kind) {
    case 'parameter':
      if (parameters !== undefined) useParameter(walk, parameters, name)
      return
    case 'link':
      useLink(walk, parameters ?? inner, name)
      return
    case 'type':
      useType(walk, inner, name)
      return
    case 'template':
      if (hasTypeParameter(node, walk.text.slice(name.start, name.end))) useType(walk, inner, name)
      return
    case 'typedef':
      return
  }
}

function toDeclaration(node: Node): Node {
  const isExport =
    node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration'
  return isExport ? (node.declaration ?? node) : node
}

function hasTypeParameter(node: Node, name: string): boolean {
  const parameters = 'typeParameters' in node ? node.typeParameters : null
  return parameters?.params.some((one) => one.name.name === name) === true
}

/** Of a parameter that is a name; the parts of a pattern have none for the whole. */
function useParameter(walk: Walk, parameters: Scope, name: DocName): void {
  const { first } = splitName(walk.text, name)
  const binding = parameters.names.get(first.name)
  if (binding?.isParameter === true) walk.use(parameters, first, MEANING.value)
}

function useLink(walk: Walk, scope: Scope, name: DocName): void {
  const { first, rest } = splitName(walk.text, name)
  let use = walk.use(scope, first, MEANING.all)
  for (const part of rest) use = walk.useMember(use, part.name, part, MEANING.all)
}

type NamePart = Span & { readonly name: string }

function splitName(
  text: string,
  { start, end }: Span,
): { readonly first: NamePart; readonly rest: readonly NamePart[] } {
  let at = start
  const parts = text
    .slice(start, end)
    .split(/[.#]/u)
    .map((name): NamePart => {
      const part = { name, start: at, end: at + name.length }
      at = part.end + 1
      return part
    })
  const [first = { name: '', start, end: start }, ...rest] = parts
  return { first, rest }
}

const BEFORE = 'type a=('
/** Most are one name: it is looked up without a parser. */
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/u

/** Written as types of the language, and in the older way: `?A`, `A=`, `...A`, `Array.<A>`, `*`. What is none of it names nothing. */
function useType(walk: Walk, scope: Scope, { start, end }: DocName): void {
  const text = walk.text.slice(start, end)
  if (text.length > ARTIFACT_LIMITS.docTypeLength) return
  if (PLAIN_NAME.test(text)) {
    walk.use(scope, { name: text, start, end }, MEANING.type)
    return
  }
  const node = parseType(text, start)
  if (node !== null) walk.visit(node, scope)
  // Alternatives that are functions want brackets, which people leave out.
  else
    for (const part of splitAlternatives(walk.text, { start, end })) {
      const one = parseType(walk.text.slice(part.start, part.end), part.start)
      if (one !== null) walk.visit(one, scope)
    }
}

function splitAlternatives(text: string, { start, end }: Span): readonly Span[] {
  const parts: Span[] = []
  let from = start
  let depth = 0
  for (let at = start; at < end; at += 1) {
    const character = text[at] ?? ''
    if ('([{<'.includes(character)) depth += 1
    if (')]}'.includes(character) || (character === '>' && text[at - 1] !== '=')) depth -= 1
    if (character !== '|' || depth > 0) continue
    parts.push({ start: from, end: at })
    from = at + 1
  }
  return [...parts, { start: from, end }]
}

function parseType(text: string, start: number): Node | null {
  const source = text
    .replaceAll(/\n[ \t]*\*/gu, toBlank)
    .replace(/^\s*(?:\.\.\.|[?!])+/u, toBlank)
    .replace(/[=?!]\s*$/u, toBlank)
    .replaceAll(/\.</gu, ' <')
    .replaceAll(/(?<![\w$])[*?](?![\w$])/gu, '0')
  const { program, errors } = parseSync('a.ts', `${BEFORE}${source}\n)`)
  const [statement] = program.body
  if (errors.length > 0 || statement?.type !== 'TSTypeAliasDeclaration') return null
  moveNode(statement.typeAnnotation, start - BEFORE.length)
  return statement.typeAnnotation
}

function toBlank(text: string): string {
  return ' '.repeat(text.length)
}

/** The tree was made for this comment alone, so it can be moved to its place in the text. */
function moveNode(node: Node, by: number): void {
  node.start += by
  node.end += by
  for (const child of listChildren(node)) moveNode(child, by)
}

/** The function that a comment before a node is about. */
function findSignature(node: Node | null): Node | null {
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'FunctionExpression':
    case 'TSEmptyBodyFunctionExpression':
    case 'ArrowFunctionExpression':
    case 'TSFunctionType':
    case 'TSConstructorType':
    case 'TSCallSignatureDeclaration':
    case 'TSConstructSignatureDeclaration':
    case 'TSMethodSignature':
      return node
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return findSignature(node.value)
    case 'Property':
      return findSignature(node.value)
    case 'VariableDeclaration':
      return findSignature(node.declarations[0]?.init ?? null)
    case 'VariableDeclarator':
      return findSignature(node.init)
    case 'TSPropertySignature':
      return findSignature(node.typeAnnotation?.typeAnnotation ?? null)
    case 'ExpressionStatement':
      return findAssigned(node.expression)
    default:
      return null
  }
}

function findAssigned(node: Node): Node | null {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return null
  return node.right.type === 'AssignmentExpression'
    ? findAssigned(node.right)
    : findSignature(node.right)
}
