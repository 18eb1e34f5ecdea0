/** Why its agent wanted what is settled now: at hand where it was dispatched here, else in the ledger. */
import type { CarryOutPayload, DispatchPayload, JsonValue, Position } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { type ProposedWords, parseWanted } from './memory.ts'

/** An undoing was decided by somebody else, whose reasons are not for the agent of the flow. */
export async function loadWanted(context: Context, dispatched: Dispatched): Promise<ProposedWords> {
  const { intent, execution, rationale } = dispatched
  const { params } = intent
  if (intent.compensation !== undefined) return { params }
  if (rationale !== undefined) return rationale === null ? { params } : { params, rationale }
  const recorded = await readDecidedProposal(context.store, execution.dispatched)
  return { params, ...pickRationale(parseWanted(recorded)) }
}

function pickRationale({ rationale }: ProposedWords): ProposedWords {
  return rationale === undefined ? {} : { rationale }
}

/** What was carried out later than it was accepted names the entry that holds the proposal. */
async function readDecidedProposal(
  store: Store,
  { trajectory, seq }: Position,
): Promise<JsonValue> {
  const [entry] = await store.listEntries(trajectory, seq, 1)
  if (entry === undefined || entry.payload === null) return null
  const { proposal, accepted } = JSON.parse(entry.payload) as Partial<DispatchPayload> &
    Partial<CarryOutPayload>
  return accepted === undefined ? (proposal ?? null) : readDecidedProposal(store, accepted)
}
