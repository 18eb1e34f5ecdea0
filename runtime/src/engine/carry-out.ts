/**
 * Executors of their own: what was accepted is looked at once more, dispatched, and sent.
 *
 * A1 nothing is sent unless this engine's own unit made the dispatch durable, with every resource
 *    still held; an engine that slept past the end of its holds finds that out there.
 * A2 an accepted intent that cannot be dispatched gives everything back.
 */
import {
  type AcceptedPayload,
  type AuthFact,
  canonicalText,
  checkDispatch,
  isObject,
  LIMITS,
  parseInstant,
  type ReasonCode,
  type Rechecked,
  type Refusal,
  type ResourceNeed,
  recheck,
  rulesRefusal,
  type SignedIntent,
  standsAt,
} from 'rubicon-kernel'
import type { DecisionView, ExecutionRow, Unit, UnitOutcome } from '../ports/store.ts'
import { type Accepted, abandon, givenBack } from './abandon.ts'
import { budgetUnitsOf, counterIds } from './budget-counters.ts'
import { canonicalObject } from './canonical-object.ts'
import type { Context } from './context.ts'
import { stopIfDeclaredDead } from './declared-dead.ts'
import { guardsOf, type IntentUnit, jitReport, parseIntent, placedBy } from './dispatch.ts'
import { performEffect } from './effect.ts'
import { moveFlow } from './flow-row.ts'
import { type Gathered, gather } from './gather.ts'
import { mintSalt } from './identity.ts'
import { heldGuards, holdWrites, takeLocks } from './locks.ts'
import { StateUnavailable } from './read-outside.ts'
import { type Received, receiveProposal, type SpokenIn } from './receive.ts'
import { maintenanceCounter } from './saga/maintenance.ts'
import { writChain } from './writ-chain.ts'

/** Authority that ended takes the flow with it; everything else sends the agent back. */
const ENDS_FLOW: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AGENT_UNKNOWN',
  'AGENT_SUSPENDED',
  'AGENT_RETIRED',
  'CONTRACT_REVOKED',
  'WRIT_REVOKED',
  'FLOW_CANCELLED',
])

/** Starts on everything that was accepted and that nobody here works on. How many. */
export async function carryOutAccepted(context: Context): Promise<number> {
  const rows = await context.store.executions({
    status: ['ACCEPTED'],
    limit: LIMITS.entriesPerPage,
  })
  const idle = rows.filter(({ dfid, step_id }) => !context.inFlight.effect(dfid, step_id))
  for (const row of idle) startCarryingOut(context, row)
  return idle.length
}

/** Resolves with the row as it stands when it is settled, or given back. */
export function startCarryingOut(context: Context, row: ExecutionRow): Promise<ExecutionRow> {
  return context.inFlight.track(row.dfid, row.step_id, carryOut(context, row))
}

async function carryOut(context: Context, row: ExecutionRow): Promise<ExecutionRow> {
  const started = context.clock.monotonic()
  const intent = parseIntent(row.intent)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const view = await loadView(context, intent)
    // Given back meanwhile; the step may have been claimed again, for another intent.
    if (view?.claim?.intent !== row.intent) return givenBack(context, row)
    if (view.claim.status !== 'ACCEPTED') return view.claim
    const accepted = { intent, execution: view.claim, flow: view.flow }
    const prepared = await prepare(context, view, accepted)
    // Its rules are in force and ours are not: a process that holds them carries it out.
    if (prepared === 'foreign') return view.claim
    if (!('unit' in prepared)) {
      const given = await abandon(context, accepted, prepared, ENDS_FLOW.has(prepared.code))
      if (given !== null) return given.execution
      continue
    }
    await context.failpoints.reach('dispatch.before_commit')
    const outcome = await context.store.commit(prepared.unit)
    if (outcome.ok) {
      await context.failpoints.reach('dispatch.after_commit')
      return performEffect(context, prepared.placed(outcome), { startedMonotonic: started })
    }
    stopIfDeclaredDead(outcome)
    const lost = lostBy(outcome, intent)
    if (lost === null) continue
    const given = await abandon(context, accepted, lost, false)
    if (given !== null) return given.execution
  }
  return row
}

/** A guard that will not hold again, as the reason why. Null: load everything once more. */
function lostBy(
  { failed }: Extract<UnitOutcome, { ok: false }>,
  { dispatch_before }: SignedIntent,
): Refusal | null {
  if (failed.kind === 'lock_held')
    return { code: 'LOCK_EXPIRED', details: { resource: failed.resource } }
  if (failed.kind === 'before' && failed.at === dispatch_before)
    return { code: 'DISPATCH_EXPIRED', details: { before: failed.at } }
  if (failed.kind === 'lock_free')
    return { code: 'INSUFFICIENT_LIQUIDITY', details: { resource: failed.resource } }
  return null
}

/** The rows of the decision; what the intent itself reserved does not count against it. */
async function loadView(context: Context, intent: SignedIntent): Promise<DecisionView | null> {
  const { store } = context
  const flow = await store.flow(intent.dfid)
  if (flow === null) return null
  const [writ] = await writChain(context, flow, intent.writ_id)
  const ids = [maintenanceCounter(flow.agent_id), ...(writ === undefined ? [] : counterIds(writ))]
  const view = await store.decision(intent.dfid, intent.step_id, () => ids)
  if (view === null || writ === undefined) return view
  const counters: Record<string, number> = { ...view.counters }
  for (const [id, units] of budgetUnitsOf(writ.body.nonce, intent.cost))
    counters[id] = Math.max(0, (counters[id] ?? 0) - units)
  return { ...view, counters }
}

async function prepare(
  context: Context,
  view: DecisionView,
  accepted: Accepted,
): Promise<IntentUnit | Refusal | 'foreign'> {
  const { intent, execution } = accepted
  const received = await acceptedProposal(context, execution, intent)
  if (received === null)
    return { code: 'STATE_UNAVAILABLE', details: { missing: 'the accepted proposal' } }
  const now = parseInstant(view.now)
  if (now === undefined || now >= (parseInstant(intent.dispatch_before) ?? 0))
    return { code: 'DISPATCH_EXPIRED', details: { before: intent.dispatch_before } }
  let gathered: Gathered
  try {
    const chain = await writChain(context, view.flow, intent.writ_id)
    gathered = await gather(context, { ...view, claim: null }, received, chain, undefined, intent)
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    return { code: 'STATE_UNAVAILABLE', details: error.details }
  }
  const lapsed = lapsedRules(gathered, intent)
  if (lapsed !== null) return lapsed
  if (!standsAt(context.standing.at(gathered.authority), view.now)) return 'foreign'
  const checked = recheck(gathered.input)
  const refusal = checked.refusal ?? lastLook(gathered, checked) ?? otherNeeds(checked, intent)
  return refusal ?? unitOf(context, gathered, accepted, checked)
}

/** What it was judged by must be in force when it is sent, whoever sends it. */
function lapsedRules(
  { input }: Gathered,
  { rules_hash, policy_kind: kind, capability_hash: hash }: SignedIntent,
): Refusal | null {
  const { in_force } = input.facts.value
  return rulesRefusal({ rules_hash, capability: { kind, hash }, in_force })
}

function lastLook({ input, law }: Gathered, { measures }: Rechecked): Refusal | null {
  const { contract, facts, proposal } = input
  if (contract === null || law === undefined)
    return { code: 'CAPABILITY_UNKNOWN', details: { policy_kind: proposal.policy_kind } }
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures })
}

/** What it needs is what it holds; only how much there is of it may have changed. */
function otherNeeds({ resources }: Rechecked, intent: SignedIntent): Refusal | null {
  const named = (needs: readonly ResourceNeed[]): string =>
    canonicalText(needs.map(({ id, amount }) => ({ id, amount })))
  if (named(resources) === named(intent.resources)) return null
  return { code: 'RESOURCES_MISMATCH', details: { needed: resources.map(({ id }) => id) } }
}

/** The proposal as it was received, from the entry that accepted it. */
async function acceptedProposal(
  { store, sha256 }: Context,
  { dispatched: { trajectory, seq } }: ExecutionRow,
  { approval }: SignedIntent,
): Promise<Received | null> {
  const [entry] = await store.entries(trajectory, seq, 1)
  if (entry?.payload == null) return null
  const { proposal, facts } = JSON.parse(entry.payload) as Partial<AcceptedPayload>
  if (proposal === undefined || facts === undefined || !isObject(proposal)) return null
  const received = receiveProposal(proposal, sha256)
  if (!received.ok) return null
  const said = { ...received.value, session: spokenIn(facts.auth) }
  if (approval === undefined) return said
  // The decision was used up when it was accepted.
  return { ...said, release: { approval, unit: { guards: [], writes: [] } } }
}

/** Who spoke when it was accepted. The session may be over since; its key must still count. */
function spokenIn(auth: AuthFact): SpokenIn | null {
  if (auth.kind !== 'session') return null
  return { agent_id: auth.agent_id, key_id: auth.key?.key_id ?? null, guards: [] }
}

/** The dispatch: everything is still as it was judged, and every resource is still held. */
function unitOf(
  context: Context,
  gathered: Gathered,
  { intent, execution: before }: Accepted,
  { resources }: Rechecked,
): IntentUnit {
  const { view, input, authority } = gathered
  const flow = moveFlow(view.flow, ['EXECUTING'], view.now)
  const execution: ExecutionRow = {
    ...before,
    version: before.version + 1,
    status: 'DISPATCHED',
    dispatched_at: view.now,
    last_sent_at: view.now,
    sends: 1,
    epoch: context.store.epoch,
  }
  const payload = canonicalObject({
    salt: canonicalText(mintSalt(context)),
    intent_id: `"${intent.intent_id}"`,
    accepted: canonicalText(before.dispatched),
    send: '1',
    facts: input.facts.text,
    facts_hash: `"${input.facts.address}"`,
    jit: canonicalText(jitReport(gathered)),
  })
  const { dfid, step_id, version } = before
  const { trajectory } = flow
  const hold = { taken_at: before.dispatched_at, expires_at: null, quarantined: false }
  const unit: Unit = {
    guards: [
      ...guardsOf(context, gathered, intent),
      { kind: 'execution_version', dfid, step_id, version },
      ...heldGuards(intent),
      // What there is of a resource may have become less since it was accepted.
      ...takeLocks({ ...intent, resources }, view.now, null).guards,
    ],
    writes: [
      {
        kind: 'append',
        trajectory,
        entry: 'dispatch',
        dfid,
        authority_seq: authority.seq,
        payload,
      },
      { kind: 'put_flow', flow },
      { kind: 'put_execution', execution, entry: 0 },
      ...holdWrites(intent, hold),
    ],
  }
  return { unit, placed: placedBy(intent, flow, execution) }
}
