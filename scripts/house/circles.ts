/** Circles of a graph of files: those that cannot be read one before the other. */

/** A file, and the files that it imports. */
export type Graph = ReadonlyMap<string, readonly string[]>

type Visit = { readonly node: string; readonly next: Iterator<string> }

/** Tarjan's strongly connected components of more than one file, without recursion: graphs are deep. */
export function findCircles(graph: Graph): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const circles: (readonly string[])[] = []

  const enter = (node: string): Visit => {
    index.set(node, index.size)
    lowest.set(node, index.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, next: (graph.get(node) ?? []).values() }
  }
  const lower = (node: string, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to))
  }
  const leave = (node: string): void => {
    if (lowest.get(node) !== index.get(node)) return
    const members = stack.splice(stack.lastIndexOf(node))
    for (const member of members) onStack.delete(member)
    if (members.length > 1) circles.push(members.sort())
  }

  for (const root of graph.keys()) {
    if (index.has(root)) continue
    const visits = [enter(root)]
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node, next } = visit
      const { value, done } = next.next()
      if (done === true) {
        leave(node)
        visits.pop()
        const parent = visits.at(-1)
        if (parent !== undefined) lower(parent.node, lowest.get(node) ?? 0)
      } else if (!index.has(value)) visits.push(enter(value))
      else if (onStack.has(value)) lower(node, index.get(value) ?? 0)
    }
  }
  return circles.sort((a, b) => b.length - a.length)
}
