/** The agents as a picture: who stands below whom. The list says the same in words. */
import type { ReactNode } from 'react'
import type { AgentActivity, AgentSummary } from 'rubicon-agents/client'
import { getAgentStanding } from '../../parts/standing.ts'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import {
  type AgentGraph,
  buildAgentGraph,
  type GraphEdge,
  type GraphNode,
  listFromAbove,
} from './agent-graph.ts'
import './agent-graph.css'

const COLUMN = 220
const ROW = 46
const NODE = { width: 184, height: 38 }

export function AgentGraphView({
  agents,
  activity,
}: {
  readonly agents: readonly AgentSummary[]
  readonly activity: ReadonlyMap<string, AgentActivity>
}): ReactNode {
  const graph = buildAgentGraph(agents)
  const narrow = useNarrow()
  const { nodes, edges, width, height } = narrow ? layOutDown(graph) : layOutAcross(graph)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="agent-graph" aria-label="who stands below whom" tabIndex={0}>
      <div className="agent-graph-inner" style={narrow ? { height } : { width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(({ key, line }) => (
            <path key={key} d={line} />
          ))}
        </svg>
        <ul>
          {nodes.map(({ node, place }) => (
            <li
              key={node.key}
              className={`agent-node agent-node-${node.kind}`}
              style={{ height: NODE.height, ...place }}
            >
              <NodeText node={node} activity={activity.get(node.key)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

type Layout = {
  readonly nodes: readonly { readonly node: GraphNode; readonly place: object }[]
  readonly edges: readonly { readonly key: string; readonly line: string }[]
  readonly width: number
  readonly height: number
}

function layOutAcross(graph: AgentGraph): Layout {
  const { edges, columns, rows } = graph
  return {
    nodes: listFromAbove(graph).map((node) => {
      const { column, row } = node
      const place = { left: column * COLUMN, top: row * ROW + 4, width: NODE.width }
      return { node, place }
    }),
    edges: edges.map((edge) => ({ key: toEdgeKey(edge), line: drawEdge(edge) })),
    width: columns * COLUMN,
    height: rows * ROW,
  }
}

/** Where there is no room to the right: one below the other, indented, as wide as the page. */
function layOutDown(graph: AgentGraph): Layout {
  const listed = listFromAbove(graph)
  const rowOf = new Map(listed.map(({ key }, row) => [key, row]))
  const findTop = ({ key }: GraphNode): number => (rowOf.get(key) ?? 0) * ROW + 4
  return {
    nodes: listed.map((node) => {
      return { node, place: { left: node.column * INDENT, right: 0, top: findTop(node) } }
    }),
    edges: graph.edges.map((edge) => {
      const { from, to } = edge
      const x = from.column * INDENT + INDENT / 2
      const [top, bottom] = [findTop(from) + NODE.height, findTop(to) + NODE.height / 2]
      return { key: toEdgeKey(edge), line: `M ${x} ${top} V ${bottom} H ${to.column * INDENT}` }
    }),
    width: graph.columns * INDENT,
    height: listed.length * ROW,
  }
}

const INDENT = 20

function toEdgeKey({ from, to }: GraphEdge): string {
  return `${from.key} ${to.key}`
}

function NodeText({
  node: { agent, label },
  activity,
}: {
  readonly node: GraphNode
  readonly activity: AgentActivity | undefined
}): ReactNode {
  if (agent === null) return <span className="agent-node-name">{toVisibleText(label)}</span>
  const stands = describeNode(agent, activity)
  return (
    <Link
      className={`agent-node-link agent-node-${stands.standing}`}
      href={`/agents/${encodeURIComponent(agent.agent_id)}`}
    >
      <span className="agent-node-name">{toVisibleText(label)}</span>
      <span className="small">
        <Status {...stands} />
      </span>
    </Link>
  )
}

/** What of it somebody should look at first. */
export function describeNode(
  { status, problems, waiting }: Pick<AgentSummary, 'status' | 'problems' | 'waiting'>,
  activity: Pick<AgentActivity, 'silent' | 'budget'> | undefined,
): StatusProps {
  const shown = getAgentStanding(status)
  if (status === 'SUSPENDED' || status === 'RETIRED') return shown
  if (problems > 0) return { standing: 'waiting', word: 'its contract has a problem' }
  if (activity?.silent === true) return { standing: 'unknown', word: 'silent' }
  const share = activity?.budget?.share ?? 0
  if (share >= NEAR)
    return { standing: 'waiting', word: `${Math.floor(share * 100)} % of a budget` }
  if (waiting > 0) return { ...shown, word: `${shown.word}, ${waiting} waiting` }
  return shown
}

/** From here on somebody should look. */
const NEAR = 0.8

/** From the middle of one side to the middle of the other. */
function drawEdge({ from, to }: GraphEdge): string {
  const [x1, y1] = [from.column * COLUMN + NODE.width, toMiddle(from)]
  const [x2, y2] = [to.column * COLUMN, toMiddle(to)]
  const half = (x1 + x2) / 2
  return `M ${x1} ${y1} C ${half} ${y1}, ${half} ${y2}, ${x2} ${y2}`
}

function toMiddle({ row }: GraphNode): number {
  return row * ROW + 4 + NODE.height / 2
}
