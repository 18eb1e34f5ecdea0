/** Modules that are asked for in the middle of a program, what is taken of them, and properties that are written in short. */
import type { Node, Program } from 'oxc-parser'
import type { Span } from '../../../text/span.ts'
import type { ModuleLinks, TakenName, WholeLink } from '../../module-links.ts'
import { listChildren } from '../read-program.ts'
import { toWordSpan } from './words.ts'

type Open = { readonly node: Node; readonly parents: readonly Node[] }

export function readWholes(program: Program): Pick<ModuleLinks, 'wholes' | 'shorthands'> {
  const wholes: WholeLink[] = []
  const shorthands: Span[] = []
  const open: Open[] = [{ node: program, parents: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parents } = next
    if (node.type === 'Property' && node.shorthand && node.key.type === 'Identifier')
      shorthands.push(toWordSpan(node.key))
    const whole = readWhole(node, parents)
    if (whole !== null) wholes.push(whole)
    // What becomes of a module is seen by the three that are around it.
    const around = [node, ...parents.slice(0, 2)]
    for (const child of listChildren(node)) open.push({ node: child, parents: around })
  }
  return {
    wholes: wholes.sort(compareStarts),
    shorthands: shorthands.sort((a, b) => a.start - b.start),
  }
}

function compareStarts(a: WholeLink, b: WholeLink): number {
  return a.at.start - b.at.start
}

function readWhole(node: Node, parents: readonly Node[]): WholeLink | null {
  const at = { start: node.start, end: node.end }
  switch (node.type) {
    case 'ImportDeclaration':
      // It is run, and nothing is taken of it.
      return node.specifiers.length === 0 ? { from: node.source.value, at, taken: [] } : null
    case 'ImportExpression': {
      const [parent, ...more] = parents
      // What is not waited for is a promise, which is handed on.
      const taken = parent?.type === 'AwaitExpression' ? listTaken(parent, more) : null
      return { from: readText(node.source), at, taken }
    }
    case 'CallExpression': {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'require') return null
      const [source] = node.arguments
      return {
        from: source === undefined ? null : readText(source),
        at,
        taken: listTaken(node, parents),
      }
    }
    case 'TSImportType': {
      const first = node.qualifier === null ? null : findFirst(node.qualifier)
      const taken = first === null ? null : [{ name: first.name, at: toWordSpan(first) }]
      return { from: readText(node.source), at, taken }
    }
    case 'TSModuleDeclaration':
      // It adds to a module from outside: whatever it declares is also there.
      return node.id.type === 'Literal' ? { from: node.id.value, at, taken: null } : null
    default:
      return null
  }
}

function readText(node: Node): string | null {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

function findFirst(node: Node): { readonly name: string; readonly start: number } | null {
  if (node.type === 'Identifier') return node
  return node.type === 'TSQualifiedName' ? findFirst(node.left) : null
}

/** What is taken of a module where it is asked for: `(await import('./x')).a`, or `const {a} = await import('./x')`. */
function listTaken(value: Node, [parent, next]: readonly Node[]): readonly TakenName[] | null {
  if (parent?.type === 'ParenthesizedExpression')
    return listTaken(parent, next === undefined ? [] : [next])
  if (parent?.type === 'ExpressionStatement') return []
  if (parent?.type === 'MemberExpression' && parent.object === value && !parent.computed)
    return parent.property.type === 'Identifier'
      ? [{ name: parent.property.name, at: toWordSpan(parent.property) }]
      : null
  if (parent?.type !== 'VariableDeclarator' || parent.init !== value) return null
  if (parent.id.type !== 'ObjectPattern') return null
  const taken: TakenName[] = []
  for (const property of parent.id.properties) {
    if (property.type === 'RestElement' || property.computed) return null
    if (property.key.type !== 'Identifier') return null
    taken.push({ name: property.key.name, at: toWordSpan(property.key) })
  }
  return taken
}
