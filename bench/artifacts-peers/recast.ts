/** The edits by recast with Babel's parser: the tree is changed, and what is new is written anew. Where a name stands it is told. */
import { parse as parseBabel } from '@babel/parser'
import { parse, print, type types, visit } from 'recast'
import { type AskedEdit, serveEdits } from './serve.ts'

type AnyNode = types.namedTypes.Node & { readonly start?: number; readonly end?: number }
type AnyPath = {
  readonly node: AnyNode
  replace(node: AnyNode): unknown
  prune(): unknown
}

function parseSource(name: string, source: string): object {
  const isDeclared = /\.d\.[cm]?ts$/u.test(name)
  return parseBabel(source, {
    sourceType: 'module',
    tokens: true,
    errorRecovery: true,
    allowReturnOutsideFunction: true,
    plugins: [
      ['typescript', { dts: isDeclared }],
      'decorators-legacy',
      ...(name.endsWith('x') ? ['jsx' as const] : []),
    ],
  })
}

type ParseText = (source: string) => object

function apply(ast: types.ASTNode, edit: AskedEdit, read: ParseText): void {
  switch (edit.op) {
    case 'add':
      add(ast, edit, read)
      return
    case 'replace': {
      const path = findPath(ast, edit.body ?? edit.own)
      path.replace(readBody(edit, path, read))
      return
    }
    case 'rename':
      rename(ast, edit)
      return
    case 'remove':
      findPath(ast, edit.own).prune()
  }
}

function add(ast: types.ASTNode, { kind, own, text }: AskedEdit, read: ParseText): void {
  const members = kind === 'module' ? getBody(ast) : findMembers(findPath(ast, own).node, kind)
  members.push(readMember(kind, text, read))
}

function getBody(ast: object): unknown[] {
  const { program } = ast as { program: { body: unknown[] } }
  return program.body
}

const HOLDERS: Readonly<Record<string, readonly [type: string, key: string]>> = {
  class: ['ClassBody', 'body'],
  interface: ['TSInterfaceBody', 'body'],
  enum: ['TSEnumDeclaration', 'members'],
  namespace: ['TSModuleBlock', 'body'],
}

function findMembers(node: AnyNode, kind: string): unknown[] {
  const [type, key] = HOLDERS[kind] ?? ['ObjectExpression', 'properties']
  let found: unknown[] | undefined
  visit(node, {
    visitNode(path) {
      const one: Readonly<Record<string, unknown>> = { ...path.node }
      if (found !== undefined) return false
      const members = one[key]
      if (one.type === type && Array.isArray(members)) {
        found = members
        return false
      }
      this.traverse(path)
      return undefined
    },
  })
  if (found === undefined) throw new Error(`no ${type} is there`)
  return found
}

/** A member is read where one may stand. */
function readMember(kind: string, text: string, read: ParseText): unknown {
  const around: Readonly<Record<string, string>> = {
    class: `class A {${text}}`,
    interface: `interface A {${text}}`,
    enum: `enum A {${text}}`,
    module: text,
    namespace: text,
  }
  const source = around[kind] ?? `const a = {${text}}`
  const [statement] = getBody(read(source))
  if (kind === 'module' || kind === 'namespace') return statement
  const holder = statement as types.namedTypes.Node
  return findMembers(holder, kind)[0]
}

function readBody({ kind, text }: AskedEdit, path: AnyPath, read: ParseText): AnyNode {
  const source =
    path.node.type === 'BlockStatement' && text.startsWith('{')
      ? `function a() ${text}`
      : kind === 'type'
        ? `type A = ${text}`
        : `a = ${text}`
  const [statement] = getBody(read(source)) as AnyNode[]
  const parts = { ...statement } as Record<string, unknown>
  const expression = parts.expression as { readonly right?: AnyNode } | undefined
  return (parts.body ?? parts.typeAnnotation ?? expression?.right) as AnyNode
}

/** Where the name is a short form, only what it stands for is renamed. */
function rename(ast: types.ASTNode, { sites, nameAt, text }: AskedEdit): void {
  const places = new Set(sites ?? [nameAt])
  if (places.size === 0) throw new Error('nobody said where the name stands')
  const seen = new Set<AnyNode>()
  visit(ast, {
    visitIdentifier(path) {
      const node = path.node as AnyNode & { name: string }
      const parent = path.parent?.node as { shorthand?: boolean; key?: unknown; exported?: unknown }
      const isKept = parent?.shorthand === true ? path.name === 'key' : path.name === 'exported'
      if (places.has(node.start ?? -1) && !isKept && !seen.has(node)) {
        seen.add(node)
        node.name = text
        if (parent?.shorthand === true) parent.shorthand = false
      }
      this.traverse(path)
    },
  })
  if (seen.size === 0) throw new Error('no name is there')
}

/** The outermost node that begins and ends there. */
function findPath(ast: types.ASTNode, [start, end]: readonly [number, number]): AnyPath {
  let found: AnyPath | undefined
  // With its separator or without it.
  const isEnd = (at = -1): boolean => at === end || at === end + 1 || at === end - 1
  visit(ast, {
    visitNode(path) {
      const node = path.node as AnyNode
      if (found === undefined && node.start === start && isEnd(node.end)) found = path
      if (found !== undefined) return false
      this.traverse(path)
      return undefined
    },
  })
  if (found === undefined) throw new Error('no node begins and ends there')
  return found
}

// Behind all that it needs: a module that waits goes no further.
await serveEdits(({ name, text }, edit) => {
  const ast = parse(text, { parser: { parse: (source: string) => parseSource(name, source) } })
  apply(ast, edit, (source) => parseSource(name, source))
  return print(ast).code
})
