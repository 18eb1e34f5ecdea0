/** Decisions of the past, one row each: what the playground is fed with. */
import { type EntryKind, LIMITS } from 'rubicon-kernel'
import {
  type CaseOutcome,
  type PastDecision,
  type PastFlow,
  type Pause,
  readPastFlows,
} from 'rubicon-runtime/evidence'
import type { Store, StoredEntry } from 'rubicon-runtime/ports'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { SlowReads } from '../turns/slow-reads.ts'
import { type DecisionPlace, toDecisionPlace } from '../views/decision-place.ts'
import { encodeCursor, parseCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

export function createDecisionLookups({
  store,
  clock,
}: Omit<LookupParts, 'sha256'>): Pick<LookupTable, 'listDecisions'> {
  const past = new SlowReads(clock)
  return {
    listDecisions: (question) => past.ask(question, (pause) => list(store, question, pause)),
  }
}

async function list(store: Store, { query }: LookupRequest, pause: Pause): Promise<Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const [before] = place.value ?? []
  const { agent } = query
  const rows: object[] = []
  let last: string | null = null
  let looked = 0
  const most = parseLimit(query)
  const wanted = {
    mayBe: (entry: StoredEntry) => mayBeWanted(entry, query),
    most: LIMITS.pastFlowsListed,
    ...(agent === undefined ? {} : { agent }),
    ...(before === undefined ? {} : { before }),
  }
  for await (const flow of readPastFlows(store, wanted)) {
    if (rows.length >= most) return toReply({ decisions: rows, next: encodeCursor([last ?? '']) })
    await pause()
    rows.push(...toDecisionRows(flow).filter((row) => isWanted(row, query)))
    last = flow.flow.dfid
    looked += 1
  }
  // It looks through so many flows at most: then a page may be short, and more may follow.
  const isAll = looked < LIMITS.pastFlowsListed
  return toReply({ decisions: rows, next: isAll || last === null ? null : encodeCursor([last]) })
}

type Row = DecisionPlace & CaseOutcome

function toDecisionRows({ flow, decisions }: PastFlow): readonly Row[] {
  return decisions.map(({ entry, recorded }: PastDecision) => ({
    ...toDecisionPlace(entry, flow.agent_id),
    ...recorded,
  }))
}

/** Entries that can come to an outcome. What was refused at its dispatch had passed the law. */
const KINDS: ReadonlyMap<string, readonly EntryKind[]> = new Map<
  CaseOutcome['outcome'],
  readonly EntryKind[]
>([
  ['ACCEPTED', ['accepted', 'dispatch', 'rejection']],
  ['REJECTED', ['rejection']],
  ['ESCALATED', ['pending_approval']],
])

/** Payloads are canonical: a member stands there in one way. */
function mayBeWanted(
  { envelope, payload }: StoredEntry,
  { kind, outcome }: LookupRequest['query'],
): boolean {
  if (outcome !== undefined && KINDS.get(outcome)?.includes(envelope.kind) !== true) return false
  return kind === undefined || payload?.includes(`"policy_kind":"${kind}"`) === true
}

function isWanted(row: Row, { kind, outcome }: Readonly<Record<string, string>>): boolean {
  if (kind !== undefined && row.policy_kind !== kind) return false
  return outcome === undefined || row.outcome === outcome
}
