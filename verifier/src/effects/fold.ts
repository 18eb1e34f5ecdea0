/**
 * Was everything that was done lawful, by the ledger's own word? Hashes and signatures say who wrote
 * what; a kernel key that is misused, or an engine that is wrong, signs what it should not.
 *
 * Boundary: what every intent stands on (agent, contract, writs, rules, approvals) is checked beside it;
 * here, whether it is one that could be made, and whether what became of it could.
 */
import {
  type AcceptedPayload,
  type DelegationPayload,
  isReserved,
  type PayloadOf,
  type Sha256,
  type SignedIntent,
  type WritBody,
} from 'rubicon-kernel'
import type { AuthorityState } from '../authority/authority-state.ts'
import { copyText } from '../compact-records/own-text.ts'
import type { Kept } from '../compact-records/parts.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { findIntentProblems } from './as-proposed.ts'
import { checkGrants } from './check-grants.ts'
import { isClosure, isEnd } from './flow-end.ts'
import { foldAtom } from './fold-atom.ts'
import { createFoldState, type FoldState, findReadableContract } from './fold-state.ts'
import { type FoldedIntent, toFoldedIntent } from './folded-intent.ts'
import { findContractWindowProblems } from './granted.ts'
import { findBranchProblems } from './in-branch.ts'
import {
  findDeadlineProblems,
  findJudgedLaterProblems,
  findLateProblems,
  parseFactsInstant,
  resendEndProblems,
} from './in-time.ts'
import { releaseCost } from './release-cost.ts'
import { isFlowEnding } from './requests.ts'
import { findWordProblems, type Steps } from './steps.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Fold = {
  /** `authoritySeq`: of the last authority entry before it. */
  readonly check: (entry: ReadEntry, authoritySeq: number) => readonly string[]
}

/** After `authority` has taken in the same entry. */
export function createFold(sha256: Sha256, authority: AuthorityState, kept: Kept): Fold {
  const state = createFoldState(sha256, authority, kept)
  return { check: (entry, authoritySeq) => foldEntry(state, entry, authoritySeq) }
}

function foldEntry(state: FoldState, entry: ReadEntry, authoritySeq: number): readonly string[] {
  const { envelope, payload, payloadText } = entry
  const { dfid = '' } = envelope
  if (payloadText === null) state.erased.add(copyText(dfid))
  if (payload === null) return []
  switch (payload.kind) {
    case 'policy':
      foldPolicy(state, payload.payload.body)
      return []
    case 'event':
      return state.events.foldEvent(payload.payload, envelope.at)
    case 'writ':
      if (payload.payload.flow !== undefined) state.events.foldOpening(payload.payload.flow)
      return foldWrit(state, payload.payload.writ.body)
    case 'delegation':
      return foldReturn(state, payload.payload)
    case 'accepted':
      return foldIntent(state, entry, payload.payload, 'ACCEPTED')
    case 'dispatch':
      return foldDispatch(state, entry, payload.payload)
    case 'resend':
      return foldResend(state, entry, payload.payload)
    case 'evidence':
      return 'atom' in payload.payload
        ? foldAtom(state, entry, payload.payload.atom, authoritySeq)
        : foldEvidence(state, dfid, payload.payload)
    case 'settle':
      return foldSettle(state, dfid, payload.payload)
    case 'commit':
      return foldCommit(state, dfid, payload.payload)
    case 'rejection':
      if (isEnd(payload.payload)) state.ended.add(copyText(dfid))
      return state.events.foldRejection(dfid, payload.payload)
    case 'pending_approval':
      state.events.foldRequest(dfid)
      return state.requests.ask(payload.payload, envelope.at)
    case 'approval':
      if (isFlowEnding(payload.payload)) state.ended.add(copyText(dfid))
      return state.requests.answer(payload.payload, envelope.at)
    default:
      return []
  }
}

function foldPolicy({ capabilities, events }: FoldState, body: PayloadOf['policy']['body']): void {
  capabilities.fold(body)
  if ('rules_hash' in body) events.foldRules(body.rules.topics)
}

/** By its agent, which waits for what was sent: ending a flow calls nothing back. */
function foldClose({ ended, steps }: FoldState, dfid: string): readonly string[] {
  const found = ended.has(dfid) ? ['its flow had ended'] : []
  ended.add(copyText(dfid))
  return steps.isUnderWay(dfid) ? [...found, 'a step of its flow has no outcome'] : found
}

/** A child holds its whole budget of its parent's. */
function foldWrit(
  { authority, budgets }: FoldState,
  { parent, budget }: WritBody,
): readonly string[] {
  const above = parent === undefined ? undefined : authority.writs.get(parent)
  return above === undefined ? [] : budgets.reserve(above, budget)
}

function foldReturn(
  { authority, budgets }: FoldState,
  { writ_id, returned: amounts }: DelegationPayload,
): readonly string[] {
  const child = authority.writs.get(writ_id)
  const parent = child?.parent === undefined ? undefined : authority.writs.get(child.parent)
  if (amounts === undefined || child === undefined || parent === undefined) return []
  return budgets.giveBack(child, parent, amounts)
}

function foldDispatch(
  state: FoldState,
  entry: ReadEntry,
  payload: PayloadOf['dispatch'],
): readonly string[] {
  const { dfid = '', at } = entry.envelope
  if ('intent' in payload) return foldIntent(state, entry, payload, 'DISPATCHED')
  const { steps, erased, ended } = state
  const json = payload.facts
  const known = steps.get(payload.intent_id)
  const found = steps.carryOut(payload.intent_id, parseFactsInstant(json))
  if (erased.has(dfid)) return []
  const undoes = known !== undefined && known !== 'settled' && known.undoes
  if (ended.has(dfid) && !undoes) found.push('its flow had ended')
  if (!undoes) found.push(...state.events.findHaltProblems(dfid))
  if (known === undefined || known === 'settled') return found
  found.push(...findLateProblems(known, at), ...findJudgedLaterProblems(json, at))
  found.push(...findMaintenanceProblems(state, known))
  const contract = findReadableContract(state, known.agent, known.contract)
  return contract === undefined
    ? found
    : [...found, ...findContractWindowProblems(contract, payload.facts.now)]
}

function foldResend(
  state: FoldState,
  { envelope }: ReadEntry,
  { body, facts }: PayloadOf['resend'],
): readonly string[] {
  const { dfid = '', at } = envelope
  const known = state.steps.get(body.intent_id)
  const found = state.steps.sendAgain(body.intent_id, body.why)
  if (state.erased.has(dfid)) return []
  if (known === undefined || known === 'settled') return found
  const json = facts
  const expires_at = state.authority.writs.get(known.writ)?.window.expires_at
  if (!known.undoes && !isReserved(known.kind)) found.push(...state.events.findHaltProblems(dfid))
  found.push(...findJudgedLaterProblems(json, at))
  found.push(...resendEndProblems(known, body.send_before, json, expires_at))
  return [...found, ...findMaintenanceProblems(state, known)]
}

/** What takes back puts right what is half done. */
function findMaintenanceProblems(
  { maintenance }: FoldState,
  { agent, kind, undoes }: FoldedIntent,
): readonly string[] {
  return undoes ? [] : maintenance.findProblems(agent, kind)
}

/** Where an intent first stands. */
function foldIntent(
  state: FoldState,
  { envelope }: ReadEntry,
  payload: AcceptedPayload,
  status: 'ACCEPTED' | 'DISPATCHED',
): readonly string[] {
  const { intent, proposal, facts } = payload
  const { dfid } = intent
  const description = state.capabilities.get(intent.capability_hash)
  const folded = toFoldedIntent(payload, status, description)
  const claimed = [
    ...findSecondStepProblems(state, folded),
    ...state.steps.claim(intent.intent_id, folded),
  ]
  const found = state.erased.has(dfid) ? [] : claimed
  const writ = state.authority.writs.get(intent.writ_id)
  const json = facts
  found.push(...findDeadlineProblems(intent, proposal, json, writ?.window.expires_at))
  if (status === 'DISPATCHED') found.push(...findLateProblems(intent, envelope.at))
  if (intent.staged_at > envelope.at) found.push('it was decided after it was written')
  found.push(...findIntentProblems(payload), ...findMaintenanceProblems(state, folded))
  found.push(...findBranchProblems(envelope.trajectory, intent, description))
  if (folded.undoes) return found
  if (!state.erased.has(dfid)) found.push(...state.events.foldIntent(intent, envelope.at))
  if (state.ended.has(dfid) && !state.erased.has(dfid)) found.push('its flow had ended')
  found.push(...(state.erased.has(dfid) ? [] : state.atoms.use(payload)))
  return [...found, ...checkGrants(state, payload), ...reserveCost(state, intent, writ)]
}

/** With its step such a flow has ended, whether anybody says so or not. */
function findSecondStepProblems(
  { authority, steps }: FoldState,
  { dfid, undoes }: FoldedIntent,
): readonly string[] {
  if (undoes || !steps.hasTaken(dfid)) return []
  return authority.flows.get(dfid)?.isOneStep === true ? ['its flow was opened for one step'] : []
}

function reserveCost(
  state: FoldState,
  intent: SignedIntent,
  writ: WritBody | undefined,
): readonly string[] {
  const found = writ === undefined ? [] : state.budgets.reserve(writ, intent.cost)
  const contract = findReadableContract(state, intent.agent_id, intent.contract_hash)
  if (contract === undefined) return found
  return [...found, ...state.windows.reserve(contract, intent.staged_at, intent.cost)]
}

function foldEvidence(
  state: FoldState,
  dfid: string,
  payload: PayloadOf['evidence'],
): readonly string[] {
  const { steps, budgets, authority, maintenance } = state
  const agent = authority.flows.get(dfid)?.agent
  if (agent !== undefined) maintenance.learn(agent, dfid, payload)
  if ('intent_id' in payload) {
    const { source, finding, details } = payload
    const known = steps.get(payload.intent_id)
    steps.learn(payload.intent_id, { source, finding })
    return source === 'person' && !state.erased.has(dfid) ? findWordProblems(known, details) : []
  }
  if ('used' in payload) {
    const writ = authority.writs.get(payload.writ_id)
    if (writ !== undefined) budgets.report(writ, payload.used)
  }
  if (isClosure(payload)) return foldClose(state, dfid)
  return 'settles' in payload ? findEarlySettlements(steps, payload.settles ?? []) : []
}

/** A person settles what has happened, or is under review: what is on its way would be put right twice. */
function findEarlySettlements(steps: Steps, ids: readonly string[]): readonly string[] {
  const isEarly = ids.some((id) => {
    const known = steps.get(id)
    return known !== undefined && known !== 'settled' && known.status !== 'MANUAL_REVIEW'
  })
  return isEarly ? ['it settles what has no outcome'] : []
}

function foldSettle(
  state: FoldState,
  dfid: string,
  { intent_id, status, reason_code }: PayloadOf['settle'],
): readonly string[] {
  if (reason_code === 'FLOW_CANCELLED' || reason_code === 'EVENT_HALTED')
    state.ended.add(copyText(dfid))
  const known = state.steps.get(intent_id)
  const isUnsent = known !== undefined && known !== 'settled' && known.status === 'ACCEPTED'
  // Whoever proved it does not decide again in its flow.
  if (status === 'FAILED' && known !== undefined && known !== 'settled' && known.isProven)
    state.ended.add(copyText(dfid))
  const found = state.steps.settle(intent_id, status)
  if (status === 'FAILED' || (status === 'ABANDONED' && isUnsent)) releaseCost(state, known, {})
  return state.erased.has(dfid) ? [] : found
}

function foldCommit(
  state: FoldState,
  dfid: string,
  { intent_id, cost }: PayloadOf['commit'],
): readonly string[] {
  const known = state.steps.get(intent_id)
  if (known !== undefined && known !== 'settled') state.events.foldCommit(dfid, known.kind)
  const found = state.steps.settle(intent_id, 'SUCCESS')
  releaseCost(state, known, cost)
  return state.erased.has(dfid) ? [] : found
}
