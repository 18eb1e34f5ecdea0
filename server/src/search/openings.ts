/** Which agents were at work in the last week, and which of them is silent for longer than usual. */
import type { DatabaseSync } from 'node:sqlite'
import { formatInstant, mintDfid } from 'rubicon-kernel'

export type SilentAgent = {
  readonly agent: string
  readonly since: string
  readonly usual_ms: number
}

const WATCHED_MS = 7 * 86_400_000
const SILENT_MS = 15 * 60_000
const LEAST_FLOWS = 10
const TIMES_USUAL = 5

export type Openings = {
  readonly agent: string
  readonly count: number
  readonly first: number
  readonly last: number
}

/** When each agent opened flows in the last week: an id begins with its time, so that the index of agents has all of it. */
export function listOpenings(database: DatabaseSync, now: number): readonly Openings[] {
  const sql = `SELECT agent, count(*) AS n, min(dfid) AS first, max(dfid) AS last
    FROM agent CROSS JOIN flow INDEXED BY flow_agent ON flow.agent = agent.name AND flow.dfid >= ?2
    WHERE agent.moved_at >= ?1 GROUP BY agent`
  const since = Math.max(0, now - WATCHED_MS)
  return database
    .prepare(sql)
    .all(since, mintDfid(since, new Uint8Array(10)))
    .map((row) => ({
      agent: String(row.agent),
      count: Number(row.n),
      first: parseOpening(String(row.first)),
      last: parseOpening(String(row.last)),
    }))
}

/** Milliseconds are its first 48 bits (RFC 9562). */
function parseOpening(dfid: string): number {
  return Number.parseInt(`${dfid.slice(0, 8)}${dfid.slice(9, 13)}`, 16)
}

/** Agents that opened no flow for five times as long as usual, a quarter of an hour at least. */
export function findSilent(openings: readonly Openings[], now: number): readonly SilentAgent[] {
  return openings
    .filter(({ count }) => count >= LEAST_FLOWS)
    .map(({ agent, count, first, last }) => ({
      agent,
      last,
      usual_ms: Math.round((last - first) / (count - 1)),
    }))
    .filter(({ last, usual_ms }) => now - last > Math.max(SILENT_MS, TIMES_USUAL * usual_ms))
    .map(({ agent, last, usual_ms }) => ({ agent, since: formatInstant(last), usual_ms }))
}
