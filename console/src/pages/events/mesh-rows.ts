/** Where topics and agents stand in the picture, and which line leads from one to the other. */
import type { ListedEvent, ListedTopic, TopicListener } from 'rubicon-agents/client'

export type MeshAgent = { readonly agent: TopicListener; readonly row: number }

export type MeshTopic = {
  readonly topic: ListedTopic
  readonly row: number
  /** The last event that is known. */
  readonly latest: ListedEvent | null
}

export type MeshLine = {
  readonly from: number
  readonly to: number
  readonly topic: string
  readonly agent: string
  /** The last event of the topic woke the agent. */
  readonly isWoken: boolean
}

export type Mesh = {
  readonly agents: readonly MeshAgent[]
  readonly topics: readonly MeshTopic[]
  readonly lines: readonly MeshLine[]
  /** How many rows the picture has. */
  readonly rows: number
  /** Agents and topics for which there is no room. */
  readonly left_off: number
}

/** More than that nobody reads in a picture. */
const MOST = 24

export function buildMesh(topics: readonly ListedTopic[], events: readonly ListedEvent[]): Mesh {
  const shown = topics.slice(0, MOST)
  const listeners = new Map<string, TopicListener>()
  for (const { listeners: named } of shown)
    for (const one of named) if (!listeners.has(one.agent_id)) listeners.set(one.agent_id, one)
  const agents = [...listeners.values()].slice(0, MOST).map((agent, row) => ({ agent, row }))
  const rows = Math.max(agents.length, shown.length)
  const placed = shown.map((topic, index): MeshTopic => {
    const latest = events.find((event) => event.topic === topic.topic) ?? null
    return { topic, latest, row: computeTopicRow(index, shown.length, rows) }
  })
  const lines = placed.flatMap(({ topic, latest, row: from }) =>
    agents
      .filter(({ agent }) => topic.listeners.some((one) => one.agent_id === agent.agent_id))
      .map(({ agent: { agent_id: agent }, row: to }): MeshLine => {
        const isWoken = latest?.agents.includes(agent) === true
        return { from, to, topic: topic.topic, agent, isWoken }
      }),
  )
  const left_off = topics.length - shown.length + listeners.size - agents.length
  return { agents, topics: placed, lines, rows, left_off }
}

/** Few topics stand beside the middle of their agents, in whole rows. */
function computeTopicRow(index: number, count: number, rows: number): number {
  return Math.floor(((index + 0.5) * rows) / count)
}
