/**
 * Log lines: JSON, one a line, with the fields of the list below and no others. What could hold
 * somebody's text was left out or redacted when the line was made.
 */
import type { LogLine } from '../../ports/telemetry.ts'

const FIELDS: Readonly<Record<keyof LogLine, true>> = {
  at: true,
  level: true,
  event: true,
  dfid: true,
  agent_id: true,
  attempt: true,
  outcome: true,
  state: true,
  status: true,
  reason_code: true,
  gate: true,
  stage: true,
  policy_kind: true,
  intent_id: true,
  params: true,
  ms: true,
  job: true,
  error: true,
  where: true,
  code: true,
  operation: true,
  address: true,
}

const NAMES: readonly string[] = Object.keys(FIELDS)

export function logText(line: LogLine): string {
  const given = new Map<string, unknown>(Object.entries(line))
  if (line.ms !== undefined) given.set('ms', roundMilliseconds(line.ms))
  const fields = NAMES.filter((name) => given.has(name)).map((name) => [name, given.get(name)])
  return JSON.stringify(Object.fromEntries(fields))
}

/** Nobody reads nanoseconds in a log. */
function roundMilliseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
