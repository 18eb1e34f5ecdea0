/**
 * Strongly connected components of a graph, by Tarjan's algorithm without recursion: a circle of ten thousand modules must not end the
 * stack. A component comes before those that lead to it, so that what is needed of it is there.
 */
type Frame = { readonly node: string; readonly next: readonly string[]; at: number }

/** Nodes in the order in which they are given decide the order of components; members are sorted. */
export function listComponents(
  nodes: readonly string[],
  listNext: (node: string) => readonly string[],
): readonly (readonly string[])[] {
  const components: (readonly string[])[] = []
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const open = (node: string): Frame => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, next: listNext(node), at: 0 }
  }
  const lower = (node: string, value: number): void => {
    low.set(node, Math.min(low.get(node) ?? value, value))
  }
  for (const root of nodes) {
    if (order.has(root)) continue
    const frames = [open(root)]
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const to = frame.next[frame.at]
      frame.at += 1
      if (to !== undefined) {
        if (!order.has(to)) frames.push(open(to))
        else if (onStack.has(to)) lower(frame.node, order.get(to) ?? 0)
        continue
      }
      frames.pop()
      const holder = frames.at(-1)
      if (holder !== undefined) lower(holder.node, low.get(frame.node) ?? 0)
      if (low.get(frame.node) === order.get(frame.node))
        components.push(cutComponent(stack, onStack, frame.node))
    }
  }
  return components
}

function cutComponent(stack: string[], onStack: Set<string>, root: string): readonly string[] {
  const members = stack.splice(stack.lastIndexOf(root))
  for (const member of members) onStack.delete(member)
  return members.sort()
}
