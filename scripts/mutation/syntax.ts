/** A module as a tree, at the places where it stands in the file: types are blanks, and nothing moves. */
import { stripTypeScriptTypes } from 'node:module'
import { parseAst } from 'vite'

export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export function parseModule(source: string): Node {
  return parseAst(stripTypeScriptTypes(source, { mode: 'strip' })) as unknown as Node
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** In the order of the text. */
export function listChildren(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}

export function findMember(node: Node, name: string): Node | undefined {
  const value = node[name]
  return isNode(value) ? value : undefined
}

export function listOf(node: Node, name: string): readonly Node[] {
  const value = node[name]
  return Array.isArray(value) ? value.filter(isNode) : []
}

const HAS_KEY = /^(MethodDefinition|PropertyDefinition)$/
const HAS_ID = /^(FunctionDeclaration|VariableDeclarator|ClassDeclaration)$/

/** What a declaration, a method or a member of a class is called. */
export function findName(node: Node): string | undefined {
  const named = HAS_KEY.test(node.type)
    ? findMember(node, 'key')
    : HAS_ID.test(node.type)
      ? findMember(node, 'id')
      : undefined
  return typeof named?.name === 'string' ? named.name : undefined
}
