/** What each agent decided in a span of time, when it was last at work, and whether it is silent for longer than usual. */
import type { DatabaseSync } from 'node:sqlite'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { findSilent, listOpenings } from './openings.ts'
import { chooseStep, type OutcomeCounts, type Span } from './overview.ts'
import { listTalliedAgents } from './verdict-tally.ts'

export type FoundActivity = Omit<OutcomeCounts, 'decided'> & {
  readonly agent_id: string
  /** When a flow of it moved last. */
  readonly last_seen: string | null
  /** Verdicts in each step of the span, the oldest first. */
  readonly series: readonly number[]
  readonly silent: boolean
}

export type FoundAgents = {
  /** By name. */
  readonly agents: readonly FoundActivity[]
  /** False: there are more, which were at work longer ago. */
  readonly complete: boolean
}

/** So many steps has a line beside a name, at most. */
const STEPS = 30

export function listAgentActivity(database: DatabaseSync, span: Span, now: number): FoundAgents {
  const step = computeActivityStep(span)
  const silent = new Set(findSilent(listOpenings(database, now), now).map(({ agent }) => agent))
  const agents = new Map<string, FoundActivity>()
  const seen = 'SELECT name, moved_at FROM agent ORDER BY moved_at DESC LIMIT ?'
  const latest = database.prepare(seen).all(LIMITS.listed + 1)
  const steps = Math.ceil((span.until - span.since) / step)
  for (const { name, moved_at } of latest.slice(0, LIMITS.listed)) {
    const agent_id = String(name)
    const last_seen = formatInstant(Number(moved_at))
    const series = Array.from({ length: steps }, () => 0)
    const none = { accepted: 0, rejected: 0, escalated: 0, series }
    agents.set(agent_id, { agent_id, last_seen, ...none, silent: silent.has(agent_id) })
  }
  for (const { agent, bucket, outcome, n } of listTalliedAgents(database, { ...span, step })) {
    const found = agents.get(agent)
    if (found !== undefined) agents.set(agent, addCount(found, bucket, outcome, n))
  }
  const sorted = [...agents.values()].toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1))
  return { agents: sorted, complete: latest.length <= LIMITS.listed }
}

export function computeActivityStep(span: Span): number {
  return chooseStep(span, STEPS)
}

function addCount(found: FoundActivity, at: number, outcome: string, n: number): FoundActivity {
  const series = found.series.map((count, bucket) => (bucket === at ? count + n : count))
  switch (outcome) {
    case 'accepted':
    case 'rejected':
    case 'escalated':
      return { ...found, series, [outcome]: found[outcome] + n }
    default:
      return { ...found, series }
  }
}
