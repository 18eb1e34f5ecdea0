/**
 * A flow as a story, from its ledger entries alone: what was proposed, what each stage said, what was
 * sent, and where the time went. It works on what the server sent as on a bundle from a file.
 */
import {
  parseAccepted,
  parseDecision,
  parseOpening,
  parseRejection,
  parseRequest,
  parseSettlement,
} from './entry-payload.ts'
import type { Attempt, FlowEntry, Milestone, Span, Story } from './story-parts.ts'

const DECISIONS: readonly string[] = ['rejection', 'pending_approval', 'dispatch', 'accepted']

export function storyOf(entries: readonly FlowEntry[]): Story {
  const attempts = entries.flatMap(attemptOf)
  const spans = spansOf(entries)
  return { attempts, spans, milestones: milestonesOf(entries) }
}

/** An entry that holds a decision; resends and carried-out intents were decided before. */
function attemptOf(entry: FlowEntry): readonly Attempt[] {
  const { kind, payload } = entry
  if (!DECISIONS.includes(kind) || payload == null) return []
  const record = parseDecision(payload)
  if (record === null) return []
  const { attempt, trace, proposal, facts } = record
  const base = { entry, attempt, trace, proposal, facts }
  switch (kind) {
    case 'rejection': {
      const { stage, code, details } = parseRejection(payload)
      return [{ ...base, outcome: 'rejected', stage, code, details }]
    }
    case 'pending_approval':
      return [{ ...base, outcome: 'escalated', stage: null, ...parseRequest(payload) }]
    default:
      return parseAccepted(payload)
        ? [{ ...base, outcome: 'accepted', stage: null, code: null, details: {} }]
        : []
  }
}

function milestonesOf(entries: readonly FlowEntry[]): readonly Milestone[] {
  const first = (fits: (entry: FlowEntry) => boolean): string | null =>
    entries.find(fits)?.at ?? null
  const decided = first(({ kind }) => DECISIONS.includes(kind))
  const opened = entries.find(({ payload }) => parseOpening(payload) !== null)
  return [
    { name: 'observed', at: opened?.at ?? null },
    { name: 'compiled', at: opened?.at ?? null },
    { name: 'proposed', at: decided },
    { name: 'decided', at: decided },
    { name: 'dispatched', at: first(({ kind }) => kind === 'dispatch') },
    { name: 'settled', at: first(isSettled) },
  ]
}

function isSettled({ kind, payload }: FlowEntry): boolean {
  if (kind === 'commit') return true
  if (kind !== 'settle') return false
  return parseSettlement(payload) !== 'UNKNOWN'
}

function spansOf(entries: readonly FlowEntry[]): readonly Span[] {
  return entries.slice(1).map((entry, index) => {
    const before = entries[index] ?? entry
    const ms = Math.max(0, Date.parse(entry.at) - Date.parse(before.at))
    return { ...meaningOf(before, entry), ms, from: before, to: entry }
  })
}

/** Who was at work between two entries. */
function meaningOf(before: FlowEntry, after: FlowEntry): Pick<Span, 'who' | 'what'> {
  if (after.kind === 'evidence') return { who: 'record', what: 'recorded' }
  switch (before.kind) {
    case 'dispatch':
      return { who: 'effect', what: 'effect' }
    case 'accepted':
      return { who: 'executor', what: 'waits for an executor' }
    case 'pending_approval':
      return { who: 'person', what: 'waits for somebody to decide' }
    case 'settle':
      return isSettled(before)
        ? { who: 'record', what: 'recorded' }
        : { who: 'unknown', what: 'outcome unknown' }
    case 'commit':
      return { who: 'record', what: 'recorded' }
    default:
      return { who: 'agent', what: 'the agent reasons' }
  }
}
