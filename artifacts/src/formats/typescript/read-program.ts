/** Reads a program with oxc: its tree, and the parts that are one tile whatever they hold. */
import { type Comment, type Node, type Program, parseSync } from 'oxc-parser'
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { ParseProblem } from '../../tree/parsed.ts'
import type { NamedPart } from '../../tree/tile.ts'

export type ReadProgram = {
  readonly program: Program
  /** Texts, regular expressions, parts of templates and comments, in the order of the text. */
  readonly parts: readonly NamedPart[]
}

export function readProgram(text: string, name: string): Result<ReadProgram, ParseProblem> {
  const { program, comments, errors } = parseSync(name, text, { sourceType: 'unambiguous' })
  const [first] = errors
  if (first !== undefined) {
    const [label] = first.labels
    const at = label === undefined ? null : { start: label.start, end: label.end }
    return err({ detail: first.message, at })
  }
  const parts = listLiterals(program)
  if (parts === null)
    return err({ detail: `it is nested deeper than ${ARTIFACT_LIMITS.depth} levels`, at: null })
  // A first line that names the program to run it with is among them.
  const all = [...parts, ...comments.map(toCommentPart)]
  return ok({ program, parts: all.sort((a, b) => a.start - b.start) })
}

const WHOLE_TYPES: ReadonlySet<string> = new Set(['JSXText', 'TemplateElement'])

/** Null: it is nested too deeply. */
function listLiterals(program: Program): NamedPart[] | null {
  const found: NamedPart[] = []
  const open: { readonly node: Node; readonly depth: number }[] = [{ node: program, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    if (depth > ARTIFACT_LIMITS.depth * 4) return null
    if (isLiteral(node)) found.push({ start: node.start, end: node.end, kind: 'literal' })
    else for (const child of listChildren(node)) open.push({ node: child, depth: depth + 1 })
  }
  return found.filter(({ start, end }) => start < end)
}

function isLiteral(node: Node): boolean {
  if (WHOLE_TYPES.has(node.type)) return true
  return node.type === 'Literal' && (typeof node.value === 'string' || 'regex' in node)
}

/** What of a node is a node. A directive has its text twice: as an expression, and as a word. */
export function listChildren(node: Node): readonly Node[] {
  const children: Node[] = []
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) children.push(item)
  }
  return children
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function toCommentPart({ start, end }: Comment): NamedPart {
  return { start, end, kind: 'comment' }
}
