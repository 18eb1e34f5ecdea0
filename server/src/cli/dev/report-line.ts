/** A line that a runtime reports, as its author reads it: decisions and requests, and nothing of the machinery beside. */
import type { DevNotice } from './worker-messages.ts'

/** Null: nothing that an author has to see. */
export function parseReportLine(line: string): DevNotice | null {
  if (!line.startsWith('{')) return { kind: 'warning', text: line }
  let said: unknown
  try {
    said = JSON.parse(line)
  } catch {
    return { kind: 'warning', text: line }
  }
  if (hasMember(said, 'notice')) return toWaiting(said.notice)
  return hasMember(said, 'event') && said.event === 'proposal_answered' ? toDecision(said) : null
}

function toWaiting(notice: unknown): DevNotice {
  return {
    kind: 'waiting',
    agent: getText(notice, 'agent_id'),
    about: getText(notice, 'kind'),
    reason_code: getText(notice, 'reason_code'),
  }
}

function toDecision(said: object): DevNotice {
  const code = getText(said, 'reason_code')
  return {
    kind: 'decision',
    agent: getText(said, 'agent_id'),
    outcome: getText(said, 'outcome'),
    reason_code: code === '' ? null : code,
    flow: getText(said, 'dfid'),
  }
}

function hasMember<K extends string>(value: unknown, name: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && name in value
}

function getText(value: unknown, name: string): string {
  return hasMember(value, name) && typeof value[name] === 'string' ? value[name] : ''
}
