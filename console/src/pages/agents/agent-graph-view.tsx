/** The agents as a picture: who stands below whom. The list says the same in words. */
import type { ReactNode } from 'react'
import type { AgentActivity, AgentSummary } from 'rubicon-agents/client'
import { getAgentStanding } from '../../parts/standing.ts'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import { buildAgentGraph, type GraphEdge, type GraphNode } from './agent-graph.ts'
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
  const { nodes, edges, columns, rows } = buildAgentGraph(agents)
  const [width, height] = [columns * COLUMN, rows * ROW]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="agent-graph" aria-label="who stands below whom" tabIndex={0}>
      <div className="agent-graph-inner" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map((edge) => (
            <path key={`${edge.from.key} ${edge.to.key}`} d={drawEdge(edge)} />
          ))}
        </svg>
        <ul>
          {nodes.map((node) => (
            <li
              key={node.key}
              className={`agent-node agent-node-${node.kind}`}
              style={{ left: node.column * COLUMN, top: node.row * ROW + 4, ...NODE }}
            >
              <NodeText node={node} activity={activity.get(node.key)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
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
