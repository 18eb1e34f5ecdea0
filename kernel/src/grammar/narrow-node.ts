/**
 * Narrows the place of a tree that a pointer leads to. The law refuses where such a place is absent, so that it is
 * required from here on, and lists on the way have an element.
 */
import type { Pointer } from '../proposal/pointer.ts'
import type { GrammarMember, GrammarNode } from './node.ts'

/** `empty`: no value is left. `unsaid`: the tree cannot say it, and stays as it is. */
export type Narrowed = GrammarNode | 'empty' | 'unsaid'

/** What is done to the place itself. */
export type Narrow = (node: GrammarNode) => Narrowed

const EACH = '*'

export function narrowAt(node: GrammarNode, [name, ...rest]: Pointer, narrow: Narrow): Narrowed {
  if (node.kind === 'choice')
    return narrowChoice(node.of, (one) =>
      name === undefined ? narrow(one) : narrowAt(one, [name, ...rest], narrow),
    )
  if (name === undefined) return narrow(node)
  if (node.kind === 'list') {
    if (name !== EACH) return 'unsaid'
    const items = narrowAt(node.items, rest, narrow)
    if (typeof items === 'string') return items
    return node.max < 1 ? 'empty' : { ...node, items, min: Math.max(1, node.min) }
  }
  if (node.kind === 'object') return narrowMember(node.members, name, rest, narrow)
  // Something stands in the way that has no members: the law finds nothing there.
  return node.kind === 'values' ? 'unsaid' : 'empty'
}

function narrowMember(
  members: readonly GrammarMember[],
  name: string,
  rest: Pointer,
  narrow: Narrow,
): Narrowed {
  const member = members.find((one) => one.name === name)
  if (member === undefined) return 'empty'
  const node = narrowAt(member.node, rest, narrow)
  if (typeof node === 'string') return node
  return {
    kind: 'object',
    members: members.map((one) => (one.name === name ? { name, required: true, node } : one)),
  }
}

/** Of the alternatives those are left that can be inside; where one cannot be said, nothing is. */
function narrowChoice(of: readonly GrammarNode[], narrow: Narrow): Narrowed {
  const left: GrammarNode[] = []
  for (const one of of) {
    const narrowed = narrow(one)
    if (narrowed === 'unsaid') return 'unsaid'
    if (narrowed !== 'empty') left.push(narrowed)
  }
  const [only] = left
  if (only === undefined) return 'empty'
  return left.length === 1 ? only : { kind: 'choice', of: left }
}

/** Each element of a list is looked at where the law takes a list of values for a value. */
export function narrowEach(narrow: Narrow): Narrow {
  return (node) => {
    if (node.kind !== 'list') return narrow(node)
    const items =
      node.items.kind === 'choice' ? narrowChoice(node.items.of, narrow) : narrow(node.items)
    if (typeof items === 'string') return items
    return node.max < 1 ? 'empty' : { ...node, items, min: Math.max(1, node.min) }
  }
}
