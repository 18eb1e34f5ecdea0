/** Decisions of the past, one row each: what the playground is fed with. */
import { isObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Outcome } from '../../evidence/decision-case.ts'
import { type PastDecision, type PastFlow, pastFlows } from '../../evidence/past-decisions.ts'
import type { StoredEntry } from '../../ports/store.ts'
import { cursorOf, parseCursor } from '../list-page.ts'
import type { PastQuestions, Pause } from '../past-questions.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { decisionRow } from '../schemas/decision.ts'
import type { ServerParts } from '../server.ts'
import { closed, cursor, identifier, limit, limitOf, page, words } from './shape.ts'

export type DecisionPlace = {
  readonly trajectory: string
  readonly seq: number
  readonly leaf: number | null
  readonly dfid: string
  readonly agent_id: string
  readonly policy_kind: string
  readonly at: string
}

export function decisionRoutes({ engine }: ServerParts, past: PastQuestions): readonly Route[] {
  const { store } = engine.context
  return [
    {
      method: 'GET',
      path: '/v1/decisions',
      operation: 'listDecisions',
      summary: 'decisions, by the flows they were made in, the newest flow first; no flow is cut',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({
        agent: identifier,
        kind: identifier,
        outcome: words('ACCEPTED', 'REJECTED', 'ESCALATED'),
        cursor,
        limit,
      }),
      reply: page('decisions', decisionRow),
      handle: (asked) => past.ask((pause) => list(asked, pause)),
    },
  ]

  async function list({ query }: Asked, pause: Pause): Promise<Reply> {
    const place = parseCursor(query, 1)
    if (!place.ok) return place.error
    const [before] = place.value ?? []
    const { agent } = query
    const rows: object[] = []
    let last: string | null = null
    let looked = 0
    const most = limitOf(query)
    const wanted = {
      ...(agent === undefined ? {} : { agent }),
      ...(before === undefined ? {} : { before }),
    }
    for await (const flow of pastFlows(store, wanted)) {
      if (rows.length >= most) return done({ decisions: rows, next: cursorOf([last ?? '']) })
      await pause()
      rows.push(...rowsOf(flow).filter((row) => isWanted(row, query)))
      last = flow.flow.dfid
      looked += 1
    }
    // It looks through so many flows at most: then a page may be short, and more may follow.
    const isAll = looked < LIMITS.pastFlows
    return done({ decisions: rows, next: isAll || last === null ? null : cursorOf([last]) })
  }
}

type Row = DecisionPlace & Outcome

function rowsOf({ flow, decisions }: PastFlow): readonly Row[] {
  return decisions.map(({ entry, recorded }: PastDecision) => ({
    ...placeOf(entry, flow.agent_id, kindIn(entry)),
    ...recorded,
  }))
}

function isWanted(row: Row, { kind, outcome }: Readonly<Record<string, string>>): boolean {
  if (kind !== undefined && row.policy_kind !== kind) return false
  return outcome === undefined || row.outcome === outcome
}

export function placeOf(
  { envelope, leaf }: StoredEntry,
  agent_id: string,
  policy_kind: string,
): DecisionPlace {
  const { trajectory, seq, dfid = '', at } = envelope
  return { trajectory, seq, leaf, dfid, agent_id, policy_kind, at }
}

/** Of what could be read of the proposal. */
function kindIn({ payload }: StoredEntry): string {
  const { proposal } = payload === null ? {} : parseRecord(payload)
  const kind = isObject(proposal) ? proposal.policy_kind : undefined
  return typeof kind === 'string' ? kind : ''
}

/** Entries in our own store are what we wrote there. */
function parseRecord(payload: string): { readonly proposal?: JsonValue } {
  return JSON.parse(payload) as { readonly proposal?: JsonValue }
}
