/** What each agent decided in a span of time, when it was last at work, and whether it is silent for longer than usual. */
import type { DatabaseSync } from 'node:sqlite'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { findSilent, listOpenings } from './openings.ts'
import type { OutcomeCounts, Span } from './overview.ts'

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

/** So many steps has a line beside a name. */
const STEPS = 24

export function listAgentActivity(
  database: DatabaseSync,
  { since, until }: Span,
  now: number,
): FoundAgents {
  const step = computeActivityStep({ since, until })
  const silent = new Set(findSilent(listOpenings(database, now), now).map(({ agent }) => agent))
  const agents = new Map<string, FoundActivity>()
  const seen = `SELECT agent, max(updated_at) AS last FROM flow GROUP BY agent ORDER BY last DESC LIMIT ?`
  const latest = database.prepare(seen).all(LIMITS.listed + 1)
  for (const { agent, last } of latest.slice(0, LIMITS.listed)) {
    const agent_id = String(agent)
    const last_seen = formatInstant(Number(last))
    const series = Array.from({ length: STEPS }, () => 0)
    const none = { accepted: 0, rejected: 0, escalated: 0, series }
    agents.set(agent_id, { agent_id, last_seen, ...none, silent: silent.has(agent_id) })
  }
  const sql = `SELECT agent, CAST((at - ?1) / ?2 AS INTEGER) AS bucket, outcome, count(*) AS n
    FROM decision WHERE at >= ?1 AND at < ?3 AND outcome <> 'ended' GROUP BY 1, 2, 3`
  for (const { agent, bucket, outcome, n } of database.prepare(sql).all(since, step, until)) {
    const found = agents.get(String(agent))
    if (found !== undefined)
      agents.set(found.agent_id, addCount(found, Number(bucket), String(outcome), Number(n)))
  }
  const sorted = [...agents.values()].toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1))
  return { agents: sorted, complete: latest.length <= LIMITS.listed }
}

export function computeActivityStep({ since, until }: Span): number {
  return Math.ceil((until - since) / STEPS)
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
