/**
 * A flow as a story, from its ledger entries alone: what was proposed, what each stage said, who
 * decided what the rules left open, what was sent, and where the time went. It works on what the server
 * sent as on a bundle from a file.
 */
import { findChannelAgent } from 'rubicon-kernel'
import {
  parseAccepted,
  parseDecision,
  parseFlagged,
  parseLifted,
  parseObject,
  parseOpening,
  parseRejection,
  parseRequest,
  parseRuling,
  parseSettlement,
} from './entry-payload.ts'
import type { Attempt, FlowEntry, Milestone, Ruling, Span, Story } from './story-parts.ts'

const JUDGED: readonly string[] = ['rejection', 'pending_approval', 'dispatch', 'accepted']

export function buildStory(entries: readonly FlowEntry[]): Story {
  const steps = entries.flatMap((entry) => [...attemptOf(entry), ...listRulings(entry)])
  return { steps, spans: computeSpans(entries), milestones: listMilestones(entries) }
}

/** Of a kind that can hold a decision. */
export function isJudgement({ kind }: Pick<FlowEntry, 'kind'>): boolean {
  return JUDGED.includes(kind)
}

/** An entry that holds a decision; resends and carried-out intents were decided before. */
function attemptOf(entry: FlowEntry): readonly Attempt[] {
  const { kind, payload } = entry
  if (!isJudgement(entry) || payload == null) return []
  const record = parseDecision(payload)
  if (record === null) return []
  const lifted = parseLifted(record.facts)
  const base = { kind: 'attempt', entry, ...record, lifted } as const
  switch (kind) {
    case 'rejection':
      return [{ ...base, outcome: 'rejected', ...parseRejection(payload) }]
    case 'pending_approval': {
      const { code, why } = parseRequest(payload)
      return [{ ...base, outcome: 'escalated', stage: null, code, why }]
    }
    default:
      return parseAccepted(payload)
        ? [
            {
              ...base,
              outcome: 'accepted',
              stage: null,
              code: null,
              why: parseFlagged(record.trace),
            },
          ]
        : []
  }
}

function listRulings(entry: FlowEntry): readonly Ruling[] {
  const ruling = entry.kind === 'approval' ? parseRuling(entry.payload) : null
  return ruling === null ? [] : [{ kind: 'ruling', entry, ...ruling }]
}

function listMilestones(entries: readonly FlowEntry[]): readonly Milestone[] {
  const findTime = (fits: (entry: FlowEntry) => boolean): string | null =>
    entries.find(fits)?.at ?? null
  const opened = entries.find(({ payload }) => parseOpening(payload) !== null)
  return [
    { name: 'observed', at: opened?.at ?? null },
    { name: 'compiled', at: opened?.at ?? null },
    { name: 'proposed', at: findTime(isJudged) },
    { name: 'decided', at: findDecisionTime(entries) },
    { name: 'dispatched', at: findTime(({ kind }) => kind === 'dispatch') },
    { name: 'settled', at: findTime(isSettled) },
  ]
}

/** A flow that ends before its agent proposed anything has a refusal, and no attempt. */
function isJudged({ kind, payload }: FlowEntry): boolean {
  if (!JUDGED.includes(kind)) return false
  return payload == null || parseDecision(payload)?.attempt !== 0
}

/** The last word before the first effect. What waits for a person is not decided. */
function findDecisionTime(entries: readonly FlowEntry[]): string | null {
  const sent = entries.findIndex(({ kind }) => kind === 'dispatch')
  const words = (sent < 0 ? entries : entries.slice(0, sent + 1)).filter(isWord)
  const asked = words.findLast(({ kind }) => kind === 'pending_approval')
  const last = words.findLast((entry) => entry === asked || !isOneOfSeveral(entry, asked))
  return last === undefined || last === asked ? null : last.at
}

function isWord(entry: FlowEntry): boolean {
  const { kind, payload } = entry
  if (kind === 'approval') return true
  // An intent that was accepted before is only carried out.
  if (kind === 'dispatch' && payload != null) return parseAccepted(payload)
  return isJudged(entry)
}

/** An approval of a proposal that does not release it: others have to approve it too. */
function isOneOfSeveral({ kind, payload }: FlowEntry, asked: FlowEntry | undefined): boolean {
  if (kind !== 'approval') return false
  const ruling = parseRuling(payload)
  if (ruling === null || ruling.releases || isEnd(ruling)) return false
  return parseDecision(asked?.payload)?.proposal !== undefined
}

function isEnd({ decision }: Pick<Ruling, 'decision'>): boolean {
  return decision === 'ABORT' || decision === 'EXPIRED'
}

function isSettled({ kind, payload }: FlowEntry): boolean {
  if (kind === 'commit') return true
  if (kind !== 'settle') return false
  return parseSettlement(payload) !== 'UNKNOWN'
}

function computeSpans(entries: readonly FlowEntry[]): readonly Span[] {
  return entries.slice(1).map((entry, index) => {
    const before = entries[index] ?? entry
    const ms = Math.max(0, Date.parse(entry.at) - Date.parse(before.at))
    return { ...describeSpan(before, entry), ms, from: before, to: entry }
  })
}

/** Who was at work between two entries. */
function describeSpan(before: FlowEntry, after: FlowEntry): Pick<Span, 'who' | 'what'> {
  if (before.kind === 'pending_approval') return waitOf(before)
  if (after.kind === 'approval') return { who: 'person', what: 'waits for a person' }
  if (isFromModel(after)) return { who: 'agent', what: 'its model answers' }
  if (after.kind === 'evidence') return { who: 'record', what: 'recorded' }
  switch (before.kind) {
    case 'dispatch':
    case 'resend':
      return { who: 'effect', what: 'effect' }
    case 'accepted':
      return { who: 'executor', what: 'waits for an executor' }
    case 'approval':
      return describeAfterRuling(parseRuling(before.payload))
    case 'settle':
      return isSettled(before)
        ? { who: 'record', what: 'recorded' }
        : { who: 'unknown', what: 'outcome unknown' }
    case 'commit':
      return { who: 'record', what: 'recorded' }
    default:
      return { who: 'agent', what: 'the agent works' }
  }
}

function isFromModel({ kind, payload }: FlowEntry): boolean {
  return kind === 'evidence' && parseObject(payload).source === 'model'
}

function describeAfterRuling(
  ruling: Omit<Ruling, 'kind' | 'entry'> | null,
): Pick<Span, 'who' | 'what'> {
  if (ruling?.releases === true) return { who: 'record', what: 'checked again, as approved' }
  if (ruling !== null && isEnd(ruling)) return { who: 'record', what: 'recorded' }
  return { who: 'agent', what: 'the agent works' }
}

function waitOf({ payload }: FlowEntry): Pick<Span, 'who' | 'what'> {
  const parent = findChannelAgent(parseRequest(payload).channel)
  return { who: 'person', what: `waits for ${parent === undefined ? 'a person' : parent}` }
}
