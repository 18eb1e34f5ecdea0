/**
 * Agents as a tree from left to right: who owns them, whom they escalate to, which instances they have. Names decide the
 * order, so that a picture stays as it was when something else changes.
 */
import type { AgentSummary } from 'rubicon-agents/client'

export type GraphNode = {
  readonly key: string
  readonly kind: 'owner' | 'agent' | 'rest'
  readonly label: string
  /** Null: an owner, or those that are left out. */
  readonly agent: AgentSummary | null
  readonly column: number
  readonly row: number
}

export type GraphEdge = { readonly from: GraphNode; readonly to: GraphNode }

export type AgentGraph = {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly columns: number
  readonly rows: number
}

/** Of one agent; what is beyond stands in the list. */
const INSTANCES = 8
const NOBODY = 'nobody'

export function buildAgentGraph(agents: readonly AgentSummary[]): AgentGraph {
  const placing: Placing = {
    below: buildParentGroups(agents),
    nodes: [],
    edges: [],
    placed: new Set(),
    row: 0,
  }
  const owners = buildGroups(agents, ({ owner }) => owner ?? NOBODY)
  for (const [owner, owned] of [...owners].sort(([a], [b]) => compareText(a, b)))
    placeOwner(placing, owner, owned, agents)
  const { nodes, edges, row } = placing
  const columns = Math.max(0, ...nodes.map(({ column }) => column + 1))
  return { nodes, edges, columns, rows: row }
}

/** As it is read from above: each before those below it. */
export function listFromAbove({
  nodes,
  edges,
}: Pick<AgentGraph, 'nodes' | 'edges'>): readonly GraphNode[] {
  const below = buildGroups(edges, ({ from }) => from.key)
  const listWith = (node: GraphNode): readonly GraphNode[] => [
    node,
    ...(below.get(node.key) ?? []).flatMap(({ to }) => listWith(to)),
  ]
  const tops = nodes.filter(({ column }) => column === 0)
  return [...tops].sort((a, b) => a.row - b.row).flatMap(listWith)
}

type Placing = {
  readonly below: ReadonlyMap<string, readonly AgentSummary[]>
  readonly nodes: GraphNode[]
  readonly edges: GraphEdge[]
  readonly placed: Set<string>
  row: number
}

/** First those above whom nobody is; then whoever is in a circle, which begins at its first name. */
function placeOwner(
  placing: Placing,
  owner: string,
  owned: readonly AgentSummary[],
  agents: readonly AgentSummary[],
): void {
  const known = new Set(agents.map(({ agent_id }) => agent_id))
  const isTop = (agent: AgentSummary): boolean => {
    const above = getParent(agent)
    return above === null || !known.has(above)
  }
  const sorted = [...owned].sort((a, b) => compareText(a.agent_id, b.agent_id))
  const first = placing.row
  const tops: GraphNode[] = []
  for (const agent of [...sorted.filter(isTop), ...sorted.filter(createCircleTest(agents))])
    if (!placing.placed.has(agent.agent_id)) tops.push(placeAgent(placing, agent, 1))
  if (tops.length === 0) return
  const row = (first + placing.row - 1) / 2
  const key = `owner ${owner}`
  const node: GraphNode = { key, kind: 'owner', label: owner, agent: null, column: 0, row }
  placing.nodes.push(node)
  for (const to of tops) placing.edges.push({ from: node, to })
}

/** Whose way up comes back to it. */
function createCircleTest(agents: readonly AgentSummary[]): (agent: AgentSummary) => boolean {
  const parents = new Map(agents.map((agent) => [agent.agent_id, getParent(agent)]))
  return ({ agent_id }) => {
    const seen = new Set<string>()
    let above = parents.get(agent_id) ?? null
    while (above !== null && !seen.has(above)) {
      if (above === agent_id) return true
      seen.add(above)
      above = parents.get(above) ?? null
    }
    return false
  }
}

function placeAgent(placing: Placing, agent: AgentSummary, column: number): GraphNode {
  placing.placed.add(agent.agent_id)
  const first = placing.row
  const below = (placing.below.get(agent.agent_id) ?? []).filter(
    ({ agent_id }) => !placing.placed.has(agent_id),
  )
  const instances = below.filter(({ instance_of }) => instance_of === agent.agent_id)
  const others = below.filter(({ instance_of }) => instance_of !== agent.agent_id)
  const shown = [...others, ...instances.slice(0, INSTANCES)]
  const placed: GraphNode[] = []
  for (const one of shown)
    if (!placing.placed.has(one.agent_id)) placed.push(placeAgent(placing, one, column + 1))
  const rest = instances.slice(INSTANCES)
  if (rest.length > 0) placed.push(placeRest(placing, agent, rest, column + 1))
  if (placed.length === 0) placing.row += 1
  const row = placed.length === 0 ? first : (first + placing.row - 1) / 2
  const { agent_id } = agent
  const node: GraphNode = { key: agent_id, kind: 'agent', label: agent_id, agent, column, row }
  placing.nodes.push(node)
  for (const to of placed) placing.edges.push({ from: node, to })
  return node
}

function placeRest(
  placing: Placing,
  { agent_id }: AgentSummary,
  rest: readonly AgentSummary[],
  column: number,
): GraphNode {
  for (const one of rest) placing.placed.add(one.agent_id)
  const label = `${rest.length} more instances`
  const row = placing.row
  placing.row += 1
  const node: GraphNode = { key: `rest ${agent_id}`, kind: 'rest', label, agent: null, column, row }
  placing.nodes.push(node)
  return node
}

function getParent({ instance_of, parent_agent }: AgentSummary): string | null {
  return instance_of ?? parent_agent
}

function buildParentGroups(
  agents: readonly AgentSummary[],
): ReadonlyMap<string, readonly AgentSummary[]> {
  const sorted = [...agents].sort((a, b) => compareText(a.agent_id, b.agent_id))
  return buildGroups(sorted, (agent) => getParent(agent) ?? '')
}

function buildGroups<T>(rows: readonly T[], toKey: (row: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>()
  for (const row of rows) groups.set(toKey(row), [...(groups.get(toKey(row)) ?? []), row])
  return groups
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
