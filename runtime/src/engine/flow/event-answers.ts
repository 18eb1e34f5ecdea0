/**
 * What agents answered an event, as the entries of their flows say, and in which order their proposals stand. The order is
 * computed again by the law that the event came under: nothing of it is recorded, and nothing has to be.
 */
import {
  type ArbitrationLaw,
  type Bid,
  compareBids,
  findPrecedence,
  isObject,
  isReserved,
  type JsonObject,
  type JsonValue,
  type Precedence,
} from 'rubicon-kernel'
import type { BidRecord, EventMember, EventRecord } from '../../ports/event-record.ts'
import type { StoredEntry } from '../../ports/store.ts'

export type EventAnswer = {
  readonly at: string
  /** Null: nothing was proposed, or it was erased. */
  readonly policy_kind: string | null
  /** Whether its kind comes before all others. */
  readonly preempting: boolean
  readonly outcome: AnswerStanding
  readonly code: string | null
  /** The flow that it lost to, or that stopped it. */
  readonly by: string | null
}

/**
 * `waiting`: for the others; `won`: dispatched, and others lost; `sent`: dispatched, and nobody lost by it; `lost`: to
 * another; `halted`: by a HALT; `escalated`: it waits for a person and has left the group; `refused`: by the rules, so that
 * the next in the order is tried.
 */
export type AnswerStanding =
  | 'waiting'
  | 'won'
  | 'sent'
  | 'lost'
  | 'halted'
  | 'escalated'
  | 'refused'

/** Where the last proposal of a member stands among those of the others. */
export type AnswerPlace = {
  /** From 1 on. */
  readonly rank: number
  /** What puts it before the next one; null: it is the last. */
  readonly before_next_by: Precedence | null
}

/** The kinds of entries that say what came of a proposal. */
export const ANSWER_KINDS = ['rejection', 'pending_approval', 'dispatch', 'accepted'] as const

type Standing = Pick<EventRecord, 'law' | 'winners'>

export function listEventAnswers(
  event: Standing,
  entries: readonly StoredEntry[],
  bid: BidRecord | null,
): readonly EventAnswer[] {
  const said = entries.flatMap((entry) => readAnswer(event, entry))
  if (bid === null) return said
  const { at, policy_kind } = bid
  const waiting = { at, policy_kind, outcome: 'waiting', code: null, by: null } as const
  return [...said, { ...waiting, preempting: isPreempting(event, policy_kind) }]
}

function readAnswer(event: Standing, { envelope, payload }: StoredEntry): readonly EventAnswer[] {
  const { at, kind, dfid = '' } = envelope
  const said = parseMembers(payload)
  const proposed = readText(readMembers(said.proposal).policy_kind)
  const buildBase = (policy_kind: string | null) => ({
    at,
    policy_kind,
    preempting: policy_kind !== null && isPreempting(event, policy_kind),
  })
  switch (kind) {
    case 'rejection': {
      const code = readText(said.reason_code)
      const { winner, halted_by } = readMembers(said.details)
      const by = readText(winner) ?? readText(halted_by)
      return [{ ...buildBase(proposed), outcome: toRefusalStanding(code), code, by }]
    }
    case 'pending_approval': {
      const code = readText(readMembers(said.request).reason_code)
      return [{ ...buildBase(proposed), outcome: 'escalated', code, by: null }]
    }
    case 'dispatch':
    case 'accepted': {
      // What was accepted before is only carried out.
      if (said.intent === undefined) return []
      const policy_kind = readText(readMembers(said.intent).policy_kind)
      const isWinner = event.winners?.some((one) => one.dfid === dfid) === true
      const hasWon = isWinner && policy_kind !== null && !isReserved(policy_kind)
      return [{ ...buildBase(policy_kind), outcome: hasWon ? 'won' : 'sent', code: null, by: null }]
    }
    default:
      return []
  }
}

function toRefusalStanding(code: string | null): AnswerStanding {
  if (code === 'PREEMPTED') return 'lost'
  return code === 'EVENT_HALTED' ? 'halted' : 'refused'
}

function isPreempting({ law }: Standing, kind: string): boolean {
  return law?.preempting_kinds.includes(kind) === true
}

type Answered = { readonly member: EventMember; readonly answers: readonly EventAnswer[] }

/** By dfid; who has proposed nothing that is arbitrated has no place. */
export function rankAnswers(
  law: ArbitrationLaw | null,
  answered: readonly Answered[],
): ReadonlyMap<string, AnswerPlace> {
  if (law === null) return new Map()
  const bids = answered.flatMap(toLastBid).toSorted((a, b) => compareBids(law, a, b))
  return new Map(
    bids.map((bid, index) => {
      const next = bids[index + 1]
      const before_next_by = next === undefined ? null : findPrecedence(law, bid, next)
      return [bid.dfid, { rank: index + 1, before_next_by }]
    }),
  )
}

function toLastBid({ member, answers }: Answered): readonly Bid[] {
  const last = answers.findLast(({ policy_kind }) => policy_kind !== null)
  if (last === undefined || last.policy_kind === null || isReserved(last.policy_kind)) return []
  const { agent: agent_id, dfid, priority, role } = member
  const { policy_kind, at } = last
  return [{ agent_id, dfid, priority, role, policy_kind, at, resources: [] }]
}

/** Null: it was erased, or lies in an archive. */
function parseMembers(payload: string | null): Partial<JsonObject> {
  return payload === null ? {} : readMembers(JSON.parse(payload) as JsonValue)
}

function readMembers(value: JsonValue | undefined): Partial<JsonObject> {
  return value !== undefined && isObject(value) ? value : {}
}

function readText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
