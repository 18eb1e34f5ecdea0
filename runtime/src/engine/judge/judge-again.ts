/**
 * Judges an intent once more, when it is sent some time after its decision: by an executor of its own,
 * or again. What it reserved and holds itself does not count against it.
 *
 * J1 facts are of now; the proposal is that of its decision, and speaks for whoever spoke then.
 * J2 the rules that it was decided by are in force, and are those of this process.
 * J3 what takes back is judged by the authority of whoever chose so.
 */
import {
  type AuthFact,
  checkDispatch,
  type DecisionRecord,
  findRulesRefusal,
  isObject,
  isStandingAt,
  type Position,
  type Rechecked,
  type Refusal,
  type ResourceNeed,
  recheck,
  recheckUndo,
  type SignedIntent,
  toCanonicalText,
} from 'rubicon-kernel'
import type { DecisionView, ExecutionRow, UnitOutcome } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { StateUnavailable } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { listBudgetUnits, listCounterIds } from '../rows/budget-counters.ts'
import { toMaintenanceCounter } from '../rows/maintenance.ts'
import { readChosenDecision } from '../saga/chosen-decision.ts'
import { gather } from './gather.ts'
import type { Gathered } from './gathered.ts'
import { type Received, receiveProposal, type SpokenIn } from './receive.ts'

export type JudgedAgain = { readonly gathered: Gathered; readonly checked: Rechecked }

/** The rows of the decision; what the intent itself reserved does not count against it. */
export async function loadHeld(
  context: Context,
  intent: SignedIntent,
): Promise<DecisionView | null> {
  const { store } = context
  const flow = await store.readFlow(intent.dfid)
  if (flow === null) return null
  const [writ] = await loadWritChain(context, flow, intent.writ_id)
  const ids = [
    toMaintenanceCounter(flow.agent_id),
    ...(writ === undefined ? [] : listCounterIds(writ)),
  ]
  const view = await store.readDecision(intent.dfid, intent.step_id, () => ids)
  if (view === null || writ === undefined) return view
  const counters: Record<string, number> = { ...view.counters }
  for (const [id, units] of listBudgetUnits(writ.body.nonce, intent.cost))
    counters[id] = Math.max(0, (counters[id] ?? 0) - units)
  return { ...view, counters }
}

/** `foreign`: its rules are in force and ours are not; a process that holds them goes on with it. */
export async function judgeAgain(
  context: Context,
  view: DecisionView,
  intent: SignedIntent,
  { dispatched }: Pick<ExecutionRow, 'dispatched'>,
): Promise<JudgedAgain | Refusal | 'foreign'> {
  const received = await loadDecidedProposal(context, dispatched, intent)
  if (received === null) return ERASED
  const gathered = await gatherAgain(context, view, received, intent, intent)
  if (!('input' in gathered)) return gathered
  const lapsed = checkRulesInForce(gathered, intent)
  if (lapsed !== null) return lapsed
  if (!isStandingAt(context.standing.getStanding(gathered.authority), view.now)) return 'foreign'
  const checked = recheck(gathered.input)
  const refusal =
    checked.refusal ?? recheckDispatch(gathered, checked) ?? checkSameNeeds(checked, intent)
  return refusal ?? { gathered, checked }
}

/** What takes back, by the authority of the choice: whose keys, whose time, whose contract and writ. */
export async function judgeUndoAgain(
  context: Context,
  intent: SignedIntent,
): Promise<JudgedAgain | Refusal> {
  const { store, sha256 } = context
  const { compensation } = intent
  const decision = compensation === undefined ? null : await readChosenDecision(store, compensation)
  if (decision === null) return ERASED
  const received = receiveDecided(decision, decision.intent, sha256)
  const view = await loadHeld(context, decision.intent)
  if (received === null || view === null) return ERASED
  const gathered = await gatherAgain(context, view, received, decision.intent, undefined)
  if (!('input' in gathered)) return gathered
  const checked = recheckUndo(gathered.input)
  return checked.refusal ?? { gathered, checked }
}

const ERASED: Refusal = {
  code: 'STATE_UNAVAILABLE',
  details: { missing: 'the proposal that it was decided on' },
}

async function gatherAgain(
  context: Context,
  view: DecisionView,
  received: Received,
  { writ_id }: SignedIntent,
  held: SignedIntent | undefined,
): Promise<Gathered | Refusal> {
  try {
    const chain = await loadWritChain(context, view.flow, writ_id)
    return await gather(context, { ...view, claim: null }, received, chain, undefined, held)
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    return { code: 'STATE_UNAVAILABLE', details: error.details }
  }
}

/** A guard that will not hold again, as the reason why. Null: load everything once more. */
export function toGuardRefusal(
  { failed }: Extract<UnitOutcome, { ok: false }>,
  deadline: string,
): Refusal | null {
  if (failed.kind === 'lock_held')
    return { code: 'LOCK_EXPIRED', details: { resource: failed.resource } }
  if (failed.kind === 'before' && failed.at === deadline)
    return { code: 'DISPATCH_EXPIRED', details: { before: failed.at } }
  if (failed.kind === 'lock_free')
    return { code: 'INSUFFICIENT_LIQUIDITY', details: { resource: failed.resource } }
  return null
}

/** What it was judged by must be in force when it is sent, whoever sends it. */
function checkRulesInForce(
  { input }: Gathered,
  { rules_hash, policy_kind: kind, capability_hash: hash }: SignedIntent,
): Refusal | null {
  const { in_force } = input.facts.value
  return findRulesRefusal({ rules_hash, capability: { kind, hash }, in_force })
}

function recheckDispatch({ input, law }: Gathered, { measures }: Rechecked): Refusal | null {
  const { contract, facts, proposal } = input
  if (contract === null || law === undefined)
    return { code: 'CAPABILITY_UNKNOWN', details: { policy_kind: proposal.policy_kind } }
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures })
}

/** What it needs is what it holds; only how much there is of it may have changed. */
function checkSameNeeds({ resources }: Rechecked, intent: SignedIntent): Refusal | null {
  const formatNeeds = (needs: readonly ResourceNeed[]): string =>
    toCanonicalText(needs.map(({ id, amount }) => ({ id, amount })))
  if (formatNeeds(resources) === formatNeeds(intent.resources)) return null
  return { code: 'RESOURCES_MISMATCH', details: { needed: resources.map(({ id }) => id) } }
}

type Decided = Partial<DecisionRecord> & { readonly accepted?: Position }

/** The proposal as it was received, from the entry that decided it. Null: it was erased. */
async function loadDecidedProposal(
  { store, sha256 }: Context,
  place: Position,
  intent: SignedIntent,
): Promise<Received | null> {
  const readPayload = async ({ trajectory, seq }: Position): Promise<Decided | null> => {
    const [entry] = await store.listEntries(trajectory, seq, 1)
    return entry?.payload == null ? null : (JSON.parse(entry.payload) as Decided)
  }
  const entry = await readPayload(place)
  const decided = entry?.accepted === undefined ? entry : await readPayload(entry.accepted)
  return decided === null ? null : receiveDecided(decided, intent, sha256)
}

function receiveDecided(
  { proposal, facts }: Decided,
  { approval }: SignedIntent,
  sha256: Context['sha256'],
): Received | null {
  if (proposal === undefined || facts === undefined || !isObject(proposal)) return null
  const received = receiveProposal(proposal, sha256)
  if (!received.ok) return null
  const said = { ...received.value, session: toDecidingSession(facts.auth) }
  if (approval === undefined) return said
  // The decision was used up when it was accepted.
  return { ...said, release: { approval, unit: { guards: [], writes: [] } } }
}

/** Who spoke when it was decided. The session may be over since; its key must still count. */
function toDecidingSession(auth: AuthFact): SpokenIn | null {
  if (auth.kind !== 'session') return null
  return { agent_id: auth.agent_id, key_id: auth.key?.key_id ?? null, guards: [] }
}
