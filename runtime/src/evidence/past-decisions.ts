/** Decisions of the past, by the flows in which they were made, the newest flow first. */
import { LIMITS } from 'rubicon-kernel'
import type { FlowRow, Store, StoredEntry } from '../ports/store.ts'
import { type CaseOutcome, findRecordedOutcome } from './decision-case.ts'

export type PastDecision = { readonly entry: StoredEntry; readonly recorded: CaseOutcome }

export type PastFlow = {
  readonly flow: FlowRow
  readonly entries: readonly StoredEntry[]
  /** The newest first. */
  readonly decisions: readonly PastDecision[]
}

export type PastFilter = {
  readonly agent?: string
  /** Only flows before this dfid. */
  readonly before?: string
  /** Where it says no, an entry is not read: to look at its text is cheap, to read it is not. */
  readonly mayBe?: (entry: StoredEntry) => boolean
  /** Flows that are looked at. */
  readonly most?: number
}

const FLOWS_AT_ONCE = 20

/** One flow at a time, so that whoever reads many can let others go first; at most so many. */
export async function* readPastFlows(
  store: Pick<Store, 'listFlows' | 'listFlowEntries'>,
  { agent, before, mayBe = () => true, most = LIMITS.pastFlows }: PastFilter,
): AsyncGenerator<PastFlow> {
  let last = before
  for (let looked = 0; looked < most; ) {
    const flows = await store.listFlows({
      limit: FLOWS_AT_ONCE,
      ...(agent === undefined ? {} : { agent_id: agent }),
      ...(last === undefined ? {} : { before: last }),
    })
    for (const flow of flows) {
      const entries = await store.listFlowEntries(flow.dfid)
      const decisions = entries.filter(mayBe).flatMap(toPastDecisions).toReversed()
      yield { flow, entries, decisions }
    }
    looked += flows.length
    last = flows.at(-1)?.dfid
    if (flows.length < FLOWS_AT_ONCE) return
  }
}

function toPastDecisions(entry: StoredEntry): readonly PastDecision[] {
  const recorded = findRecordedOutcome(entry)
  return recorded === null ? [] : [{ entry, recorded }]
}
